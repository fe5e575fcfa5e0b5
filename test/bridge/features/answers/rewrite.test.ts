import { expect, it } from 'vitest'
import { cited, markdown, setUpBridge, until } from '#test/support/bridge/set-up.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'

const say = (text: string) => cited(text, 'handbook.md', '30 days of leave.')

async function answered(options: Parameters<typeof setUpBridge>[0] = {}) {
  const all = await setUpBridge(options)
  all.chat.drop([markdown('handbook.md', '# Leave\n30 days of leave.')])
  await all.shows(/handbook.*ready/)
  all.platform.script.answer(say('Thirty days.'))
  all.chat.mention('How many days of leave are there?', { thread: 't1' })
  const answer = await all.shows(/Thirty days/)
  const standing = () => all.chat.visible().find(({ id }) => id === answer.id)
  return { ...all, answer, standing, labels: () => standing()?.outgoing.actions?.map(({ label }) => label) }
}

it.each([
  ['↻', /another way/],
  ['Shorter', /half as many words/],
  ['Longer', /more detail/],
] as const)('%s writes the answer anew in its place, from the same files', async (label, told) => {
  const { chat, platform, answer, shows, standing, labels, texts } = await answered()
  platform.script.answer(say('There are thirty.'))
  chat.press(answer.id, label)
  await shows(/There are thirty/)
  expect(standing()).toMatchObject({
    text: 'There are thirty. [1]',
    outgoing: { references: [{ number: 1, file: 'handbook.md' }] },
  })
  expect(labels()).toEqual(['👍', '👎', '↻', 'Shorter', 'Longer'])
  expect(texts()).toHaveLength(2)
  const [first, second] = platform.script.requests
  expect(second?.collection).toBe(first?.collection)
  expect(second?.messages[0]?.content).toMatch(told)
  expect(second?.messages[0]?.content).toMatch(/> Thirty days\./)
  expect(second?.messages.slice(1)).toEqual([{ role: 'user', content: 'How many days of leave are there?' }])
  expect(second?.temperature).toBe(label === '↻' ? 0.9 : undefined)
})

it('only the newest answer of a conversation is rewritten', async () => {
  const { chat, platform, answer, shows, texts } = await answered()
  platform.script.answer(say('In January.'))
  chat.say('When does the leave year of the company begin?', { thread: 't1' })
  await shows(/In January/)
  chat.press(answer.id, '↻')
  expect((await shows(/only the newest answer/)).outgoing.privateTo).toBe('U1')
  expect(texts()).toContain('Thirty days. [1]')
})

it('the answer stays when another can not be had, and only who pressed is told why', async () => {
  const { chat, platform, answer, shows, standing } = await answered()
  platform.script.fail('chat.stream', platformFailure('unreachable'))
  chat.press(answer.id, 'Shorter')
  const told = await shows(/The answer stays as it is: .*can’t reach/)
  expect(told.outgoing.privateTo).toBe('U1')
  expect(standing()?.text).toBe('Thirty days. [1]')
})

it('pressed twice, one press rewrites', async () => {
  const { chat, platform, answer, settled } = await answered()
  platform.script.answer(say('There are thirty.'), say('Too often.'))
  const [one, other] = [chat.press(answer.id, '↻'), chat.press(answer.id, '↻')]
  await settled(one.inbound.key)
  await settled(other.inbound.key)
  expect(platform.script.requests).toHaveLength(2)
})

it('a rewriting that a restart cut off is done after it, in the same place', async () => {
  const { chat, platform, answer, standing, texts, restart, shows } = await answered()
  platform.script.answer([{ type: 'text', text: 'Half' }, new Promise(() => {})], say('There are thirty.'))
  chat.press(answer.id, '↻')
  await until(() => platform.script.requests.length === 2)
  expect(standing()?.text).toBe('Thirty days. [1]')
  await restart()
  await shows(/There are thirty/)
  expect(texts()).toHaveLength(2)
})

it('each answer is a record of its own: a judgement stays with what was judged', async () => {
  const { chat, platform, answer, shows, settled, store } = await answered()
  await settled(chat.press(answer.id, '👎').inbound.key)
  platform.script.answer(say('There are thirty.'))
  chat.press(answer.id, '↻')
  await shows(/There are thirty/)
  await settled(chat.press(answer.id, '👍').inbound.key)
  const voted = await store().answers.voted()
  expect(voted.map(({ answer: { text }, votes }) => [text, votes[0]?.vote])).toEqual([
    ['Thirty days. [1]', 'down'],
    ['There are thirty. [1]', 'up'],
  ])
})

it('without edits, and without a model that can converse, an answer can only be judged', async () => {
  const fixed = await answered({ without: ['edit', 'stream'] })
  expect(fixed.labels()).toEqual(['👍', '👎'])
  const quoting = await answered({ models: ['extractive'] })
  expect(quoting.labels()).toEqual(['👍', '👎'])
})

it('of a private answer, every message is for its person alone', async () => {
  const { chat, platform, shows } = await setUpBridge({ limits: { textLength: 200, privateEditIntervalMs: 1 } })
  chat.drop([markdown('handbook.md', '# Leave\n30 days of leave.')])
  await shows(/handbook.*ready/)
  platform.script.answer(say('Thirty days.'))
  chat.call('ask', 'How many days of leave are there?')
  const answer = await until(() =>
    chat.visible().find(({ outgoing }) => outgoing.actions?.some(({ label }) => label === 'Longer')),
  )
  expect(answer.outgoing.privateTo).toBe('U1')
  platform.script.answer(say('There are thirty days of leave. '.repeat(20)))
  chat.press(answer.id, 'Longer')
  await until(() => chat.visible().filter(({ text }) => text.includes('There are thirty')).length > 2)
  const open = chat.visible().filter(({ text, outgoing }) => text.includes('thirty') && outgoing.privateTo !== 'U1')
  expect(open.map(({ text }) => text)).toEqual([])
})
