import { afterAll, beforeAll, expect, it } from 'vitest'
import { openFirstDay, readQuestions, type Asked, type FirstQuestion } from '#bench/first-day/ask.ts'

/** A part of the questions, with whole threads; `npm run bench:first-day` asks all. */
const some = readQuestions('tuning').filter(
  ({ group }, index) => index % 3 === 0 || ['thread', 'follow-up', 'shelf', 'off-topic'].includes(group),
)
let day: Awaited<ReturnType<typeof openFirstDay>>
const asked: Asked[] = []

beforeAll(async () => {
  day = await openFirstDay()
  for (const question of some) asked.push(await day.ask(question))
})
afterAll(() => day.close())

const wrong = (of: (question: FirstQuestion) => boolean) =>
  asked.filter((each) => of(each) && each.verdict !== 'right').map(({ question, text }) => ({ question, text }))

it('a new user without a model is answered rightly five times of six, and wrongly hardly ever', () => {
  const answerable = asked.filter(({ words }) => words !== undefined)
  const right = answerable.filter(({ verdict }) => verdict === 'right').length
  expect(right / answerable.length).toBeGreaterThan(5 / 6)
  expect(asked.filter(({ verdict }) => verdict === 'wrong').length / asked.length).toBeLessThan(0.08)
})

it('every question about the shelf is answered, and none of them is a gap', () => {
  expect(wrong(({ group }) => group === 'shelf')).toEqual([])
  expect(asked.filter(({ group, isGap }) => isGap && group === 'shelf')).toEqual([])
})

it('what stands in no file is not answered', () => {
  expect(wrong(({ words }) => words === undefined)).toEqual([])
})

it('follow-ups are answered, in one conversation with all the others', () => {
  expect(wrong(({ group }) => group === 'thread' || group === 'follow-up')).toEqual([])
})
