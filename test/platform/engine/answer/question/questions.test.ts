import { expect, it } from 'vitest'
import { answerMessage } from '#platform/engine/answer/question/questions.ts'
import { textsFor } from '#platform/engine/texts.ts'

const passage = { file: 'a.md', place: 'L1', headings: [], lead: '', body: 'x', distance: 0, coverage: 1 }

/** Knows the answers to these questions. */
function asking(known: Readonly<Record<string, string>>) {
  const asked: string[] = []
  const ask = async (question: string) => {
    asked.push(question)
    const text = known[question]
    return { text: text ?? 'Not found.\n', passages: [passage], refuses: text === undefined }
  }
  return { asked, ask }
}

it('answers each question of a message below it, and counts the marks on', async () => {
  const { ask } = asking({ 'Who signs the lease?': '> Ada. [RREF1]\n', 'When is it due?': '> In May. [RREF1]\n' })
  const { text, passages, refuses } = await answerMessage(
    'Hi! Who signs the lease? Where is it kept? When is it due? Thanks!',
    ask,
  )
  expect(text).toBe(
    '**Who signs the lease?**\n\n> Ada. [RREF1]\n\n**Where is it kept?**\n\nNot found. [RREF2]\n\n**When is it due?**\n\n> In May. [RREF3]\n',
  )
  expect(passages).toHaveLength(3)
  expect(refuses).toBe(false)
})

it('numbers what is cited without gaps: passages that no answer names come last', async () => {
  const [first, spare, second] = ['a.md', 'b.md', 'c.md'].map((file) => ({ ...passage, file }))
  const answers = [
    { text: '> Ada. [RREF1]\n', passages: [first, spare].flatMap((one) => one ?? []), refuses: false },
    { text: '> In May. [RREF1]\n', passages: [second].flatMap((one) => one ?? []), refuses: false },
  ]
  const { text, passages } = await answerMessage(
    'Who signs the lease? When is it due?',
    async (question) => answers[question.startsWith('Who') ? 0 : 1] ?? { text: '', passages: [], refuses: true },
  )
  expect(text).toContain('In May. [RREF2]')
  expect(passages.map(({ file }) => file)).toEqual(['a.md', 'c.md', 'b.md'])
})

it('begins each question with a capital letter', async () => {
  const { ask } = asking({ 'who signs the lease?': '> Ada. [RREF1]\n', 'when is it due?': '> In May. [RREF1]\n' })
  const { text } = await answerMessage('who signs the lease, and when is it due?', ask)
  expect(text).toBe('**Who signs the lease?**\n\n> Ada. [RREF1]\n\n**When is it due?**\n\n> In May. [RREF2]\n')
})

it('says once that files are quoted', async () => {
  const { filesSay } = textsFor('en').files
  const { ask } = asking({
    'Who signs the lease?': `${filesSay}\n\n> Ada. [RREF1]\n`,
    'When is it due?': `${filesSay}\n\n> In May. [RREF1]\n`,
  })
  expect((await answerMessage('Who signs the lease? When is it due?', ask)).text).toBe(
    `${filesSay}\n\n**Who signs the lease?**\n\n> Ada. [RREF1]\n\n**When is it due?**\n\n> In May. [RREF2]\n`,
  )
})

it('asks each question after those before it in the message', async () => {
  const asked: (readonly string[])[] = []
  await answerMessage('Who is the harbour master? What is his phone number?', async (question, before) => {
    asked.push([...before, question])
    return { text: 'x\n', passages: [passage], refuses: false }
  })
  expect(asked).toEqual([['Who is the harbour master?'], ['Who is the harbour master?', 'What is his phone number?']])
})

it('refuses a message of which no question is answered, as a whole', async () => {
  const { ask, asked } = asking({})
  expect((await answerMessage('Who signs the lease? When is it due?', ask)).refuses).toBe(true)
  expect(asked.at(-1)).toBe('Who signs the lease? When is it due?')
})

it('asks one question among other sentences alone where all of them find nothing', async () => {
  const { ask, asked } = asking({ 'Who gives me a new key?': '> Ada. [RREF1]\n' })
  const message = 'I lost mine on Monday. Who gives me a new key?'
  expect((await answerMessage(message, ask)).text).toBe('> Ada. [RREF1]\n')
  expect(asked).toEqual([message, 'Who gives me a new key?'])
})
