import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codesIn } from '#platform/engine/text/codes.ts'
import { collectionChat, inference, openPlatform, type TestPlatform } from '#test/platform/server/platform.ts'

const set = JSON.parse(readFileSync(new URL('../../../fixtures/codes.json', import.meta.url), 'utf8')) as {
  readonly files: Readonly<Record<string, string>>
  /** Question, its file, and words of the answer. */
  readonly asked: readonly (readonly [string, string, string])[]
  readonly offTopic: readonly string[]
}

describe('identifiers, headings and short codes in a question', () => {
  let platform: TestPlatform
  beforeAll(async () => {
    platform = await openPlatform()
    await platform.fill('notes', set.files)
  })
  afterAll(() => platform.close())

  /** The answer without its references. */
  async function answerTo(question: string): Promise<string> {
    const asked = { json: collectionChat(question), headers: inference }
    const answer = await platform.call('POST', '/v1/chat/completions', asked)
    const body = (await answer.json()) as { choices: { message: { content: string } }[] }
    return body.choices[0]?.message.content.split('\n-----')[0] ?? ''
  }

  it.each(set.asked)('are found where they stand: %s', async (question, _, words) => {
    expect(await answerTo(question)).toContain(words)
  })

  it.each(set.offTopic)('are refused where they do not stand: %s', async (question) => {
    expect(await answerTo(question)).toMatch(
      /^(?:Not found in this collection|I am not sure|In dieser Sammlung nicht gefunden|Ich bin nicht sicher)/,
    )
  })

  it('are quoted by their line, where a log has no sentences', async () => {
    const line = '> 2026-03-02 04:12:44 pump-7 ERROR E4417 inlet valve stuck, pump stopped [RREF'
    expect(await answerTo('What does E4417 mean?')).toContain(line)
  })
})

const namesIn = (question: string) => codesIn(question).filter(({ isName }) => isName).length

it.each([
  'E4417',
  'MAX_RETRIES',
  'maxPoolSize',
  '--dry-run',
  'PO-0042',
  '2.13.2',
  'Article II',
  'Anhang B',
  'X-Trace-Id',
])('%s names one thing', (code) => {
  expect(namesIn(`What is ${code}?`)).toBe(1)
})

it.each([
  '250GB',
  'FY2024',
  '1.3.2024',
  '1.000.000',
  'report2024.pdf',
  'T-Shirt',
  'iPhone',
  'CO2',
  'NIP',
  '12-05-2024',
  'Wi-Fi',
])('%s may be written otherwise', (word) => {
  expect(namesIn(`What is ${word}?`)).toBe(0)
})

it.each([
  ['maxPoolSize', 'the max_pool_size is 20', true],
  ['max_pool_size', 'maxPoolSize = 20', true],
  ['ISO27001', 'certified by ISO 27001', true],
  ['E4417', 'E44170', false],
  ['PO-0042', 'PO-00421', false],
  ['Article II', 'Article III', false],
])('%s in %j: %s', (code, text, isThere) => {
  expect(codesIn(`What is ${code}?`)[0]?.pattern.test(text)).toBe(isThere)
})
