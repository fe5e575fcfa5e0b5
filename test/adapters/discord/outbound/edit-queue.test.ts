import { expect, test } from 'vitest'
import { createEditQueue } from '#adapters/discord/outbound/edit-queue.ts'
import { open, openDouble, outgoing } from '../harness.ts'

const patch = 'PATCH /channels/:channel/messages/:message'

interface SentEdit {
  readonly at: number
  readonly message: string
  readonly text: string
}

/** An edit line whose requests are answered by hand. */
function line(paceMs = 0, windowMs = 50, turn?: () => Promise<void>) {
  const sent: SentEdit[] = []
  const answers: PromiseWithResolvers<void>[] = []
  const edits = createEditQueue({
    paceMs,
    windowMs,
    turn,
    send: (_channel, message, body) => {
      sent.push({ message, text: (body as { text: string }).text, at: Date.now() })
      const answer = Promise.withResolvers<void>()
      answers.push(answer)
      return answer.promise
    },
  })
  const push = (message: string, text: string, final = false) => edits.push('c', message, { text }, final)
  return { edits, push, sent, answers }
}

test('one edit is under way, and of those that wait only the newest is sent', async () => {
  const { push, sent, answers } = line()
  const first = push('m', 'a')
  const waiting = [push('m', 'ab'), push('m', 'abc'), push('m', 'abcd')]
  expect(sent.map(({ text }) => text)).toEqual(['a'])
  answers[0]?.resolve()
  await first
  answers[1]?.resolve()
  await Promise.all(waiting)
  expect(sent.map(({ text }) => text)).toEqual(['a', 'abcd'])
})

test('a final edit passes the interim edits of other messages', async () => {
  const { push, sent, answers } = line()
  const first = push('a', '1')
  const others = [push('b', '1'), push('c', '1'), push('d', 'end', true)]
  answers[0]?.resolve()
  await first
  expect(sent.map(({ message }) => message)).toEqual(['a', 'd'])
  answers[1]?.resolve()
  await others[2]
  answers[2]?.resolve()
  await others[0]
  answers[3]?.resolve()
  await others[1]
  expect(sent.map(({ message }) => message)).toEqual(['a', 'd', 'b', 'c'])
})

test('a final edit does not wait for the pace of the channel', async () => {
  const { push, sent, answers } = line(60_000, 60_000)
  const first = push('m', 'a')
  answers[0]?.resolve()
  await first
  const interim = push('m', 'ab')
  const last = push('m', 'abc', true)
  await Promise.resolve()
  answers[1]?.resolve()
  await Promise.all([interim, last])
  expect(sent.map(({ text }) => text)).toEqual(['a', 'abc'])
})

test('interim edits leave one of the five of a window to a final edit', async () => {
  const { push, sent, answers } = line(0, 400)
  const all = Promise.all([
    ...['a', 'b', 'c', 'd', 'e'].map((message) => push(message, 'interim')),
    (async () => {
      while (sent.length < 4) await new Promise((resolve) => setImmediate(resolve))
      await push('f', 'final', true)
    })(),
  ])
  const answering = setInterval(() => answers.forEach(({ resolve }) => resolve()), 1)
  await all
  clearInterval(answering)
  expect(sent.map(({ message }) => message)).toEqual(['a', 'b', 'c', 'd', 'f', 'e'])
  // The interim edit that was left over waits until the window has moved on.
  expect((sent[5]?.at ?? 0) - (sent[0]?.at ?? 0)).toBeGreaterThanOrEqual(395)
})

test('the window of an edit that was long on its way begins when Discord has answered', async () => {
  const { push, sent, answers } = line(0, 400)
  const first = push('a', 'final', true)
  await new Promise((resolve) => setTimeout(resolve, 200))
  const answeredAt = Date.now()
  answers[0]?.resolve()
  await first
  const answering = setInterval(() => answers.forEach(({ resolve }) => resolve()), 1)
  await Promise.all(['b', 'c', 'd', 'e', 'f'].map((message) => push(message, 'final', true)))
  clearInterval(answering)
  expect((sent[5]?.at ?? 0) - answeredAt).toBeGreaterThanOrEqual(395)
})

test('while an edit waits for other processes, the newest text and a final edit take its place', async () => {
  const turns: PromiseWithResolvers<void>[] = []
  const { push, sent, answers } = line(0, 50, () => {
    const turn = Promise.withResolvers<void>()
    turns.push(turn)
    return turn.promise
  })
  const interim = [push('m', 'a'), push('m', 'ab')]
  const last = push('n', 'end', true)
  expect(sent).toEqual([])
  turns[0]?.resolve()
  await expect.poll(() => answers.length).toBe(1)
  answers[0]?.resolve()
  await last
  await expect.poll(() => turns.length).toBe(2)
  turns[1]?.resolve()
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.resolve()
  await Promise.all(interim)
  expect(sent.map(({ text }) => text)).toEqual(['end', 'ab'])
})

test('a failed edit fails those that waited for it, and the next one is sent', async () => {
  const { push, sent, answers } = line()
  const first = push('m', 'a')
  const second = push('m', 'ab')
  answers[0]?.reject(new Error('refused'))
  await expect(first).rejects.toThrow('refused')
  answers[1]?.resolve()
  await second
  expect(sent).toHaveLength(2)
})

test('what a message shows already is not sent again', async () => {
  const { push, sent, answers } = line()
  const first = push('m', 'a')
  answers[0]?.resolve()
  await first
  await push('m', 'a')
  expect(sent).toHaveLength(1)
})

test('settled waits for edits that wait', async () => {
  const { edits, push, sent, answers } = line()
  void push('m', 'a')
  void push('m', 'ab')
  const settled = edits.settled()
  answers[0]?.resolve()
  await Promise.resolve()
  await new Promise((resolve) => setImmediate(resolve))
  answers[1]?.resolve()
  await settled
  expect(sent).toHaveLength(2)
})

const receipt = (text: string, state: 'indexing' | 'ready') =>
  outgoing(text, { kind: 'receipt', actions: [], receipt: [{ file: 'a.md', state }] })

test('a receipt under way waits its turn, a finished one does not', async () => {
  const { discord, adapter, general } = await open(await openDouble())
  const post = (text: string) => adapter.post(general, outgoing(text, { kind: 'receipt' }))
  const [first, second] = [await post('a'), await post('b')]
  await adapter.edit(first, receipt('a: indexing', 'indexing'))
  const interim = adapter.edit(first, receipt('a: still indexing', 'indexing'))
  await adapter.edit(second, receipt('b: ready', 'ready'))
  await interim
  const shown = discord.callsTo(patch).map(({ body }) => (body as { content: string }).content)
  expect(shown).toEqual(['a: indexing', 'b: ready', 'a: still indexing'])
})

test('answers that grow side by side in one channel never meet a 429, and each ends with its last text', async () => {
  const { discord, adapter, general } = await open(await openDouble())
  const refs = await Promise.all(['x', 'y', 'z'].map((text) => adapter.post(general, outgoing(text))))
  const growing = refs.flatMap((ref, index) =>
    Array.from({ length: 20 }, (_edit, step) => adapter.edit(ref, outgoing(`${index}: ${'word '.repeat(step)}`))),
  )
  const last = refs.map((ref, index) => adapter.edit(ref, outgoing(`${index}: done`, { actions: [], references: [] })))
  await Promise.all([...growing, ...last])
  expect(discord.transcript(discord.channel).map(({ text }) => text)).toEqual(['0: done', '1: done', '2: done'])
  expect(discord.callsTo(patch).filter(({ status }) => status !== 200)).toEqual([])
  expect(discord.callsTo(patch).length).toBeLessThanOrEqual(5)
})

test('eleven edits that nobody waits for: the last text stands, and no stale one is sent after it', async () => {
  const { discord, adapter, general } = await open(await openDouble(), { times: { editPaceMs: 5, editWindowMs: 50 } })
  const ref = await adapter.post(general, outgoing('0'))
  const edits = Array.from({ length: 11 }, (_, index) => adapter.edit(ref, outgoing(`${index + 1}`)))
  await Promise.all(edits)
  const sent = discord.callsTo(patch).map(({ body }) => (body as { content: string }).content)
  expect(sent.at(-1)).toBe('11')
  expect(sent.length).toBeLessThan(11)
  expect(discord.transcript(discord.channel).map(({ text }) => text)).toEqual(['11'])
})
