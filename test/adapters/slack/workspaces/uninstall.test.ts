import { describe, expect, it, onTestFinished } from 'vitest'
import { createBridge } from '#bridge/bridge.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'
import { createFakePlatform } from '#test/support/fakes/platform.ts'
import { PATIENCE_MS } from '#test/support/patience.ts'
import { eventually } from '#test/support/eventually.ts'
import { bytesOf, SECRET, setMany } from './many.ts'

async function withTwo() {
  const many = await setMany()
  const { cloud, adapter, store, install } = many
  const platform = createFakePlatform()
  const bridge = createBridge({
    adapters: [adapter],
    platform,
    store,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    budgets: { person: [{ kind: 'questions', most: 99, span: 'hour' }] },
    indexing: { deadlineMs: PATIENCE_MS, pollMs: [2, 10] },
  })
  await bridge.start()
  onTestFinished(() => bridge.stop(0))
  const people = new Map<string, { readonly channel: string; readonly user: string }>()
  for (const id of ['TGONE', 'TSTAYS']) {
    await install(id)
    const team = cloud.teams.get(id)
    const channel = team?.workspace.addChannel({ name: 'ferry', creator: `UBOSS${id}` }).id ?? ''
    const user = team?.workspace.addUser({ id: `UBOSS${id}`, admin: true }).id ?? ''
    people.set(id, { channel, user })
  }
  const sees = (id: string, pattern: RegExp) =>
    cloud.until(
      () =>
        cloud.teams
          .get(id)
          ?.transcript(people.get(id)?.channel ?? '')
          .findLast(({ own, text, streaming }) => own && !streaming && pattern.test(text)),
      `${String(pattern)} in ${JSON.stringify(cloud.teams.get(id)?.transcript(people.get(id)?.channel ?? ''))}`,
    )
  /** A file, a question, a vote, settings, a note: something in every table. */
  async function live(id: string) {
    const team = cloud.teams.get(id)
    const place = people.get(id)
    if (team === undefined || place === undefined) throw new Error(id)
    team.say({ ...place, files: [team.hostFile(`The mole of ${id} is 40 m long.`, `mole-${id}.md`, 'text/markdown')] })
    await sees(id, /mole-.*ready/)
    const asked = team.say({ ...place, text: `how long is the mole of ${id}?`, mention: true, order: 'message-only' })
    await cloud.until(
      () => team.transcript(place.channel, asked.thread).some(({ own, streaming }) => own && !streaming),
      'an answer',
    )
    team.react({ channel: place.channel, ts: asked.ts, user: place.user })
    team.command({ ...place, text: 'language de' })
    await team.say({ ...place, text: 'settings digest on', mention: true, order: 'message-only' }).acked
    await cloud.until(() => team.transcript(place.channel).length > 4, 'answers to commands')
  }
  const gone = (id: string, type = 'app_uninstalled', eventId = `Ev-${id}-${type}`) =>
    cloud.teams
      .get(id)
      ?.sendEvent(type === 'tokens_revoked' ? { type, tokens: { bot: ['U0BOT'] } } : { type }, { eventId })
  return { ...many, platform, bridge, people, live, gone, sees }
}

describe('a workspace that removes Footbridge', () => {
  it('leaves no byte in the store and no collection; the other one keeps all', async () => {
    const { cloud, store, folder, platform, live, gone, sees, people } = await withTwo()
    await live('TGONE')
    await live('TSTAYS')
    expect(bytesOf(folder)).toContain('TGONE')
    expect(platform.script.collections()).toHaveLength(2)
    cloud.oauth.revoke('TGONE')
    gone('TGONE')
    gone('TGONE', 'tokens_revoked')
    await eventually(async () => (await store.channels.ofWorkspace('slack', 'TGONE')).length === 0)
    // The rows go first, then what the log of the database still has of them.
    await eventually(async () => !bytesOf(folder).includes('TGONE')).catch(() => {})
    const left = bytesOf(folder)
    expect(left.match(/.{0,60}TGONE.{0,60}/g)).toBeNull()
    expect(left).toContain('TSTAYS')
    expect(platform.script.collections()).toHaveLength(1)
    const { channel, user } = people.get('TSTAYS') ?? { channel: '', user: '' }
    cloud.teams.get('TSTAYS')?.say({ channel, user, text: 'files', mention: true, order: 'message-only' })
    await sees('TSTAYS', /mole-TSTAYS/)
    expect(cloud.crossings).toEqual([])
  })

  it('and is installed again before the platform could delete its files keeps what it has', async () => {
    const { cloud, store, platform, live, gone, install, sees, people } = await withTwo()
    await live('TGONE')
    const away = new AbortController()
    const remove = platform.collections.delete.bind(platform.collections)
    const tries: string[] = []
    platform.collections.delete = async (collection, options) => {
      tries.push(collection)
      if (!away.signal.aborted) throw platformFailure('unreachable')
      return remove(collection, options)
    }
    cloud.oauth.revoke('TGONE')
    gone('TGONE')
    await eventually(() => tries.length > 0)
    await install('TGONE')
    away.abort()
    await eventually(async () => (await store.inbox.depth()).waiting + (await store.inbox.depth()).running === 0)
    expect([platform.script.collections().length, tries.length]).toEqual([1, 1])
    const { channel, user } = people.get('TGONE') ?? { channel: '', user: '' }
    cloud.teams.get('TGONE')?.say({ channel, user, text: 'files', mention: true, order: 'message-only' })
    await sees('TGONE', /mole-TGONE/)
  })

  it('is not forgotten for an old event, a person’s token, or while Slack can’t be asked', async () => {
    const { cloud, store, live, gone } = await withTwo()
    await live('TGONE')
    const installed = async () => (await store.state('slack-installation', [SECRET]).keys()).includes('TGONE')
    gone('TGONE')
    cloud.teams.get('TGONE')?.sendEvent({ type: 'tokens_revoked', tokens: { oauth: ['U1'], bot: [] } })
    await cloud.until(() => cloud.teams.get('TGONE')?.calls.some(({ method }) => method === 'auth.test'), 'the check')
    expect([await installed(), cloud.refused]).toEqual([true, []])
    cloud.oauth.revoke('TGONE')
    cloud.outage = true
    const lost = gone('TGONE', 'app_uninstalled', 'Ev-lost')
    await lost?.acked
    cloud.outage = false
    expect(await installed()).toBe(true)
    expect(cloud.refused.map(({ payload }) => payload['event_id'])).toContain('Ev-lost')
    cloud.teams.get('TGONE')?.sendEvent({ type: 'app_uninstalled' }, { eventId: 'Ev-again' })
    await eventually(async () => !(await installed()))
  })

  it('and that only the list of team_access_revoked names, is forgotten; its organization stays', async () => {
    const { cloud, adapter, install, inbounds, receive, store } = await setMany()
    await adapter.start(receive)
    for (const id of ['E1', 'TGONE', 'TSTAYS']) await install(id)
    cloud.oauth.revoke('TGONE')
    const event = { type: 'team_access_revoked', team_ids: ['TGONE', 'TSTAYS'] }
    await cloud.teams.get('E1')?.sendEvent(event, { eventId: 'Ev-left' }).acked
    expect(inbounds).toMatchObject([{ kind: 'workspace-gone', workspace: 'TGONE' }])
    expect(await store.state('slack-installation', [SECRET]).keys()).toEqual(['E1', 'TSTAYS'])
  })

  it('is not forgotten for an old event when its token has expired, but when no new one is given', async () => {
    const { cloud, store, adapter, install, advance, inbounds, receive } = await setMany()
    cloud.oauth.rotates = true
    await adapter.start(receive)
    await install('TGONE')
    const send = async (eventId: string) => {
      advance(13 * 3600_000)
      await cloud.teams.get('TGONE')?.sendEvent({ type: 'app_uninstalled' }, { eventId }).acked
      return [inbounds.map(({ kind }) => kind), await store.state('slack-installation', [SECRET]).keys()]
    }
    expect(await send('Ev-old')).toEqual([[], ['TGONE']])
    cloud.oauth.revoke('TGONE')
    expect(await send('Ev-new')).toEqual([['workspace-gone'], []])
  })

  it('is forgotten at the next start where the process died between the event and its end', async () => {
    const { cloud, store, adapter, make, install, inbounds, receive } = await setMany()
    await adapter.start(receive)
    for (const id of ['TGONE', 'TSTAYS']) await install(id)
    await adapter.stop()
    const state = store.state('slack-installation', [SECRET])
    const dying = make({ installations: { ...state, delete: () => Promise.reject(new Error('killed')) } })
    await dying.start(receive)
    cloud.oauth.revoke('TGONE')
    await cloud.teams.get('TGONE')?.sendEvent({ type: 'app_uninstalled' }, { eventId: 'Ev-gone' }).acked
    expect([inbounds.length, await state.keys()]).toEqual([1, ['TGONE', 'TSTAYS']])
    await dying.stop()
    await make().start(receive)
    expect(await state.keys()).toEqual(['TSTAYS'])
    expect(inbounds).toEqual([inbounds[0], inbounds[0]])
  })
})
