import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Inbound } from '#bridge/port/message.ts'
import { eventually } from '#test/support/eventually.ts'
import { SECRET, setMany } from './many.ts'

const TEAMS = ['T1', 'T2'] as const
/** Marks are saved a second after the message. */
const SAVED_MS = 1200

const textsOf = (inbounds: readonly Inbound[]) =>
  new Set(inbounds.flatMap((inbound) => ('message' in inbound ? [inbound.message.text] : [])))

/** Two workspaces that were heard once, and that said something while Footbridge was away. */
async function wereHere() {
  const scene = await setMany()
  const { cloud, adapter, install, receive, inbounds } = scene
  await adapter.start(receive)
  for (const id of TEAMS) await install(id)
  const say = (id: string, words: string) =>
    cloud.teams.get(id)?.say({ channel: 'C0FERRY', user: 'U0ADA', text: words, mention: true, order: 'message-only' })
  for (const id of TEAMS) {
    const { workspace } = cloud.teams.get(id) ?? {}
    workspace?.addUser({ id: 'U0ADA', name: 'Ada' })
    workspace?.addChannel({ id: 'C0FERRY', name: 'ferry', creator: 'U0ADA' })
    workspace?.channel('C0FERRY').members.add('U0ADA')
    await say(id, `heard in ${id}`)?.acked
  }
  await adapter.stop()
  for (const id of TEAMS) say(id, `missed in ${id}`)
  inbounds.length = 0
  return { ...scene, say }
}

it('a workspace that is read after another keeps its marks until then, though it is heard meanwhile', async () => {
  const { make, say, store, receive, inbounds } = await wereHere()
  const first = Promise.withResolvers<void>()
  const cursorsOf = (workspace: string) => {
    const cursors = store.cursors(`slack:${workspace}`)
    return workspace === 'T1' ? { ...cursors, all: () => first.promise.then(() => cursors.all()) } : cursors
  }
  await make({ cursorsOf }).start(receive)
  await say('T2', 'live in T2')?.acked
  await delay(SAVED_MS)
  first.resolve()
  await eventually(() => textsOf(inbounds).size === 3)
  expect(textsOf(inbounds)).toEqual(new Set(['live in T2', 'missed in T1', 'missed in T2']))
})

it('a workspace that cannot be looked up does not keep the others from being read, and is read when it can', async () => {
  const { make, store, advance, receive, inbounds, lines } = await wereHere()
  const installations = store.state('slack-installation', [SECRET])
  let isAway = true
  let looks = 0
  const get: typeof installations.get = (id) => {
    // The look-ups of the start are too old after it.
    if (id === 'T2') advance(60_000)
    if (id === 'T1' && isAway && (looks += 1) > 2) return Promise.reject(new Error('The database is away.'))
    return installations.get(id)
  }
  await make({ installations: { ...installations, get }, unreadRetryMs: 50 }).start(receive)
  await eventually(() => textsOf(inbounds).has('missed in T2'))
  expect(textsOf(inbounds)).not.toContain('missed in T1')
  isAway = false
  await eventually(() => textsOf(inbounds).has('missed in T1'))
  expect(lines.filter(({ message }) => message.includes('it is tried again'))).toHaveLength(1)
})
