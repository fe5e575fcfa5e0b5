import { describe, expect, test, vi } from 'vitest'
import type { AnswerStream } from '#bridge/port/adapter.ts'
import type { Outgoing } from '#bridge/port/message.ts'
import { PATIENCE } from '#test/support/patience.ts'
import { askedScene, outgoing } from '../scene.ts'

type Asked = Awaited<ReturnType<typeof askedScene>>

async function begin({ adapter, conversation, asker }: Asked, first: Outgoing): Promise<AnswerStream> {
  const stream = await adapter.stream?.(conversation, first, asker)
  if (stream === undefined) throw new Error('the adapter does not stream')
  return stream
}

const shownIn = ({ slack, channel }: Asked) => slack.transcript(channel).slice(1)
const errorsIn = ({ slack }: Asked) => slack.calls.flatMap((call) => (call.error === undefined ? [] : [call.error]))
const reference = (number: number, passage: string) => ({ number, file: `file-${number}.pdf`, place: 'p.3', passage })

describe('to whom', () => {
  test('an answer in a channel names the asker and the team of the workspace', async () => {
    const scene = await askedScene()
    await begin(scene, outgoing('It'))
    expect(scene.slack.callsOf('chat.startStream')[0]?.args).toMatchObject({
      recipient_user_id: scene.ada,
      recipient_team_id: scene.slack.teamId,
    })
  })

  test('a guest from a shared channel is named with the team of the guest', async () => {
    const scene = await askedScene()
    const guest = scene.slack.addUser({ name: 'Guest', teamId: 'T9GUEST' })
    const said = scene.slack.say({
      channel: scene.channel,
      user: guest.id,
      text: 'hi',
      mention: true,
      fields: { user_team: 'T9GUEST', team: scene.slack.teamId },
    })
    await said.acked
    await scene.adapter.stream?.({ ...scene.conversation, thread: said.ts }, outgoing('It'), {
      id: guest.id,
      name: 'Guest',
    })
    expect(scene.slack.callsOf('chat.startStream')[0]).toMatchObject({
      args: { recipient_team_id: 'T9GUEST' },
      status: 200,
    })
    expect(errorsIn(scene)).toEqual([])
  })

  test('after a restart the team of a guest is looked up', async () => {
    const scene = await askedScene()
    const guest = scene.slack.addUser({ name: 'Guest', teamId: 'T9GUEST' })
    await scene.adapter.stream?.(scene.conversation, outgoing('It'), { id: guest.id, name: 'Guest' })
    expect(errorsIn(scene)).toEqual([])
  })

  test('a direct message needs no recipient', async () => {
    const scene = await askedScene()
    const said = scene.slack.say({ channel: scene.direct, user: scene.ada, text: 'hi' })
    const conversation = { ...scene.conversation, channel: scene.direct, thread: said.ts, direct: true }
    await scene.adapter.stream?.(conversation, outgoing('It'), scene.asker)
    expect(scene.slack.callsOf('chat.startStream')[0]?.args).toEqual({
      channel: scene.direct,
      thread_ts: said.ts,
      markdown_text: 'It',
    })
  })
})

describe('on its way', () => {
  test('pieces arrive in order and once, also when nobody waits for them', async () => {
    const scene = await askedScene()
    const words = Array.from({ length: 40 }, (_, index) => ` w${index}`)
    const stream = await begin(scene, outgoing('It'))
    await Promise.all(words.map(async (word) => stream.append(word)))
    await stream.finish(outgoing(`It${words.join('')}`))
    expect(shownIn(scene)).toMatchObject([{ body: `It${words.join('')}`, streaming: false, edited: false }])
  })

  test('a piece that Slack takes long over is not overtaken by the next', async () => {
    const scene = await askedScene()
    const stream = await begin(scene, outgoing('It'))
    scene.slack.script('chat.appendStream', { delayMs: 150 })
    await Promise.all([stream.append(' takes'), stream.append(' 47')])
    await stream.append(' minutes.')
    await stream.finish(outgoing('It takes 47 minutes.'))
    expect(shownIn(scene)).toMatchObject([{ body: 'It takes 47 minutes.', edited: false }])
  })

  test('pieces that come faster than Slack takes them go out together, without the next being waited for', async () => {
    const scene = await askedScene({ appendIntervalMs: 60 })
    const stream = await begin(scene, outgoing('It'))
    for (const word of [' takes', ' 47', ' minutes']) await stream.append(word)
    await scene.slack.until(() => scene.slack.callsOf('chat.appendStream').length === 1, 'the pieces together')
    expect(scene.slack.callsOf('chat.appendStream')[0]?.args['markdown_text']).toBe(' takes 47 minutes')
  })

  test('an append waits for its turn over all processes, with all that came meanwhile; the end does not', async () => {
    const asked: string[] = []
    const turn = Promise.withResolvers<void>()
    const pacer = (name: string) => () => {
      asked.push(name)
      return asked.length === 1 ? turn.promise : new Promise<void>(() => undefined)
    }
    const scene = await askedScene({ pacer })
    const stream = await begin(scene, outgoing('It'))
    const first = stream.append(' takes')
    const second = stream.append(' 47')
    expect(scene.slack.callsOf('chat.appendStream')).toEqual([])
    turn.resolve()
    await first
    await second
    void stream.append(' minutes.')
    await stream.finish(outgoing('It takes 47 minutes.'))
    expect(scene.slack.callsOf('chat.appendStream').map(({ args }) => args['markdown_text'])).toEqual([' takes 47'])
    expect(asked[0]).toBe(`slack append ${scene.slack.teamId}`)
    expect(shownIn(scene)).toMatchObject([{ body: 'It takes 47 minutes.', streaming: false }])
  })

  test('what was not sent yet goes out with the end', async () => {
    const scene = await askedScene({ appendIntervalMs: 60_000 })
    const stream = await begin(scene, outgoing('It'))
    await stream.append(' takes')
    await stream.append(' 47 minutes.')
    await stream.finish(outgoing('It takes 47 minutes.'))
    expect(scene.slack.callsOf('chat.appendStream')).toEqual([])
    expect(shownIn(scene)).toMatchObject([{ body: 'It takes 47 minutes.', streaming: false }])
  })

  test('a rate limit holds the pieces back and loses none', async () => {
    const scene = await askedScene()
    const stream = await begin(scene, outgoing('It'))
    scene.slack.script('chat.appendStream', { status: 429, retryAfter: 1 })
    await stream.append(' takes')
    await stream.append(' 47 minutes.')
    await stream.finish(outgoing('It takes 47 minutes.'))
    expect(shownIn(scene)[0]?.body).toBe('It takes 47 minutes.')
  })

  test('a mention cut in two calls nobody', async () => {
    const scene = await askedScene()
    const stream = await begin(scene, outgoing('see <'))
    for (const piece of ['!chan', 'nel> and <', `@${scene.ada}`, '> and @he', 're']) await stream.append(piece)
    await stream.finish(outgoing(`see <!channel> and <@${scene.ada}> and @here`))
    expect(shownIn(scene)[0]).toMatchObject({ notifies: [], edited: false })
    expect(shownIn(scene)[0]?.body.replaceAll('\u2060', '')).toBe(`see <!channel> and <@${scene.ada}> and @here`)
  })

  test('a message takes text up to the limit and refuses more before Slack would', async () => {
    const scene = await askedScene()
    const { textLength = 0 } = scene.adapter.limits.stream ?? {}
    const stream = await begin(scene, outgoing('漢'.repeat(1_000)))
    await stream.append('é'.repeat((textLength - 3_000) / 2))
    await expect(stream.append('x')).rejects.toMatchObject({ code: 'too-long' })
    expect(errorsIn(scene)).toEqual([])
  })
})

describe('the end', () => {
  test('a full message keeps all its reference lines and as much of the passages as there is room', async () => {
    const scene = await askedScene()
    const text = 'a'.repeat(scene.adapter.limits.stream?.textLength ?? 0)
    const stream = await begin(scene, outgoing(text))
    const references = Array.from({ length: 12 }, (_, index) => reference(index + 1, 'passage '.repeat(200)))
    await stream.finish(outgoing(text, { references }))
    expect(shownIn(scene)[0]?.lines).toHaveLength(12)
    expect(errorsIn(scene)).toEqual([])
  })

  test('a short message keeps its passages whole', async () => {
    const scene = await askedScene()
    const stream = await begin(scene, outgoing('short'))
    const references = Array.from({ length: 5 }, (_, index) => reference(index + 1, `${'passage '.repeat(190)}end`))
    await stream.finish(outgoing('short', { references }))
    expect(shownIn(scene)[0]?.folded.every((passage) => passage.endsWith('end'))).toBe(true)
  })

  test('more reference lines than fit under a stream are put there by an edit', async () => {
    const scene = await askedScene()
    const text = 'a'.repeat(scene.adapter.limits.stream?.textLength ?? 0)
    const stream = await begin(scene, outgoing(text))
    const references = Array.from({ length: 12 }, (_, index) => ({
      ...reference(index + 1, 'passage'),
      file: `${'long'.repeat(40)}-${index}.pdf`,
    }))
    await stream.finish(outgoing(text, { references }))
    expect(shownIn(scene)[0]?.lines).toHaveLength(12)
    expect(errorsIn(scene)).toEqual([])
  })

  test('a text changed on its way stands there as it is to be', async () => {
    const scene = await askedScene()
    const stream = await begin(scene, outgoing('It takes 48'))
    await stream.finish(outgoing('It takes 47 minutes.', { references: [reference(1, 'passage')] }))
    expect(shownIn(scene)).toMatchObject([
      { body: 'It takes 47 minutes.', streaming: false, lines: ['[1] file-1.pdf · p.3'] },
    ])
  })
})

describe('a stream that Slack ended', () => {
  test('takes no more text, and the whole answer can be put in its place', async () => {
    const scene = await askedScene()
    const stream = await begin(scene, outgoing('It'))
    scene.slack.script('chat.appendStream', { error: 'message_not_in_streaming_state' })
    await expect(stream.append(' takes')).rejects.toMatchObject({ code: 'stream-closed' })
    await scene.adapter.edit?.(stream.ref, outgoing('It takes 47 minutes.'))
    expect(shownIn(scene)).toMatchObject([{ ts: stream.ref.id, body: 'It takes 47 minutes.' }])
  })

  test('by its age is told so', async () => {
    const scene = await askedScene({}, { streamLifetimeMs: 0 })
    const stream = await begin(scene, outgoing('It'))
    await expect(stream.append(' takes')).rejects.toMatchObject({ code: 'stream-closed' })
  })

  test('before its end still shows the whole answer with references', async () => {
    const scene = await askedScene()
    const stream = await begin(scene, outgoing('It'))
    scene.slack.setStreamLifetime(0)
    await stream.finish(outgoing('It takes 47 minutes.', { references: [reference(1, 'passage')] }))
    expect(shownIn(scene)).toMatchObject([{ body: 'It takes 47 minutes.', lines: ['[1] file-1.pdf · p.3'] }])
  })

  test.each([{ drop: 'after' }, { drop: 'before' }, { hang: true }, { error: 'msg_too_long' }] as const)(
    'an end that met %j leaves one whole answer',
    async (fault) => {
      const scene = await askedScene({ timeoutMs: 1500 })
      const stream = await begin(scene, outgoing('It'))
      scene.slack.script('chat.stopStream', fault)
      await stream.finish(outgoing('It takes 47 minutes.', { references: [reference(1, 'passage')] }))
      expect(shownIn(scene)).toMatchObject([
        { body: 'It takes 47 minutes.', lines: ['[1] file-1.pdf · p.3'], streaming: false },
      ])
    },
  )

  test.each([{ drop: 'after' }, { hang: true }, { status: 500, body: '' }, { error: 'msg_too_long' }] as const)(
    'a piece that met %j leads to the way on of a closed stream',
    async (fault) => {
      const scene = await askedScene({ timeoutMs: 1500 })
      const stream = await begin(scene, outgoing('It'))
      scene.slack.script('chat.appendStream', fault)
      await expect(stream.append(' takes')).rejects.toMatchObject({ code: 'stream-closed' })
      await scene.adapter.edit?.(stream.ref, outgoing('It takes 47 minutes.'))
      expect(shownIn(scene)).toMatchObject([{ body: 'It takes 47 minutes.', streaming: false }])
    },
  )

  test('by a lost piece is whole all the same when the answer ends there', async () => {
    const scene = await askedScene()
    const stream = await begin(scene, outgoing('It'))
    scene.slack.script('chat.appendStream', { drop: 'before' })
    await expect(stream.append(' takes')).rejects.toMatchObject({ code: 'stream-closed' })
    await stream.finish(outgoing('It takes 47 minutes.'))
    expect(shownIn(scene)).toMatchObject([{ body: 'It takes 47 minutes.', streaming: false }])
  })

  test('by the reader takes no more text, and what is said about it stands in its place', async () => {
    const scene = await askedScene()
    const stream = await begin(scene, outgoing('It'))
    scene.slack.pressStop({ channel: scene.channel, thread: scene.said.ts, user: scene.ada })
    await expect(stream.append(' takes')).rejects.toMatchObject({ code: 'stream-closed' })
    await stream.finish(outgoing('It (stopped)'))
    expect(shownIn(scene)).toMatchObject([{ body: 'It (stopped)' }])
  })

  test('while pieces waited is told by the next piece', async () => {
    const scene = await askedScene({ appendIntervalMs: 20 })
    const stream = await begin(scene, outgoing('It'))
    scene.slack.setStreamLifetime(0)
    await stream.append(' takes')
    await scene.slack.until(() => scene.slack.callsOf('chat.appendStream').some((call) => call.error !== undefined))
    await vi.waitFor(
      async () => expect(stream.append(' 47')).rejects.toMatchObject({ code: 'stream-closed' }),
      PATIENCE,
    )
  })
})

test('a stream whose start was lost is ambiguous and is found', async () => {
  const scene = await askedScene()
  const first = outgoing('It')
  scene.slack.script('chat.startStream', { drop: 'after' })
  await expect(begin(scene, first)).rejects.toMatchObject({ code: 'ambiguous' })
  const found = await scene.adapter.find(scene.conversation, { sendId: first.sendId, after: scene.said.ts, known: [] })
  expect(found?.id).toBe(shownIn(scene)[0]?.ts)
})
