import { describe, expect, it, onTestFinished } from 'vitest'
import { NO_CURSORS } from '#adapters/slack/inbound/catch-up.ts'
import type { ManyOptions } from '#adapters/slack/workspaces/many-workspaces.ts'
import { createBridge } from '#bridge/bridge.ts'
import { memoryCursors } from '#test/adapters/discord/harness.ts'
import { shareChannel } from '#test/doubles/slack/connect.ts'
import { eventually } from '#test/support/eventually.ts'
import { createFakePlatform } from '#test/support/fakes/platform.ts'
import { PATIENCE_MS } from '#test/support/patience.ts'
import { setMany } from './many.ts'

/**
 * Two companies with Footbridge, each with somebody in a channel that they share. No marks: another process takes what is
 * told from now on, and reads nothing that the first one has taken a second time.
 */
async function withCompanies(cursorsOf?: ManyOptions['cursorsOf']) {
  const many = await setMany({ cursorsOf: cursorsOf ?? (() => NO_CURSORS) })
  const [ours, theirs] = [many.cloud.addTeam('TOURS', 'U0OURBOT'), many.cloud.addTeam('TTHEIRS', 'U0THEIRBOT')]
  await many.adapter.start(many.receive)
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
    await channel.say({ user: bob, text: '<@U0THEIRBOT> <@U0OURBOT> both?', named: [ours] })
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

  it('what somebody of a third company says to nobody is always for the same one, until it leaves', async () => {
    const { cloud, make, receive, ours, theirs, channel, inbounds, taken } = await withCompanies()
    const cy = channel.join(cloud.addTeam('TTHIRD', 'U0THIRDBOT'), 'UCY')
    const restart = async () => {
      const again = make()
      await again.start(receive)
      cloud.deliverTo(again)
    }
    await channel.say({ user: cy, text: 'good morning', named: [theirs, ours] })
    await channel.say({ user: cy, files: [ours.hostFile('x', 'x.md', 'text/markdown')], named: [ours] })
    await restart()
    await channel.say({ user: cy, text: 'the plan is above', named: [ours] })
    expect(taken()).toEqual(Array.from({ length: 4 }, () => ['TTHEIRS', false]))
    inbounds.length = 0
    theirs.workspace.channel(channel.id).joined = false
    await restart()
    await channel.say({ user: cy, text: 'good night', named: [ours] })
    theirs.workspace.channel(channel.id).joined = true
    await restart()
    await channel.say({ user: cy, text: 'good morning again', named: [theirs] })
    expect(taken()).toEqual([
      ['TOURS', false],
      ['TOURS', false],
    ])
  })

  it('a thread goes on with the installation that its first message mentions, after a restart too', async () => {
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
    await channel.say({ user: ada, text: 'how wide is yours?', thread, named: [ours] })
    expect(taken()).toEqual([
      ['TOURS', true],
      ['TTHEIRS', false],
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

  it('a thread whose first message mentions none goes on with the company of the person, in each process', async () => {
    const { cloud, adapter, make, receive, ours, channel, ada, taken } = await withCompanies()
    const other = make()
    await other.start(receive)
    const sayAt = (door: typeof adapter, text: string, thread?: string) => {
      cloud.deliverTo(door)
      return channel.say({ user: ada, text, thread, named: [ours] })
    }
    const thread = await sayAt(adapter, 'who knows how long it is?')
    await sayAt(other, 'no idea', thread)
    await sayAt(adapter, '<@U0THEIRBOT> do you?', thread)
    await sayAt(adapter, 'and how wide?', thread)
    await sayAt(other, 'and how deep?', thread)
    expect(taken().map(([workspace]) => workspace)).toEqual(['TOURS', 'TOURS', 'TTHEIRS', 'TOURS', 'TOURS'])
  })

  it('a bot that was installed in another process is known here', async () => {
    const { cloud, adapter, make, receive, install, channel, ours, ada, taken } = await withCompanies()
    const other = make()
    await other.start(receive)
    const late = cloud.addTeam('TLATE', 'U0LATEBOT')
    await install('TLATE', adapter)
    late.workspace.addChannel({ id: channel.id, name: 'bridge' }).shared = true
    cloud.deliverTo(other)
    await channel.say({ user: ada, text: '<@U0LATEBOT> how long?', named: [ours] })
    expect(taken()).toEqual([['TLATE', true]])
  })

  it('of two that are mentioned the first takes it, whoever says it and whichever Slack names', async () => {
    const { ours, theirs, channel, ada, inbounds, taken } = await withCompanies()
    for (const { workspace } of [ours, theirs]) workspace.addUser({ id: 'UCY', name: 'Cy', teamId: 'TTHIRD' })
    const text = '<@U0THEIRBOT> <@U0OURBOT> how long?'
    await channel.say({ user: 'UCY', text, named: [ours, theirs] })
    const files = [ours.hostFile('x', 'x.md', 'text/markdown')]
    await channel.say({ user: ada, text, files, named: [ours, theirs] })
    expect(new Set(taken().map(([workspace]) => workspace))).toEqual(new Set(['TTHEIRS']))
    expect(inbounds).toHaveLength(4)
    expect(new Set(inbounds.map(({ key }) => key)).size).toBe(2)
  })

  it('the deletion of the first message of a thread goes where the message went', async () => {
    const { ours, theirs, channel, ada, inbounds, taken } = await withCompanies()
    const ts = await channel.say({ user: ada, text: 'how long?', named: [ours] })
    await channel.say({ user: ada, text: 'anybody?', thread: ts, named: [ours] })
    inbounds.length = 0
    await ours.deleteMessage(channel.id, ts).acked
    await theirs.deleteMessage(channel.id, ts).acked
    expect(taken()).toEqual([
      ['TOURS', 'delete'],
      ['TOURS', 'delete'],
    ])
  })

  it('a revoked token, or a Slack that does not answer, leaves the event to the one that it names, or to the next try', async () => {
    const { cloud, ours, theirs, channel, ada, taken } = await withCompanies()
    theirs.faults.script('conversations.info', { error: 'token_revoked' })
    await channel.say({ user: ada, text: '<@U0THEIRBOT> how long?', named: [ours] })
    expect([taken(), cloud.refused]).toEqual([[['TOURS', false]], []])
    const silence = Promise.withResolvers<void>()
    onTestFinished(() => silence.resolve())
    ours.faults.script('conversations.info', { status: 429, retryAfter: 30 }, { until: silence.promise })
    for (const text of ['<@U0OURBOT> how wide?', '<@U0OURBOT> how deep?'])
      await channel.say({ user: ada, text, named: [theirs] })
    expect([taken().length, cloud.refused.length]).toEqual([1, 2])
  })

  it('replies whose thread is looked up keep their order, ask once, and do not wait for long', async () => {
    const { cloud, make, receive, ours, channel, ada, inbounds } = await withCompanies()
    const thread = await channel.say({ user: ada, text: 'who knows?', named: [] })
    const late = make()
    await late.start(receive)
    cloud.deliverTo(late)
    const look = Promise.withResolvers<void>()
    ours.faults.script('conversations.replies', { until: look.promise })
    const said = ['first', 'second'].map((text) => channel.say({ user: ada, text, thread, named: [ours] }))
    said.push(channel.say({ user: ada, text: 'third', named: [ours] }))
    await Promise.all(said)
    look.resolve()
    const texts = inbounds.map((one) => one.kind === 'message' && one.message.text)
    expect(texts).toEqual(['first', 'second', 'third'])
    expect(ours.calls.filter(({ method }) => method === 'conversations.replies')).toHaveLength(1)
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
    const marks = new Map([
      ['TOURS', memoryCursors()],
      ['TTHEIRS', memoryCursors()],
    ])
    const companies = await withCompanies((workspace) => marks.get(workspace) ?? NO_CURSORS)
    const { cloud, adapter, make, receive, ours, theirs, channel, ada, inbounds, taken } = companies
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

async function withOrganization() {
  const many = await setMany()
  const [theirs, organization] = [many.cloud.addTeam('TTHEIRS', 'U0THEIRBOT'), many.cloud.addTeam('E0', 'U0ORGBOT')]
  await many.adapter.start(many.receive)
  for (const team of [theirs, organization]) await many.install(team.id)
  const channel = shareChannel([theirs, organization])
  const ada = channel.join(organization, 'UADA')
  const taken = () => many.inbounds.map((one) => one.kind === 'message' && one.message.conversation.workspace)
  return { ...many, theirs, organization, channel, ada, taken }
}

describe('an organization', () => {
  it('takes what people of its teams say in a channel that it shares', async () => {
    const { theirs, organization, channel, ada, taken } = await withOrganization()
    const fields = { team: 'T0ORG', user_team: 'T0ORG' }
    await channel.say({ user: ada, text: 'good morning', named: [organization, theirs], fields })
    expect(taken()).toEqual(['E0', 'E0'])
  })

  it('is asked for nothing in a channel that is its own', async () => {
    const { organization, inbounds } = await withOrganization()
    const { id } = organization.workspace.addChannel({ name: 'home' })
    const bo = organization.workspace.addUser({ name: 'Bo' }).id
    for (let index = 0; index < 3; index += 1) {
      const { ts: thread } = organization.workspace.insert({ channel: id, user: bo, text: 'x', blocks: [], files: [] })
      await organization.say({ channel: id, user: bo, text: 'y', thread, fields: { team: 'T0ORG' } }).acked
    }
    expect(inbounds).toHaveLength(3)
    expect(new Set(organization.calls.map(({ method }) => method))).toEqual(new Set(['auth.test', 'users.info']))
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
    said(ours).filter(({ text }) => text.includes('looked for the words of your question in 1 file'))
  await cloud.until(() => answers().length > 0, 'the answer')
  expect(answers()).toHaveLength(1)
  expect([said(theirs), cloud.crossings]).toEqual([[], []])
})
