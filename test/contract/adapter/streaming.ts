import { expect } from 'vitest'
import type { AnswerStream } from '#bridge/port/adapter.ts'
import type { ConversationRef, Outgoing } from '#bridge/port/message.ts'
import { WORDS, plain, send, when, type Subject } from './subject.ts'

async function openStream(subject: Subject, conversation: ConversationRef, first: Outgoing): Promise<AnswerStream> {
  const { author } = await subject.receiver.message(await subject.harness.mention('go on'))
  const stream = await subject.harness.adapter.stream?.(conversation, first, author)
  if (stream === undefined) throw new Error('The adapter does not stream.')
  return stream
}

/** Answers that grow. */
export function streamingTests(subject: Subject): void {
  const streams = subject.has('stream')

  when(streams)('a streamed answer ends up whole, once, with its references', async () => {
    const { conversation } = await subject.talk()
    const first = send('word0')
    const stream = await openStream(subject, conversation, first)
    expect(await subject.texts(conversation)).toEqual([expect.stringContaining('word0')])
    for (const word of WORDS.split(' ').slice(1)) await stream.append(` ${word}`)
    const references = [{ number: 1, file: 'handbook.pdf', place: 'p.3', passage: 'It takes 47 minutes.' }]
    await stream.finish({ ...first, text: WORDS, references })
    const visible = await subject.harness.visible(conversation)
    expect(visible.map((each) => each.id)).toEqual([stream.ref.id])
    const shown = plain(visible[0]?.text ?? '')
    expect(shown.split(WORDS)).toHaveLength(2)
    expect(shown).toContain('handbook.pdf')
  })

  when(streams)('a streamed answer notifies nobody, also where a delta ends inside a mention', async () => {
    const { conversation } = await subject.talk()
    const first = send('as written:')
    const stream = await openStream(subject, conversation, first)
    for (const mention of subject.harness.massMentions) {
      await stream.append(` ${mention.slice(0, 2)}`)
      await stream.append(mention.slice(2))
    }
    const text = ['as written:', ...subject.harness.massMentions].join(' ')
    await stream.finish({ ...first, text })
    const visible = await subject.harness.visible(conversation)
    expect(visible).toHaveLength(1)
    expect(visible.flatMap((each) => each.notifies)).toEqual([])
  })
}
