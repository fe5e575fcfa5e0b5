import { describe, expect, it, onTestFinished } from 'vitest'
import { createBridge } from '../../../../src/bridge/bridge.ts'
import type { Inbound } from '../../../../src/bridge/port/message.ts'
import { shareChannel } from '../../../doubles/slack/connect.ts'
import { eventually } from '../../../support/eventually.ts'
import { createFakePlatform } from '../../../support/fakes/platform.ts'
import { PATIENCE_MS } from '../../../support/patience.ts'
import { setMany } from './many.ts'

/** Two companies with Footbridge, each with somebody in a channel that they share. */
async function withCompanies(receive?: (inbound: Inbound) => Promise<void>) {
  const many = await setMany()
  const [ours, theirs] = [many.cloud.addTeam('TOURS', 'U0OURBOT'), many.cloud.addTeam('TTHEIRS', 'U0THEIRBOT')]
  await many.adapter.start(receive ?? many.receive)
  for (const team of [ours, theirs]) await many.install(team.id)
  const channel = shareChannel([ours, theirs])
  const [ada, bob] = [channel.join(ours, 'UADA'), channel.join(theirs, 'UBOB')]
  const taken = () =>
    many.inbounds.map((one) => {
      if (one.kind === 'message' || one.kind === 'edit')
        return [one.message.conversation.workspace, one.message.addressed] as const
      return 'conversation' in one ? ([one.conversation.workspace, one.kind] as const) : one.kind
    })
  return { ...many, ours, theirs, channel, ada, bob, taken }
}

describe('in a channel of two companies that both have Footbridge', () => {
  it('the installation that is mentioned takes a message, whichever Slack names, and however often', async () => {
    const { ours, theirs, channel, ada, bob, inbounds, taken } = await withCompanies()
    await channel.say({ user: ada, text: '<@U0OURBOT> how long?', named: [theirs], mentions: true })
    await channel.say({ user: ada, text: '<@U0OURBOT> how wide?', named: [ours, theirs], mentions: true })
    await channel.say({ user: bob, text: '<@U0OURBOT> how deep?', named: [theirs] })
    expect(new Set(taken().map(String))).toEqual(new Set(['TOURS,true']))
    expect(new Set(inbounds.map(({ key }) => key)).size).toBe(3)
    inbounds.length = 0
    await channel.say({ user: ada, text: '<@U0THEIRBOT> and yours?', named: [ours] })
    await channel.say({ user: bob, text: '<@U0OURBOT> <@U0THEIRBOT> both?', named: [ours] })
    expect(taken()).toEqual([
      ['TTHEIRS', true],
      ['TTHEIRS', true],
    ])
  })

  it('what mentions none is for the company of the person: files, remarks, marks, links', async () => {
    const { ours, theirs, channel, ada, bob, inbounds, taken } = await withCompanies()
    const files = [theirs.hostFile('x', 'x.md', 'text/markdown')]
    const ts = await channel.say({ user: bob, files, named: [ours] })
    await channel.say({ user: bob, text: 'good morning', named: [ours, theirs], fields: { user_team: 'TTHEIRS' } })
    const item = { type: 'message', channel: channel.id, ts }
    const mark = { type: 'reaction_added', reaction: 'pushpin', item, event_ts: '1.1' }
    await ours.sendEvent({ ...mark, user: bob, channel: channel.id }).acked
    expect(taken()).toEqual([
      ['TTHEIRS', false],
      ['TTHEIRS', false],
      ['TTHEIRS', false],
      ['TTHEIRS', 'pin'],
    ])
    inbounds.length = 0
    await theirs.sendEvent({ ...mark, user: ada, channel: channel.id }).acked
    expect(taken()).toEqual([['TOURS', 'pin']])
  })

  it('a thread goes on with the installation that was called into it, after a restart too', async () => {
    const { cloud, make, receive, ours, theirs, channel, ada, inbounds, taken } = await withCompanies()
    const thread = await channel.say({ user: ada, text: '<@U0THEIRBOT> how long?', named: [ours] })
    await channel.say({ user: ada, text: 'and how wide?', thread, named: [ours] })
    const again = make()
    await again.start(receive)
    cloud.deliverTo(again)
    await channel.say({ user: ada, text: 'and how deep?', thread, named: [ours] })
    expect(taken()).toEqual([
      ['TTHEIRS', true],
      ['TTHEIRS', false],
      ['TTHEIRS', false],
    ])
    inbounds.length = 0
    await channel.say({ user: ada, text: '<@U0OURBOT> and ours?', thread, named: [theirs] })
    await channel.say({ user: ada, text: 'how wide is ours?', thread, named: [theirs] })
    expect(taken()).toEqual([
      ['TOURS', true],
      ['TOURS', false],
    ])
  })

  it('a thread under a message of one of them is for that one', async () => {
    const { ours, theirs, channel, ada, adapter, taken } = await withCompanies()
    const at = { adapter: 'slack', workspace: 'TTHEIRS', channel: channel.id, direct: false }
    const { id: thread } = await adapter.post(at, { sendId: 's1', kind: 'answer', text: 'Forty metres.' })
    await channel.say({
      user: ada,
      text: 'and how deep?',
      thread,
      named: [ours],
      fields: { parent_user_id: 'U0THEIRBOT' },
    })
    await channel.say({ user: ada, text: 'and how wide?', thread, named: [theirs] })
    expect(taken()).toEqual([
      ['TTHEIRS', false],
      ['TTHEIRS', false],
    ])
  })

  it('an installation that is not in the channel, or is removed, takes nothing; while Slack can’t be asked, it waits', async () => {
    const { cloud, ours, theirs, channel, ada, inbounds, taken } = await withCompanies()
    ours.workspace.channel(channel.id).joined = false
    await channel.say({ user: ada, text: 'to nobody', named: [theirs] })
    expect(taken()).toEqual([['TTHEIRS', false]])
    inbounds.length = 0
    theirs.workspace.channel(channel.id).joined = false
    theirs.faults.script('conversations.info', ...Array.from({ length: 3 }, () => ({ status: 503 })))
    await channel.say({ user: ada, text: '<@U0THEIRBOT> how long?', named: [ours] })
    expect([taken(), cloud.refused.length]).toEqual([[], 1])
  })

  it('an edit and a deletion go where the message went', async () => {
    const { ours, theirs, channel, ada, inbounds, taken } = await withCompanies()
    const ts = await channel.say({ user: ada, text: '<@U0THEIRBOT> how long?', named: [ours] })
    inbounds.length = 0
    const before = { user: ada, ts, text: '<@U0THEIRBOT> how long?', team: 'TOURS' }
    const change = { type: 'message', channel: channel.id, hidden: true, previous_message: before }
    const message = { ...before, text: 'how long?', edited: { user: ada, ts: '9.1' } }
    await ours.sendEvent({ ...change, subtype: 'message_changed', message, ts: '9.1' }).acked
    await ours.sendEvent({ ...change, subtype: 'message_deleted', deleted_ts: ts, ts: '9.2' }).acked
    await theirs.sendEvent({ ...change, subtype: 'message_deleted', deleted_ts: ts, ts: '9.2' }).acked
    expect(taken()).toEqual([
      ['TTHEIRS', false],
      ['TTHEIRS', 'delete'],
      ['TTHEIRS', 'delete'],
    ])
  })

  it('what both missed is taken by one of them', async () => {
    const { cloud, adapter, make, receive, ours, theirs, channel, ada, inbounds, taken } = await withCompanies()
    await channel.say({ user: ada, text: 'first', named: [ours] })
    await channel.say({ user: 'UBOB', text: 'second', named: [theirs] })
    await adapter.stop()
    const away = { fetch: async () => new Response(undefined, { status: 503 }) }
    cloud.deliverTo(away)
    await channel.say({ user: ada, text: '<@U0THEIRBOT> how long?', named: [ours] })
    inbounds.length = 0
    await make().start(receive)
    const isRead = () =>
      [ours, theirs].every(({ calls }) => calls.some((one) => one.method === 'conversations.history'))
    await eventually(() => isRead() && inbounds.length >= 3)
    // The mark of one lies before what the other one has taken.
    const asked = taken().filter(([, addressed]) => addressed === true)
    expect(new Set(asked.map(([workspace]) => workspace))).toEqual(new Set(['TTHEIRS']))
    expect(new Set(inbounds.map(({ key }) => key)).size).toBe(2)
  })
})

it('the whole way: one answer by the asker’s company from its own files, and the other one says nothing', async () => {
  const many = await setMany()
  const { cloud, adapter, store } = many
  const bridge = createBridge({
    adapters: [adapter],
    platform: createFakePlatform(),
    store,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    indexing: { deadlineMs: PATIENCE_MS, pollMs: [2, 10] },
  })
  const [ours, theirs] = [cloud.addTeam('TOURS', 'U0OURBOT'), cloud.addTeam('TTHEIRS', 'U0THEIRBOT')]
  await bridge.start()
  onTestFinished(() => bridge.stop(0))
  for (const team of [ours, theirs]) await many.install(team.id)
  const channel = shareChannel([ours, theirs])
  const ada = channel.join(ours, 'UADA')
  const said = (team: typeof ours) => team.transcript(channel.id).filter(({ own, streaming }) => own && !streaming)
  await channel.say({
    user: ada,
    files: [ours.hostFile('The mole is 40 m.', 'mole.md', 'text/markdown')],
    named: [theirs],
  })
  await cloud.until(() => said(ours).some(({ text }) => /mole\.md.*ready/.test(text)), 'the receipt')
  await channel.say({ user: ada, text: '<@U0OURBOT> how long?', named: [theirs, ours], mentions: true })
  const answers = () =>
    said(ours).filter(({ text }) => text.includes('compared the words of your question with 1 file'))
  await cloud.until(() => answers().length > 0, 'the answer')
  expect(answers()).toHaveLength(1)
  expect([said(theirs), cloud.crossings]).toEqual([[], []])
})
