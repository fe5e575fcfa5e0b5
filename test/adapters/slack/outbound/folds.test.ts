import { expect, test } from 'vitest'
import { askedScene, outgoing } from '../scene.ts'

const references = [{ number: 1, file: 'handbook.pdf', place: 'p.3', passage: 'The ferry takes 47 minutes.' }]
const lines = ['[1] handbook.pdf · p.3']
const plain = expect.stringMatching(/^\[1\] handbook\.pdf · p\.3\n\S/)

test.each([
  { refused: ['rich_text'], folded: [plain], calls: 3 },
  { refused: ['rich_text', 'section'], folded: [], calls: 4 },
])(
  'a message has the fold that Slack takes without $refused, and the next one asks for no other',
  async ({ refused, folded, calls }) => {
    const { adapter, slack, conversation } = await askedScene()
    slack.workspace.refusedInContainers = refused
    await adapter.post(conversation, outgoing('one', { references }))
    await adapter.post(conversation, outgoing('two', { references }))
    expect(slack.transcript(conversation.channel).slice(1)).toMatchObject([
      { body: 'one', lines, folded },
      { body: 'two', lines, folded },
    ])
    expect(slack.callsOf('chat.postMessage')).toHaveLength(calls)
  },
)

test.each([
  { refused: ['rich_text'], folded: [plain] },
  { refused: ['rich_text', 'section'], folded: [] },
])('a streamed answer ends with what Slack takes without $refused', async ({ refused, folded }) => {
  const { adapter, slack, conversation, asker } = await askedScene()
  slack.workspace.refusedInContainers = refused
  const stream = await adapter.stream?.(conversation, outgoing('It'), asker)
  await stream?.finish(outgoing('It.', { references }))
  expect(slack.transcript(conversation.channel).slice(1)).toMatchObject([
    { body: 'It.', lines, folded, streaming: false },
  ])
})
