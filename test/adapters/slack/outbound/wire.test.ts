import { expect, test } from 'vitest'
import { askedScene, outgoing } from '../scene.ts'

const passage = 'The ferry takes 47 minutes from pier to pier.'

test('a full answer goes out as status, start, appends and stop with its references', async () => {
  const { adapter, slack, conversation, asker, said, ada } = await askedScene()
  const working = new AbortController()
  await adapter.status(conversation, 'is looking it up…', working.signal)
  expect(slack.session(conversation.channel, said.ts)?.status).toBe('processing')

  const first = outgoing('It takes')
  const stream = await adapter.stream?.(conversation, first, asker)
  await stream?.append(' **47')
  await stream?.append(' minutes** [1].')
  await stream?.finish({
    ...first,
    text: 'It takes **47 minutes** [1].',
    references: [{ number: 1, file: 'handbook.pdf', place: 'p.3', passage }],
    actions: [{ id: 'helpful', label: 'Helpful', value: 'job-1' }],
  })
  working.abort()

  expect(slack.calls.map((call) => call.method).filter((method) => /^(?:chat|assistant|agents)/.test(method))).toEqual([
    'agents.sessions.setStatus',
    'chat.startStream',
    'chat.appendStream',
    'chat.appendStream',
    'chat.stopStream',
  ])
  expect(slack.calls.filter((call) => call.error !== undefined)).toEqual([])
  expect(slack.callsOf('chat.startStream')[0]?.args).toEqual({
    channel: conversation.channel,
    thread_ts: said.ts,
    recipient_team_id: slack.teamId,
    recipient_user_id: ada,
    markdown_text: 'It takes',
  })
  const shown = slack.transcript(conversation.channel)
  expect(shown).toHaveLength(2)
  expect(shown[1]).toMatchObject({
    own: true,
    streaming: false,
    body: 'It takes **47 minutes** [1].',
    lines: ['[1] handbook.pdf · p.3'],
    folded: [`[1] handbook.pdf · p.3${passage}`],
    buttons: [{ label: 'Helpful', value: 'job-1' }],
  })
  expect(slack.session(conversation.channel, said.ts)?.status).toBe('active')
})
