import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { readableSentences } from '#lexicon/sentences.ts'
import { findSupport, readCitations } from '#bridge/references/support.ts'

const PASSAGE = [
  '## Leave',
  '',
  'Full-time staff have 30 days of leave a year. Part-time staff have their share of it.',
  'Unused days lapse at the end of March.',
  '',
  '- Dr. Berg signs requests of more than three weeks.',
  '- Everybody else’s are signed by the team lead.',
  '',
  '| Grade | Days |',
  '|---|---|',
  '| Director | 34 |',
  '| Trainee | 27 |',
].join('\n')

describe('the sentence that supports an answer', () => {
  it.each([
    ['You lose leftover days after March.', 'Unused days lapse at the end of March.'],
    ['Trainees get 27.', 'Trainee | 27 |'],
    ['Requests over three weeks are signed by Dr. Berg.', 'Dr. Berg signs requests of more than three weeks.'],
    ['It is 30.', 'Full-time staff have 30 days of leave a year.'],
  ])('of %j is %j', (claim, support) => {
    expect(findSupport(PASSAGE, claim, '')).toBe(support)
  })

  it.each([
    [
      'Mitarbeiter haben dreißig Urlaubstage. Resturlaub verfällt am 31. März.',
      'Der Resturlaub verfällt Ende März.',
      'Resturlaub verfällt am 31. März.',
    ],
    [
      '正社员每年有三十天年假。未使用的假期将于三月底失效。',
      '没用完的假期三月底失效。',
      '未使用的假期将于三月底失效。',
    ],
    [
      '有給休暇は年に三十日です。残りは三月末に消えます。',
      '残った休暇は三月末に消えます。',
      '残りは三月末に消えます。',
    ],
    [
      'Отпуск составляет тридцать дней. Остаток сгорает в марте.',
      'Остатки отпуска сгорают в марте.',
      'Остаток сгорает в марте.',
    ],
  ])('is found in %s', (passage, claim, support) => {
    expect(findSupport(passage, claim, '')).toBe(support)
  })

  it('is decided by the question where the answer shares no word with the passage', () => {
    expect(findSupport(PASSAGE, 'Ende des ersten Quartals.', 'When do unused days lapse?')).toBe(
      'Unused days lapse at the end of March.',
    )
  })

  it('is, of several that the answer says behind one mark, the one that was asked for', () => {
    const passage = 'The ferry leaves at 9:40 from pier seven. A ticket costs twelve euros. Dogs travel free of charge.'
    const answer = 'The ferry leaves at 9:40 from pier seven. A ticket costs twelve euros. [1] Ask the crew.'
    const supportOf = (question: string) => findSupport(passage, readCitations(answer)(1), question)
    expect(supportOf('From which pier does the ferry leave?')).toBe('The ferry leaves at 9:40 from pier seven.')
    expect(supportOf('What does a ticket cost?')).toBe('A ticket costs twelve euros.')
  })

  it('is not the one that only repeats the question', () => {
    const passage = 'When do unused days lapse? They are lost at the end of March.'
    expect(findSupport(passage, 'They are lost at the end of March.', 'When do unused days lapse?')).toBe(
      'They are lost at the end of March.',
    )
  })

  it('is none where nothing is shared', () => {
    expect(findSupport(PASSAGE, 'Zebra.', 'Giraffe?')).toBeUndefined()
  })

  test('stands in the passage, word for word', () => {
    const words = fc.constantFrom(...'leave days 30. | - # März 三月。 staff\n \n\n 1. «ja»! ?'.split(' '))
    const texts = fc.array(words, { maxLength: 30 }).map((all) => all.join(' '))
    fc.assert(
      fc.property(texts, texts, (passage, claim) => {
        const support = findSupport(passage, claim, claim)
        expect(passage).toContain(support ?? '')
        for (const { start, end } of readableSentences(passage)) expect(end).toBeGreaterThan(start)
      }),
    )
  })
})

test('what an answer says with a mark is the sentence that carries it, before or behind the full stop', () => {
  const answer = 'Staff have 30 days [1]. Unused ones lapse.[2] Ask Dr. Berg. [1][3]\n\n- The rest [2]'
  expect(readCitations(answer)(1)).toMatch(/^Staff have 30 days\s+\. Ask Dr\. Berg\./)
  expect(readCitations(answer)(2)).toMatch(/^Unused ones lapse\.\s+The rest/)
  expect(readCitations(answer)(3).trim()).toMatch(/Berg\.$/)
  expect(readCitations(answer)(9)).toBe(answer)
})

test('a mark stands for all that was said since the last one in its paragraph', () => {
  const answer = 'Staff have 30 days [1]. Unused ones lapse. That is in March [2].\n\nAsk the lead. So be it [3].'
  expect(readCitations(answer)(1)).toMatch(/^Staff have 30 days\s+\.$/)
  expect(readCitations(answer)(2)).toMatch(/^Unused ones lapse\. That is in March\s+\.$/)
  expect(readCitations(answer)(3)).toMatch(/^Ask the lead\. So be it\s+\.$/)
})
