import { expect, it } from 'vitest'
import { installationsOf } from '#adapters/slack/workspaces/event-source.ts'
import { setMany } from './many.ts'

it.each([
  [
    'an event: the installation that may see it, not the team of the writer',
    { team_id: 'T2', authorizations: [{ team_id: 'T1', enterprise_id: null }] },
    ['T1'],
  ],
  [
    'an event of an organization',
    { team_id: 'T7', enterprise_id: 'E1', authorizations: [{ team_id: 'T7', enterprise_id: 'E1' }] },
    ['T7', 'E1'],
  ],
  [
    'a button: the app that sent the message, then the team of the person',
    { team: { id: 'T2' }, message: { bot_id: 'B1', team: 'T1' } },
    ['T1', 'T2'],
  ],
  ['a button under a message of a person', { team: { id: 'T2' }, message: { team: 'T1' } }, ['T2']],
  ['a dialog: the app that opened it', { team: { id: 'T2' }, view: { app_installed_team_id: 'T1' } }, ['T1', 'T2']],
  ['a command', { team_id: 'T1', enterprise_id: 'E1' }, ['E1', 'T1', 'E1', 'E1']],
  ['nothing', {}, []],
])('%s', (_, body, ids) => {
  const found = installationsOf(body)
    .flatMap(({ team, enterprise }) => [team, enterprise])
    .filter(Boolean)
  expect(new Set(found)).toEqual(new Set(ids))
})

it('an organization that installs Footbridge is one workspace; a workspace of its own goes first', async () => {
  const { cloud, adapter, install, receive, inbounds } = await setMany()
  await adapter.start(receive)
  expect(await (await install('E1')).text()).toContain('Footbridge is in Organization E1')
  const team = cloud.teams.get('E1')
  const channel = team?.workspace.addChannel({ name: 'ferry' }).id ?? ''
  const user = team?.workspace.addUser({ name: 'Ada', admin: true }).id ?? ''
  await team?.say({ channel, user, text: 'how long?', mention: true, order: 'message-only' }).acked
  const conversation = { adapter: 'slack', workspace: 'E1', channel, direct: false }
  expect(inbounds).toMatchObject([{ message: { text: 'how long?', conversation: { workspace: 'E1' } } }])
  await adapter.post(conversation, { sendId: 's1', kind: 'answer', text: 'Forty metres.' })
  expect(team?.transcript(channel).at(-1)?.text).toBe('Forty metres.')
  expect(await adapter.people?.kindOf(conversation, user)).toBe('member')
  expect(await adapter.isAdmin({ ...conversation, channel: '' }, user)).toBe(true)
  expect(await adapter.isMember(conversation, user)).toBe(true)
  expect((await adapter.app?.channelsOf('E1', user))?.map(({ name }) => name)).toEqual(['ferry'])
  await install('T0ORG')
  await team?.say({ channel, user, text: 'and now?', mention: true, order: 'message-only' }).acked
  expect(inbounds.at(-1)).toMatchObject({ message: { conversation: { workspace: 'T0ORG' } } })
  expect(cloud.crossings).toEqual([])
})
