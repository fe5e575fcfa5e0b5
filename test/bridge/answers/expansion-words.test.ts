import { toExpansionTerms } from '#bridge/answers/query-expansion.ts'
import { createFakePlatform } from '#test/support/fakes/platform.ts'
import { describe, expect, it } from 'vitest'

const QUESTION = 'Who pays for my dinner on a journey?'

async function wordsFrom(reply: string, languages: readonly string[] = []) {
  const platform = createFakePlatform()
  platform.script.answer(reply)
  const asked = { question: QUESTION, model: 'fake-model', languages }
  const signal = new AbortController().signal
  const words = await toExpansionTerms(platform, asked, { signal, onWait: () => undefined })
  return { words, request: platform.script.requests[0] }
}

describe('other words', () => {
  it.each([
    ['meal allowance trip', 'meal allowance trip'],
    ['Here are some other words:\n- meal\n- per-diem\n- meal\n', 'meal per-diem'],
    ['1. meal, 2. Verpflegungspauschale; 出差 餐费', 'meal Verpflegungspauschale 出差 餐费'],
    ['“**meal**” `allowance`', 'meal allowance'],
    ['who DINNER journey meal', 'meal'],
    ['meal [RREF1] [2] https://evil.example/x evil.example <@U1> @channel allowance', 'meal allowance'],
    ["l'indemnité", "l'indemnité"],
    ['पथ्य भोजन', 'पथ्य भोजन'],
  ])('of %j are %j', async (reply, words) => {
    expect((await wordsFrom(reply)).words).toBe(words)
  })

  it.each([
    ['nothing', ' '],
    ['the question again', QUESTION],
    ['a lecture', 'Words have meanings. '.repeat(60)],
    ['a refusal', 'NOT_IN_FILES'],
    ['signs alone', '1. 2. ->'],
  ])('are none where %s came', async (_, reply) => {
    expect((await wordsFrom(reply)).words).toBeUndefined()
  })

  it('are no more than 24, and no longer than a line', async () => {
    const many = Array.from({ length: 40 }, (__, at) => `w${at}`).join(' ')
    expect((await wordsFrom(many)).words?.split(' ')).toHaveLength(24)
    const long = Array.from({ length: 10 }, (__, at) => `${'x'.repeat(70)}${at}`).join(' ')
    expect((await wordsFrom(long)).words?.length).toBeLessThan(300)
  })

  it('are asked for with the question as a quotation, and with the languages of the files', async () => {
    const { request } = await wordsFrom('meal', ['de', 'fr', 'ru', 'zh'])
    expect(request).toMatchObject({ model: 'fake-model', temperature: 0 })
    expect(request?.collection).toBeUndefined()
    expect(request?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(request?.messages[0]?.content).toContain('in German, French, Russian: give the words in each')
    expect(request?.messages[1]?.content).toBe(`> ${QUESTION}`)
  })
})
