import { describe, expect, it } from 'vitest'
import type { AnswerRecord, Vote } from '#bridge/port/records.ts'
import { toGolden, printGolden, readGolden } from '#eval/golden.ts'

const LEAVE = { number: 1, file: 'leave.md', place: 'L1-3', passage: '30 days of leave.' }
const SOUP = { number: 2, file: 'canteen.md', passage: 'Soup.' }

function record(change: Partial<AnswerRecord> = {}): AnswerRecord {
  return {
    id: 'a1',
    jobId: 'j1',
    queue: 'l1',
    channel: 'c1',
    conversation: { adapter: 'fake', workspace: 'W1', channel: 'C1', direct: false },
    collections: ['fake-c1'],
    asker: 'U1',
    question: 'How many days?',
    model: 'small',
    text: 'Thirty.',
    references: [LEAVE],
    outcome: 'answered',
    questionMessage: 'm1',
    messages: ['m2'],
    at: 0,
    ...change,
  }
}

const vote = (given: Vote['vote'], reason?: string): Vote => ({
  answerId: 'a1',
  by: `U${Math.random()}`,
  vote: given,
  ...(reason === undefined ? {} : { reason }),
  at: 0,
})

describe('what people judged', () => {
  it('right is what is expected, wrong what is rejected, in one case for a question', () => {
    const voted = [
      { answer: record(), votes: [vote('up'), vote('up'), vote('down', 'Too long.')] },
      { answer: record({ references: [SOUP], model: 'large' }), votes: [vote('down', 'No soup!')] },
    ]
    expect(toGolden(voted, { collections: false })).toEqual([
      {
        id: expect.any(String),
        question: 'How many days?',
        want: 'answer',
        expected: [{ file: 'leave.md', place: 'L1-3', passage: '30 days of leave.' }],
        rejected: [{ file: 'canteen.md', passage: 'Soup.' }],
        votes: { up: 2, down: 2 },
        reasons: ['Too long.', 'No soup!'],
        models: ['small', 'large'],
      },
    ])
  })

  it.each([
    ['a refusal that was right', record({ outcome: 'nothing', references: [] }), 'up', 'refusal'],
    ['a refusal that was wrong', record({ outcome: 'nothing', references: [] }), 'down', 'answer'],
    ['an answer that was wrong', record(), 'down', 'other'],
    ['an answer that was right', record(), 'up', 'answer'],
  ] as const)('%s wants the like', (_, answer, given, want) => {
    const [one] = toGolden([{ answer, votes: [vote(given)] }], { collections: true })
    expect(one).toMatchObject({ want, collections: ['fake-c1'] })
  })

  it('over which people are divided, or which rests on no file, says nothing', () => {
    const voted = [
      { answer: record(), votes: [vote('up'), vote('down')] },
      { answer: record({ outcome: 'plain', question: 'Hello?' }), votes: [vote('up')] },
    ]
    expect(toGolden(voted, { collections: false })).toEqual([])
  })

  it('of a follow-up is the question as it was completed; other files are another case', () => {
    const votes = [vote('up')]
    const cases = toGolden(
      [
        { answer: record({ question: 'And there?', query: 'How many days?' }), votes },
        { answer: record(), votes },
        { answer: record({ collections: ['fake-c2'] }), votes },
      ],
      { collections: false },
    )
    expect(cases.map(({ question }) => question)).toEqual(['How many days?', 'How many days?'])
  })
})

describe('a golden set', () => {
  it('is read as it was written', () => {
    const cases = toGolden([{ answer: record(), votes: [vote('up')] }], { collections: true })
    expect(readGolden(printGolden(cases), 'golden.jsonl')).toEqual(cases)
  })

  it('names the line that is none', () => {
    expect(() => readGolden('\n{"id": 1}\n', 'golden.jsonl')).toThrow(/^golden\.jsonl, line 2 is not a question/)
    expect(() => readGolden('nonsense', 'golden.jsonl')).toThrow(/line 1 .* it is no JSON/)
  })
})
