import { expect, test } from 'vitest'
import { answerFromPassages } from '#platform/engine/answer/extractive.ts'
import type { Passage } from '#platform/engine/api/retrieve.ts'

const passage: Passage = {
  file: 'prices.csv.md',
  place: 'L1',
  headings: [],
  lead: '',
  body: '| item | price |\n| --- | --- |\n| soup | 4.20 |',
  distance: 0.25,
  coverage: 1,
}

const quoteOf = (text: string) => {
  const quote = { hit: 0, text, score: 1, coverage: 1, evidence: 1 }
  return answerFromPassages('What is on the list?', {
    language: 'en',
    nothingIndexed: false,
    passages: [passage],
    quotes: [quote],
  }).text
}

test.each([
  ['| soup | 4.20 |', '> item: soup · price: 4.20 [RREF1]'],
  ['| bread | 1.10 |', '> bread · 1.10 [RREF1]'],
  [String.raw`| white \| red |  | 7 |`, '> white | red · 7 [RREF1]'],
  ['A ticket | costs twelve.', '> A ticket | costs twelve. [RREF1]'],
])('a row of a table is quoted without its lines: %j', (text, expected) => {
  expect(quoteOf(text)).toContain(`${expected}\n`)
})

test('a title that has only words of the question is quoted with the lines below it', () => {
  const body = 'The owl barn\n\n- Budget: 86,000\n- Builder: Stannard Timber Frames\n\n## Slide 4\n\n- Rain'
  const ask = (question: string) =>
    answerFromPassages(question, {
      language: 'en',
      nothingIndexed: false,
      passages: [{ ...passage, body }],
      quotes: [{ hit: 0, text: 'The owl barn', score: 1, coverage: 1, evidence: 1 }],
    }).text
  expect(ask('Who builds the owl barn?')).toContain(
    '> The owl barn - Budget: 86,000 - Builder: Stannard Timber Frames [RREF1]\n',
  )
  expect(ask('Where is the barn?')).toContain('> The owl barn [RREF1]\n')
})

const STORY =
  'The delivery of order 7 is delayed. The reason is a fire. Nobody was injured. Leave is granted. There are 28 days.'

function answer(question: string, ...texts: readonly string[]): string {
  const quotes = texts.map((text, at) => ({ hit: 0, text, score: 1 - at / 10, coverage: 1, evidence: 1 }))
  const passages = [{ ...passage, body: STORY }]
  return answerFromPassages(question, { language: 'en', nothingIndexed: false, passages, quotes }).text
}

test.each(['Why is order 7 delayed?', 'Warum ist Bestellung 7 verspätet?'])(
  'a reason is quoted with what it explains: %s',
  (question) => {
    expect(answer(question, 'The delivery of order 7 is delayed.')).toMatch(
      /delayed\. \[RREF1\]\n>\n> The reason is a fire\./,
    )
    expect(answer('When is order 7 delivered?', 'The delivery of order 7 is delayed.')).not.toContain('fire')
  },
)

const VARNISH =
  'Varnish is used outdoors. Each oar has been treated, and its tag says when. The treatment lasts for eighteen months.'

test.each(['How long does the varnish treatment last?', 'How long does the treatment of an oar last?'])(
  'a length of time next to the best sentence is quoted first where one is asked for: %s',
  (question) => {
    const passages = [{ ...passage, body: VARNISH }]
    const quoted = (text: string) => {
      const quotes = [{ hit: 0, text, score: 1, coverage: 1, evidence: 1 }]
      return answerFromPassages(question, { language: 'en', nothingIndexed: false, passages, quotes }).text
    }
    expect(quoted('Each oar has been treated, and its tag says when.')).toContain(
      '\n\n> The treatment lasts for eighteen months. [RREF1]\n>\n> Each oar',
    )
    expect(quoted('The coat needs an hour.')).not.toContain('eighteen')
    expect(answer(question, 'Leave is granted.')).not.toContain('28 days')
  },
)

test.each(['How many days are there?', 'Wie viele Tage gibt es?'])(
  'a number comes first where one is asked for: %s',
  (question) => {
    expect(answer(question, 'Leave is granted.', 'There are 28 days.')).toMatch(/\n\n> There are 28 days\./)
    expect(answer('Is leave granted?', 'Leave is granted.', 'There are 28 days.')).toMatch(/\n\n> Leave is granted\./)
  },
)

test('a refusal names the nearest passages, and refers to none', () => {
  const none = { language: 'en', nothingIndexed: false, passages: [passage], quotes: [] }
  expect(answerFromPassages('What does it cost?', none)).toMatchObject({ refuses: true, passages: [passage] })
  expect(answerFromPassages('What does it cost?', none).text).not.toContain('RREF')
})

test('a refusal does not say that no passage has the words where one has some', () => {
  const none = { language: 'en', nothingIndexed: false, passages: [passage], quotes: [] }
  expect(answerFromPassages('What does it cost?', none).text).not.toContain('no passage')
  expect(answerFromPassages('What is on the list?', { ...none, passages: [] }).text).toContain('no passage')
})

test('marks of footnotes and of bold text are not quoted', () => {
  expect(quoteOf('**Present:** Ada[^2] and Ben.')).toContain('> Present: Ada and Ben. [RREF1]')
})

test('that there is no model is said once in a conversation', () => {
  const quotes = [{ hit: 0, text: 'Leave is granted.', score: 1, coverage: 1, evidence: 1 }]
  const found = { language: 'en', nothingIndexed: false, passages: [passage], quotes }
  expect(answerFromPassages('Is leave granted?', found).text).toMatch(
    /^The files say \(no language model is connected\):\n/,
  )
  expect(answerFromPassages('Is leave granted?', found, true).text).toMatch(/^The files say:\n/)
})

test('each quoted row refers to itself, whatever else is quoted of its passage', () => {
  const body = '## Prices\n\n| item | price |\n| --- | --- |\n| bread | 1.10 |\n| soup | 4.20 |\n\nSoup is hot.'
  const quotes = ['| soup | 4.20 |', 'Soup is hot.', '| bread | 1.10 |'].map((text) => ({
    hit: 1,
    text,
    score: 1,
    coverage: 1,
    evidence: 1,
  }))
  const passages = [
    { ...passage, file: 'other.md', body: 'Nothing.' },
    { ...passage, lead: '', body },
  ]
  const found = { language: 'en', nothingIndexed: false, passages, quotes }
  const said = answerFromPassages('Which soup is hot?', found)
  expect(said.text).toContain(
    '> item: soup · price: 4.20 [RREF1]\n>\n> Soup is hot. [RREF2]\n>\n> item: bread · price: 1.10 [RREF3]\n',
  )
  expect(said.passages.map((one) => one.body)).toEqual(['| soup | 4.20 |', body, '| bread | 1.10 |', 'Nothing.'])
  expect(said.passages.map(({ file }) => file)).toEqual(['prices.csv.md', 'prices.csv.md', 'prices.csv.md', 'other.md'])
})

const rowOf = (columns: number) => `|${Array.from({ length: columns }, (_, at) => ` c${at + 1} |`).join('')}`

test('a row is quoted with all of its columns; of a very wide one it is said that there are more', () => {
  expect(quoteOf(rowOf(12))).toContain('> c1 · c2 · c3 · c4 · c5 · c6 · c7 · c8 · c9 · c10 · c11 · c12 [RREF1]\n')
  expect(quoteOf(rowOf(40))).toMatch(/ · c\d+ · … \[RREF1\]\n/)
})

test.each([
  ['Who waxes the floor?', false],
  ['How is the floor waxed?', true],
])(
  'a sentence without a word of the question is quoted after one for how something is done only: %s',
  (question, is) => {
    const texts = ['The floor is waxed by the caretaker.', 'Then the windows are opened.']
    const quotes = texts.map((text, at) => ({ hit: 0, text, isBeside: at > 0, score: 1, coverage: 1, evidence: 1 }))
    const passages = [{ ...passage, body: texts.join(' ') }]
    const { text } = answerFromPassages(question, { language: 'en', nothingIndexed: false, passages, quotes })
    expect(text).toContain('caretaker')
    expect(text.includes('windows')).toBe(is)
  },
)

const LORRY = 'The lorry is painted and holds 46 cubic metres.'

test.each([
  ['How many cubic metres does the lorry hold?', false],
  ['Who painted the lorry?', true],
  ['How many cubic metres fit into the lorry Magnus?', true],
])('an answer has what is asked for, of a passage with a name in question, or it is not sure: %s', (question, is) => {
  const quotes = [{ hit: 0, text: LORRY, score: 1, coverage: 1, evidence: 0.9 }]
  const passages = [{ ...passage, body: LORRY }]
  const found = { language: 'en', nothingIndexed: false, passages, quotes }
  expect(answerFromPassages(question, found).refuses).toBe(is)
})
