import { nearFilesKey } from '#bridge/answers/record.ts'
import { mayRead } from '#bridge/channels/permissions.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import { channelKey } from '#bridge/port/keys.ts'
import type { Author } from '#bridge/port/author.ts'
import type { AnswerRecord, FileRecord, Preferences } from '#bridge/port/records.ts'
import type { Store } from '#bridge/port/store.ts'
import { withoutMarkup } from '#bridge/texts/formats.ts'

const MAX_PEOPLE = 3
/** Preferences of a channel: ids and names of the people who are always asked. */
const GROUP = 'ask-group'
const GROUP_NAMES = `${GROUP}-names`

/** Names of the people whom this channel asks, as set by an administrator. */
export const groupOf = (preferences: Preferences, channel: string): Promise<string | undefined> =>
  preferences.get(channel, GROUP_NAMES)

/** @returns the names as they are shown */
export async function setGroup(
  preferences: Preferences,
  channel: string,
  people: readonly Pick<Author, 'id' | 'name'>[] | undefined,
): Promise<string> {
  const names = people?.map(({ name }) => withoutMarkup(name)).join(', ')
  await preferences.set(channel, GROUP, people && JSON.stringify(people.map(({ id }) => id)))
  await preferences.set(channel, GROUP_NAMES, names)
  return names ?? ''
}

/**
 * People to ask: those set for this channel, else those who dropped the files nearest to the question. Excludes the
 * asker and people who cannot read the channel now.
 */
export async function whomToAsk(store: Store, ctx: JobContext, answer: AnswerRecord): Promise<readonly string[]> {
  const group = await store.preferences.get(channelKey(answer.conversation), GROUP)
  const candidates = group === undefined ? await nearest(store, answer) : (JSON.parse(group) as string[])
  const people: string[] = []
  for (const person of new Set(candidates)) {
    if (person === answer.asker || people.length === MAX_PEOPLE) continue
    if (await mayRead(ctx, answer.conversation, person)) people.push(person)
  }
  return people
}

/** People who dropped files, ranked by the retrieved passages, then by words that question and file name share. */
async function nearest(store: Store, answer: AnswerRecord): Promise<readonly string[]> {
  const payload = await store.buttonPayloads.get(nearFilesKey(answer.id))
  const near = Array.isArray(payload?.data) ? (payload.data as string[]) : []
  const asked = wordsOf(`${answer.question} ${answer.query ?? ''}`)
  const entries: FileRecord[] = []
  for (const collection of answer.collections) entries.push(...(await store.files.ofCollection(collection)))
  const scored = entries
    .filter(({ state }) => state === 'ready')
    .map((entry) => ({ entry, score: scoreOf(entry, near, asked) }))
  const relevant = scored.filter(({ score }) => score > 0)
  return relevant.toSorted((one, other) => other.score - one.score).map(({ entry }) => entry.droppedBy)
}

function scoreOf({ fileName, displayName }: FileRecord, near: readonly string[], asked: Set<string>): number {
  const rank = near.indexOf(fileName)
  const shared = [...wordsOf(displayName)].filter((word) => asked.has(word)).length
  return (rank === -1 ? 0 : 1 / (rank + 1)) + shared
}

/** Words by their first letters, so that `ferries` and `ferry` are near. */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/\p{L}{3,}/gu) ?? []
  return new Set(words.map((word) => word.slice(0, 5)))
}
