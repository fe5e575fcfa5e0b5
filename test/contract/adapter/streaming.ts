import { expect } from 'vitest'
import type { AnswerStream } from '../../../src/bridge/port/adapter.ts'
import type { ConversationRef, Outgoing } from '../../../src/bridge/port/message.ts'
import { WORDS, plain, send, when } from './desk.ts'
import type { Desk } from './desk.ts'

async function openStream(desk: Desk, conversation: ConversationRef, first: Outgoing): Promise<AnswerStream> {
  const { author } = await desk.receiver.message(await desk.harness.mention('go on'))
  const stream = await desk.harness.adapter.stream?.(conversation, first, author)
  if (stream === undefined) throw new Error('The adapter does not stream.')
  return stream
}

/** Answers that grow. */
export function streamingTests(desk: Desk): void {
  const streams = desk.has('stream')

  when(streams)('a streamed answer ends up whole, once, with its references', async () => {
    const { conversation } = await desk.talk()
    const first = send('word0')
    const stream = await openStream(desk, conversation, first)
    expect(await desk.texts(conversation)).toEqual([expect.stringContaining('word0')])
    for (const word of WORDS.split(' ').slice(1)) await stream.append(` ${word}`)
    const references = [{ number: 1, file: 'handbook.pdf', place: 'p.3', passage: 'It takes 47 minutes.' }]
    await stream.finish({ ...first, text: WORDS, references })
    const visible = await desk.harness.visible(conversation)
    expect(visible.map((each) => each.id)).toEqual([stream.ref.id])
    const shown = plain(visible[0]?.text ?? '')
    expect(shown.split(WORDS)).toHaveLength(2)
    expect(shown).toContain('handbook.pdf')
  })

  when(streams)('a streamed answer notifies nobody, also where a delta ends inside a mention', async () => {
    const { conversation } = await desk.talk()
    const first = send('as written:')
    const stream = await openStream(desk, conversation, first)
    for (const mention of desk.harness.massMentions) {
      await stream.append(` ${mention.slice(0, 2)}`)
      await stream.append(mention.slice(2))
    }
    const text = ['as written:', ...desk.harness.massMentions].join(' ')
    await stream.finish({ ...first, text })
    const visible = await desk.harness.visible(conversation)
    expect(visible).toHaveLength(1)
    expect(visible.flatMap((each) => each.notifies)).toEqual([])
  })
}
