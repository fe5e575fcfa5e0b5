import { expect, it } from 'vitest'
import { cited, markdown, setUpBridge } from '#test/support/bridge/set-up.ts'

const BEN = { id: 'U2', name: 'Ben', language: 'de' } as const

async function answered(options: Parameters<typeof setUpBridge>[0] = {}) {
  const all = await setUpBridge(options)
  all.chat.drop([markdown('handbook.md', '# Leave\n30 days of leave.')])
  await all.shows(/handbook.*ready/)
  all.platform.script.answer(cited('Thirty days.', 'handbook.md', '30 days of leave.'))
  all.chat.mention('How many days of leave?', { thread: 't1' })
  return { ...all, answer: await all.shows(/Thirty days/) }
}

it('a judgement is kept with the question, its passages and the model', async () => {
  const { chat, answer, settled, store } = await answered()
  const up = chat.press(answer.id, '👍')
  await settled(up.inbound.key)
  const down = chat.press(answer.id, '👎', BEN, '  It is 31.  ')
  await settled(down.inbound.key)
  const [voted] = await store().answers.voted()
  expect(voted).toMatchObject({
    answer: {
      question: 'How many days of leave?',
      model: 'fake-model',
      outcome: 'answered',
      references: [{ file: 'handbook.md', passage: '30 days of leave.' }],
    },
    votes: [
      { by: 'U1', vote: 'up' },
      { by: 'U2', vote: 'down', reason: 'It is 31.' },
    ],
  })
})

it('thanks are said privately, once, in the language of the person; the last judgement counts', async () => {
  const { chat, answer, settled, store, shows, texts } = await answered()
  for (const label of ['👎', '👎', '👍']) await settled(chat.press(answer.id, label, BEN).inbound.key)
  expect((await shows(/ist notiert/)).outgoing.privateTo).toBe('U2')
  expect(texts().filter((text) => text.includes('notiert'))).toHaveLength(1)
  const [voted] = await store().answers.voted()
  expect(voted?.votes).toMatchObject([{ by: 'U2', vote: 'up' }])
})

it('the thread is solved by 👍 of the asker, and no longer by a 👎 after it', async () => {
  const { chat, answer, settled, restart } = await answered()
  const solved = () => chat.marks.filter(({ mark }) => mark === 'solved').map(({ isSet }) => isSet)
  const judges = async (label: string, by?: typeof BEN) => settled(chat.press(answer.id, label, by).inbound.key)
  await judges('👎')
  await judges('👍', BEN)
  expect(solved()).toEqual([])
  await judges('👍')
  await judges('👎', BEN)
  expect(solved()).toEqual([true])
  await restart()
  await judges('👎')
  await judges('👎')
  expect(solved()).toEqual([true, false])
})

it('a reason is asked for with 👎 alone', async () => {
  const { answer } = await answered()
  const prompts = answer.outgoing.actions?.map(({ label, prompt }) => [label, prompt?.title])
  expect(prompts?.slice(0, 2)).toEqual([
    ['👍', undefined],
    ['👎', 'What was wrong?'],
  ])
})

it('a button of an answer that is not on record says so to who pressed it', async () => {
  const { chat, answer, shows } = await answered()
  const action = answer.outgoing.actions?.[0]
  const { id, value } = { id: '', value: '', ...action }
  chat.wire.shown.set(answer.id, {
    ...answer,
    outgoing: { ...answer.outgoing, actions: [{ id, value: `${value}x`, label: 'old' }] },
  })
  chat.press(answer.id, 'old')
  expect((await shows(/no record of this answer/)).outgoing.privateTo).toBe('U1')
})

it('an answer that was out before a restart can still be judged', async () => {
  const { chat, answer, settled, store, restart } = await answered()
  await restart()
  await settled(chat.press(answer.id, '👍').inbound.key)
  expect(await store().answers.voted()).toHaveLength(1)
})

it('who was thanked is forgotten in time, although the judgement stays', async () => {
  const { chat, answer, settled, store, texts } = await answered()
  await settled(chat.press(answer.id, '👍').inbound.key)
  await store().inbox.prune(Date.now() + 1)
  await settled(chat.press(answer.id, '👍').inbound.key)
  expect(texts().filter((text) => text.includes('noted'))).toHaveLength(2)
  expect(await store().answers.voted()).toHaveLength(1)
})
