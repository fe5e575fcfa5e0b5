import { describe, expect, it } from 'vitest'
import { toQuestion } from '#platform/engine/search/question.ts'

/** The question where the files hold these terms. */
const ask = (text: string, language: string, ...held: readonly string[]) =>
  toQuestion(text, [language], { total: 200, found: (term) => (held.includes(term) ? 3 : 0) })
const termsOf = (...asked: Parameters<typeof ask>) => ask(...asked).concepts.flatMap(({ terms }) => terms)

describe('words of a question', () => {
  it.each([
    ['How long do beans keep?', 'en', ['bean', 'keep']],
    ['How often is the filter changed?', 'en', ['chang', 'filter']],
    ['Where does the summer party take place?', 'en', ['parti', 'summer']],
    ['Wie lange gilt der Ausweis?', 'de', ['ausweis', 'gilt']],
    ['Wo findet die Feier statt?', 'de', ['feier']],
    ['Wann hat die Feier stattgefunden?', 'de', ['feier']],
  ])('count little where they only ask: %s', (text, language, names) => {
    const { concepts } = ask(text, language)
    const tell = concepts.filter(({ weight }) => weight > 3).flatMap(({ terms }) => terms)
    expect(tell.toSorted()).toEqual(names)
    expect(concepts.length).toBeGreaterThan(names.length)
  })

  it('count fully where they name something', () => {
    for (const [text, language] of [
      ['Which long cable is in the shop?', 'en'],
      ['Wer findet den Schlüssel?', 'de'],
    ] as const) {
      expect(ask(text, language).concepts.every(({ weight }) => weight > 3)).toBe(true)
    }
  })

  it.each([
    ['What if the roaster breaks down?', 'en', 'breakdown'],
    ['When are files backed up?', 'en', 'backup'],
    ['Wer holt das Angebot ein?', 'de', 'einhol'],
  ])('find the one word that a verb makes with its particle: %s', (text, language, joined) => {
    expect(termsOf(text, language, joined)).toContain(joined)
    expect(termsOf(text, language)).not.toContain(joined)
  })

  it.each([
    ['power point licence', 'powerpoint'],
    ['Is HTTP 2 on?', 'http2'],
    ['What does get user by id do?', 'getuserbyid'],
  ])('find the name that they make together: %s', (text, name) => {
    expect(termsOf(text, 'en', name)).toContain(name)
    expect(termsOf(text, 'en')).not.toContain(name)
  })
})

describe('a word that no file has', () => {
  it('is the one with two of its letters swapped, if a file has that', () => {
    expect(termsOf('How long is the warrnaty?', 'en', 'warranti')).toContain('warranti')
    expect(termsOf('How long is the warrnaty?', 'en', 'warrnati', 'warranti')).not.toContain('warranti')
  })

  it('is the nearest of those that files have, and small words with a slip count nothing', () => {
    const held = ['jacket', 'jackal', 'deposit', 'depth']
    const { concepts } = toQuestion('wehn do I pay a depossit for teh jaket', ['en'], {
      total: 200,
      found: (term) => (held.includes(term) ? 3 : 0),
      beginning: (letters) => held.filter((term) => term.startsWith(letters)),
    })
    expect(new Set(concepts.map(({ terms }) => terms.at(-1)))).toEqual(new Set(['deposit', 'jacket', 'pai']))
  })

  it.each([
    ['Kac gun izin var?', 'tr', 'gun'],
    ['Ngay nghi phep cua nhan vien la bao nhieu?', 'vi', 'phep'],
  ])('is read without its accents, and small words count as little: %s', (text, language, term) => {
    const { concepts, language: told } = ask(text, language, term)
    expect(told).toBe(language)
    const terms = concepts.flatMap((one) => one.terms)
    expect(terms).toContain(term)
    expect(terms).not.toContain('cua')
    expect(terms).not.toContain('var')
  })
})
