import { createRefusalGate, soundsLikeRefusal, withoutMarkerWord } from '#bridge/answers/refusal.ts'
import { textsFor } from '#platform/engine/texts.ts'
import { describe, expect, it } from 'vitest'

describe('the word for "the files do not answer"', () => {
  it.each([['NOT_IN_FILES'], ['**NOT_IN_FILES**'], ['NOT IN FILES.'], [' `NOT_IN_FILES`\n']])(
    '%s is never seen, wherever it is cut',
    (text) => {
      for (let cut = 0; cut <= text.length; cut += 1) {
        const gate = createRefusalGate()
        const seen = gate.push(text.slice(0, cut)) + gate.push(text.slice(cut)) + gate.end()
        expect(seen.trim()).toBe('')
      }
      expect(withoutMarkerWord(text)).toEqual({ text: '', refuses: true })
    },
  )

  it.each(['Not much is known.', 'NOT TODAY', 'No', '', 'Thirty days [RREF1].'])('%s is shown', (text) => {
    const gate = createRefusalGate()
    let seen = ''
    for (const letter of text) seen += gate.push(letter)
    expect(seen + gate.end()).toBe(text)
  })
})

const REFUSALS = [
  'The passages do not contain any information about the moon.',
  'The files of this channel don’t answer this question.'.replace('’', "'"),
  'I could not find an answer in the provided documents.',
  'That is not in this collection.',
  'Die Dateien dieses Kanals beantworten die Frage nicht.',
  'Dazu steht in den Dokumenten nichts.',
  'In den Passagen wird das nicht erwähnt.',
  'Les documents ne contiennent pas cette information.',
  'Los documentos no contienen esa información.',
  'I documenti non contengono informazioni.',
  'De bestanden geven daar geen antwoord op.',
]

describe('a text without marks', () => {
  it.each(REFUSALS)('that says so is a refusal: %s', (text) => {
    expect(soundsLikeRefusal(text)).toBe(true)
  })

  it.each([
    'Full-time staff have 30 days.',
    'The ferry leaves at 9:40, not at 10.',
    'Die Fähre fährt montags nicht.',
    'You do not need a permit.',
  ])('that answers is none: %s', (text) => {
    expect(soundsLikeRefusal(text)).toBe(false)
  })
})

/** The text that is shown before it has ended. */
function shownSoFar(text: string): string {
  const gate = createRefusalGate('refusal')
  return Array.from(text, (letter) => gate.push(letter)).join('')
}

describe('a refusal in other words', () => {
  it.each([...REFUSALS, 'I am sorry. '.repeat(50), 'NOT_IN_FILES [1]', '**NOT_IN_FILES** [1][2]'])(
    'is held back to its end: %s',
    (text) => {
      expect(shownSoFar(text)).toBe('')
    },
  )

  const long = 'The ferry leaves at nine, it is said, in winter as in summer, from the old pier.'
  it.each([
    ['from its first mark on', 'The ferry leaves at nine [1]', ' and at ten'],
    ['from its first word on, where no refusal begins with it', 'Full-', 'time staff have thirty days'],
    ['from where a refusal would have said no', long, ' It costs five'],
    ['when it is longer than refusals are', `${'I am sorry. '.repeat(50)}x`, 'y'],
  ])('an answer is shown %s', (_, before, after) => {
    expect(shownSoFar(before.slice(0, -1))).toBe('')
    expect(shownSoFar(before)).toBe(before)
    expect(shownSoFar(before + after)).toBe(before + after)
  })
})

it.each(['en', 'de'])('the refusals of the built-in model sound like some: %s', (language) => {
  const { notInCollection, nearest } = textsFor(language).files
  expect(soundsLikeRefusal(notInCollection)).toBe(true)
  expect(soundsLikeRefusal(nearest)).toBe(true)
})
