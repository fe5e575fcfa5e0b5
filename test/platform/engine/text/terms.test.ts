import { stemmer } from '@orama/stemmers/english'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toSentences } from '#lexicon/sentences.ts'
import { estimateTokens } from '#lib/tokens.ts'
import { decodeText } from '#platform/engine/text/decode.ts'
import { detectLanguage, toLanguage } from '#platform/engine/text/languages.ts'
import { analyse, createTermMemory, toTerm } from '#platform/engine/text/terms.ts'
import { toQuestion } from '#platform/engine/search/question.ts'
import { toWords } from '#platform/engine/text/words.ts'

describe('analyse', () => {
  it('drops stop words and stems by language', () => {
    expect(analyse('The harbours were opening in the morning', 'en')).toEqual(['harbour', 'open', 'morn'])
    expect(analyse('Die Häuser der Fischer sind leer', 'de')).toEqual(analyse('Haus Fischers leeres', 'de'))
  })

  it('drops what people say before they ask', () => {
    expect(analyse('I want to quit. What do I need?', 'en')).toEqual(analyse('quit', 'en'))
    expect(analyse('Ich möchte kündigen. Was brauche ich?', 'de')).toEqual(analyse('kündigen', 'de'))
  })

  it('reads composed and decomposed letters, full width and case alike', () => {
    expect(analyse('ＡＢＣ Cafe\u0301', 'und')).toEqual(analyse('abc CAF\u00c9', 'und'))
  })

  it.each([
    ['maxPoolSize', 'max pool size'],
    ['tls.minVersion', 'tls min version'],
    ['enableHttp2', 'enable http2'],
    ['größeMaximal', 'große maximal'],
    ['YouTube iPhone kWh GmbH macOS siRNA', 'youtube iphone kwh gmbh macos sirna'],
  ])('takes %s as %s', (text, words) => {
    expect(analyse(text, 'und')).toEqual(words.split(' '))
  })

  it('takes Chinese, Japanese and Korean as overlapping pairs', () => {
    expect(analyse('東京タワー', 'und')).toEqual(['東京', '京タ', 'タワ', 'ワー'])
    expect(analyse('山', 'und')).toEqual(['山'])
    expect(analyse('iPhone手机 2', 'en')).toEqual(['iphon', '手机', '2'])
  })

  it('finds words in Thai', () => {
    expect(analyse('ภาษาไทย', 'und')).toEqual(['ภาษา', 'ไทย'])
  })

  it('keeps no mark of an apostrophe in a term', () => {
    expect(analyse("harbour's harbour’s don't l'eau", 'en').join(' ')).not.toMatch(/['’]/)
    expect(analyse("harbour's", 'en')).toEqual(['harbour'])
  })

  it.each([
    ['tr', "Amazon'da Luther’in Ankara'daki", 'amazon luther ankara'],
    ['fr', "l'eau d’Italie qu'Anne", 'eau Italie Anne'],
    ['it', "dell'acqua un'altra", 'acqua altra'],
    ['en', "rock'n'roll O'Brien", 'rocknroll obrien'],
  ])('leaves the small word that an apostrophe joins, %s', (code, joined, alone) => {
    expect(analyse(joined, code)).toEqual(analyse(alone, code))
  })

  it.each([
    ['el', 'Ποιος είναι ο ποταμός ΤΟΥ ΑΜΑΖΟΝΊΟΥ;', 'ποταμος αμαζονίου'],
    ['el', 'τα σπίτια', 'σπιτιού'],
    ['hi', 'लड़के के लिए', 'लड़कियों'],
    ['ro', 'și științei', 'ştiinţei'],
    ['ru', 'Сколько ещё ёлок', 'елок'],
    ['tr', 'İstanbul nedir', 'istanbul'],
    ['vi', 'Ai là nhà khoa học', 'nhà khoa học'],
  ])('reads %s by its own rules: %s', (code, text, same) => {
    expect(analyse(text, code)).toEqual(analyse(same, code))
    expect(analyse(text, code).length).toBeGreaterThan(0)
  })

  it('finds the terms of the words, whatever the text is made of', () => {
    const pieces = [
      ...Array.from("abE'’ -.,Äßéñжя日本ไท한5½ﬁ😀\u0301\n\u0000١"),
      "'s",
      '’s',
      "rock'n'roll",
      "don't",
      'the',
    ]
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((chosen) => chosen.join(''))
    fc.assert(
      fc.property(text, fc.constantFrom('en', 'de', 'fr', 'und'), (given, code) => {
        expect(analyse(given, code)).toEqual(toWords(given).flatMap((word) => toTerm(word, code) ?? []))
      }),
      { numRuns: 2000 },
    )
  })

  it('remembers the terms of very many words', () => {
    const memory = createTermMemory((word) => word.toUpperCase())
    const termOf = (word: string, hash: number) => memory.termAt(memory.numberOf(word, 0, word.length, hash))
    const wrong: string[] = []
    for (let index = 0; index < 120_000; index += 1) {
      // A hundred words with one hash: only the characters tell them apart.
      const [word, hash] = index % 2 === 0 ? [`w${index % 200}`, 7] : [`x${index}`, index]
      if (termOf(word, hash) !== word.toUpperCase()) wrong.push(word)
    }
    expect(wrong).toEqual([])
    expect(termOf('y'.repeat(600_000), 1)).toBe('Y'.repeat(600_000))
    expect(termOf('z', 1)).toBe('Z')
  })
})

describe('the English stemmer', () => {
  it('is not asked about words that it would leave as they are', () => {
    const letters = fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyz0'))
    const endings = ['', 's', 'ing', 'ion', 'ed', 'y', 'ement', 'ful', 'll', 'ic', 'ou', 'ism', 'iti', 'er', 'ive']
    const word = fc
      .tuple(fc.array(letters, { maxLength: 7 }), fc.constantFrom(...endings))
      .map(([start, ending]) => `${start.join('')}${ending}`)
    fc.assert(
      fc.property(word, (given) => {
        expect(toLanguage('en').stem(given)).toBe(stemmer(given))
      }),
      { numRuns: 5000 },
    )
  })
})

describe('detectLanguage', () => {
  it.each([
    ['When does the ferry leave for the island?', 'en'],
    ['Wann fährt die Fähre zu der Insel ab?', 'de'],
    ['¿Cuándo sale el ferry para la isla?', 'es'],
    ['Когда отправляется паром на остров и обратно?', 'ru'],
    ['Сколько колец у Сатурна?', 'ru'],
    ['Amazon ne demek?', 'tr'],
    ['Πού ζουν οι φώκιες;', 'el'],
    ['भारत की राजधानी?', 'hi'],
    ['แมวน้ำอยู่ที่ไหน', 'th'],
    ['Ai hát quốc ca?', 'vi'],
    ['Cine este managerul?', 'ro'],
    ['Jak mogę zmienić hasło do systemu?', 'pl'],
    ['Kdo podepisuje smlouvu o pronájmu?', 'cs'],
    ['Kedy sa otvára pokladňa a koľko stojí lístok?', 'sk'],
    ['Gdje se nalazi ključ od podruma?', 'hr'],
    ['Ко потписује уговор и када?', 'sr'],
    ['Хто відповідає за ключі від складу?', 'uk'],
    ['מתי יוצאת המעבורת אל האי?', 'he'],
    ['Berapa hari cuti yang saya dapat?', 'id'],
    ['کلید انبار کجا است؟', 'fa'],
    ['متى تغادر العبارة إلى الجزيرة؟', 'ar'],
    ['東京タワーの高さは', 'und'],
    ['12345', 'und'],
  ])('tells %s', (text, language) => {
    expect(detectLanguage(text, language === 'und' ? [] : [language])).toBe(language)
  })
})

describe('terms of a language', () => {
  it.each([
    ['pl', 'umowy', 'umowę'],
    ['cs', 'smlouvy', 'smlouvou'],
    ['sk', 'zmluvy', 'zmluvou'],
    ['hr', 'ugovora', 'ugovorima'],
    ['sr', 'ugovora', 'уговорима'],
    ['uk', 'договору', 'договори'],
    ['uk', 'файлів', 'файл'],
    ['id', 'membayar', 'pembayaran'],
    ['fa', 'كتاب', 'کتاب‌ها'],
  ])('in %s, %s and %s are one', (code, one, other) => {
    expect(analyse(other, code)[0]).toBe(analyse(one, code)[0])
  })
})

describe('a question', () => {
  const index = { total: 1000, found: () => 10 }
  const weights = (text: string) =>
    toQuestion(text, ['en'], index).concepts.map(({ terms, weight }) => ({ terms, weight }))
  const filler = 'boat crane dock engine fish gull harbour island jetty kelp lamp mast net oar pier'

  it('weighs a word that a long question repeats, and none of a short one', () => {
    const [first, ...others] = weights(`${filler} seal seals seal`)
    expect(first?.terms).toEqual(['seal'])
    expect(new Set(others.map(({ weight }) => weight)).size).toBe(1)
    expect(first?.weight).toBeLessThan(3 * (others[0]?.weight ?? 0))
    expect(new Set(weights('seal seal lamp').map(({ weight }) => weight)).size).toBe(1)
  })
})

const sentences = (text: string) => toSentences(text).map(({ start, end }) => text.slice(start, end).trim())

describe('toSentences', () => {
  it('covers the text and goes on over a line end inside a paragraph', () => {
    expect(sentences('One goes\non here. Two?\r\nThree!')).toEqual(['One goes\non here.', 'Two?', 'Three!'])
  })

  it('begins anew at list items and table rows', () => {
    expect(sentences('Intro\n- first\n- second\n1. third\n| a | b |')).toEqual([
      'Intro',
      '- first',
      '- second',
      '1. third',
      '| a | b |',
    ])
  })

  it.each([
    ['The report no. 2026-LY-8841 was filed.', 'We said so.'],
    ['See art. 5 of it.', 'Call ext. 300 now.'],
    ['Ausgestellt am 26. 5. 2026 in Rostock.', 'Laut Nr. 12 gilt das.'],
  ])('goes on over an abbreviation before a number, and within a date: %s', (...whole) => {
    expect(sentences(whole.join(' '))).toEqual(whole)
  })

  it('ends sentences as Chinese does', () => {
    expect(sentences('第一句。第二句！')).toEqual(['第一句。', '第二句！'])
  })

  it('ends a heading at its line end, whatever follows', () => {
    expect(sentences('# House rules\nQuiet hours begin at ten.\r\n## Dogs\r\nNot in the tower.')).toEqual([
      '# House rules',
      'Quiet hours begin at ten.',
      '## Dogs',
      'Not in the tower.',
    ])
  })

  it('takes a text without any end', () => {
    const text = 'word '.repeat(20_000)
    const spans = toSentences(text)
    expect(spans.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text)
  })
})

describe('decodeText', () => {
  it('reads UTF-8, UTF-16 and, else, Windows-1252', () => {
    expect(decodeText(new TextEncoder().encode('größe'))).toBe('größe')
    expect(decodeText(new Uint8Array([0xff, 0xfe, 0x67, 0x00, 0xf6, 0x00]))).toBe('gö')
    expect(decodeText(new Uint8Array([0x67, 0xf6, 0x80]))).toBe('gö€')
  })

  it('refuses what is no text', () => {
    for (const bytes of [
      [0x61, 0x00, 0x62],
      [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0x61, 3, 0],
    ]) {
      expect(() => decodeText(Uint8Array.from(bytes))).toThrow('binary')
    }
  })
})

describe('estimateTokens', () => {
  it('counts a wide character more than a letter', () => {
    expect(estimateTokens('a'.repeat(1000))).toBe(235)
    expect(estimateTokens('中'.repeat(1000))).toBe(750)
  })
})

it.each([
  ['\u015fehir', 'tr', 'sehir'],
  ['ngh\u1ec9 ph\u00e9p \u0111\u1ed9c', 'vi', 'nghi phep doc'],
  ['ma\u0219in\u0103', 'ro', 'masina'],
  ['\u0439\u043e\u0433\u0443\u0440\u0442', 'ru', '\u0439\u043e\u0433\u0443\u0440\u0442'],
])('terms of Latin letters have no accents: %s', (text, language, bare) => {
  expect(analyse(text, language).join(' ')).toBe(analyse(bare, language).join(' '))
})
