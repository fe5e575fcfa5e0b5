import { channelKey } from '#bridge/port/keys.ts'
import type { Store } from '#bridge/port/store.ts'
import type { Sql, Statement } from '#sql/sql.ts'

/** Signs that LIKE takes for any letters are literal. */
const LIKE = String.raw`LIKE ? ESCAPE '\'`
const literal = (text: string) => text.replace(/[\\%_]/g, String.raw`\$&`)

interface Names {
  readonly adapter: string
  readonly workspace: string
  /** Channels of the workspace, as the service names them. */
  readonly channels: readonly string[]
  /** People who wrote or dropped something there. */
  readonly people: readonly string[]
}

/** Changes that delete a workspace, in an order in which each finds the rows it needs. */
function deletionsOf({ adapter, workspace, channels, people }: Names): readonly Statement[] {
  const prefix = [adapter, workspace].map(encodeURIComponent).join(':')
  const [keys, ids] = [`${literal(prefix)}:%`, `${literal(`${adapter}:${workspace}`)}:%`]
  const [naming, alsoNaming] = [`%${keys}`, `%${ids}`]
  return [
    [
      `DELETE FROM button_payload WHERE data ${LIKE} OR data ${LIKE} OR id ${LIKE} OR id ${LIKE}`,
      naming,
      alsoNaming,
      naming,
      alsoNaming,
    ],
    [`DELETE FROM button_payload WHERE id IN (SELECT 'near-' || answer.id FROM answer WHERE channel ${LIKE})`, keys],
    // Links of messages and votes go with the answer: foreign keys.
    [`DELETE FROM answer WHERE channel ${LIKE}`, keys],
    [`DELETE FROM history WHERE channel ${LIKE} OR queue ${LIKE}`, keys, keys],
    [`DELETE FROM file_record WHERE channel ${LIKE}`, keys],
    [`DELETE FROM outbox WHERE channel ${LIKE} OR job_id ${LIKE}`, keys, ids],
    [
      `DELETE FROM usage WHERE job_id ${LIKE} OR subject ${LIKE} OR subject = ?`,
      ids,
      naming,
      `workspace:${adapter}:${workspace}`,
    ],
    [`DELETE FROM preference WHERE scope ${LIKE} OR scope = ?`, keys, `workspace:${prefix}`],
    [`DELETE FROM preference WHERE value ${LIKE} OR value ${LIKE}`, naming, alsoNaming],
    ...people.map((person): Statement => [`DELETE FROM preference WHERE scope = ?`, `person:${adapter}:${person}`]),
    ...channels.map((channel): Statement => [`DELETE FROM cursor WHERE adapter = ? AND channel = ?`, adapter, channel]),
    [`DELETE FROM cursor WHERE adapter = ?`, `${adapter}:${workspace}`],
    [`DELETE FROM channel WHERE key ${LIKE}`, keys],
    [`DELETE FROM job WHERE queue ${LIKE} OR id ${LIKE}`, keys, ids],
  ]
}

const peopleIn = (text: unknown, ...paths: readonly (readonly string[])[]): readonly string[] => {
  const event = JSON.parse(String(text)) as unknown
  return paths.flatMap((path) => {
    let value = event
    for (const name of path) value = (value as Record<string, unknown> | undefined)?.[name]
    return typeof value === 'string' ? [value] : []
  })
}

/** Deletes every row of a workspace, all or none. */
export function createForgetWorkspace(sql: Pick<Sql, 'all' | 'write'>): Store['forgetWorkspace'] {
  return async (adapter, workspace) => {
    const keys = `${literal([adapter, workspace].map(encodeURIComponent).join(':'))}:%`
    const of = async (column: string, table: string, where: string) =>
      (await sql.all(`SELECT ${column} AS text FROM ${table} WHERE ${where} ${LIKE}`, keys)).map(({ text }) => text)
    const people = new Set([
      ...(await of('inbound', 'job', 'queue')).flatMap((text) =>
        peopleIn(text, ['message', 'author', 'id'], ['author', 'id']),
      ),
      ...(await of('answer', 'answer', 'channel')).flatMap((text) => peopleIn(text, ['asker'])),
      ...(await of('entry', 'file_record', 'channel')).flatMap((text) => peopleIn(text, ['droppedBy'])),
    ])
    const channels = (await of('key', 'channel', 'key')).map((key) =>
      decodeURIComponent(String(key).split(':')[2] ?? ''),
    )
    await sql.write(...deletionsOf({ adapter, workspace, channels, people: [...people] }))
  }
}

/** Deletes the rows of a channel, all or none. */
export function createForgetChannel(sql: Pick<Sql, 'write'>): Store['forgetChannel'] {
  return async (conversation) => {
    const { adapter, workspace, channel } = conversation
    const key = channelKey(conversation)
    const queues = `${literal(key)}/%`
    const [inQueue, asValue] = [`%${queues}`, `%${literal(key)}"%`]
    const inJob = `%${literal(`${adapter}:${workspace}:${channel}`)}:%`
    await sql.write(
      [`DELETE FROM button_payload WHERE id IN (SELECT 'near-' || answer.id FROM answer WHERE channel = ?)`, key],
      [
        `DELETE FROM button_payload WHERE data ${LIKE} OR data ${LIKE} OR data ${LIKE} OR id ${LIKE} OR id ${LIKE}`,
        inQueue,
        asValue,
        inJob,
        inQueue,
        inJob,
      ],
      // Links of messages and votes go with the answer: foreign keys.
      [`DELETE FROM answer WHERE channel = ?`, key],
      [`DELETE FROM history WHERE channel = ? OR queue ${LIKE}`, key, queues],
      [`DELETE FROM file_record WHERE channel = ?`, key],
      [`DELETE FROM outbox WHERE channel = ?`, key],
      [`DELETE FROM preference WHERE scope = ?`, key],
      [`DELETE FROM cursor WHERE channel = ? AND adapter IN (?, ?)`, channel, adapter, `${adapter}:${workspace}`],
      [`DELETE FROM channel WHERE key = ?`, key],
      [`DELETE FROM job WHERE queue ${LIKE}`, queues],
    )
  }
}
