import { createRandom, type Random } from '../platform/hostile/random.ts'

/** A family of texts: a piece repeated to any length, between a beginning and an end. */
export interface Family {
  readonly prefix: string
  readonly piece: string
  readonly suffix: string
}

const ALPHABETS: Readonly<Record<string, readonly string[]>> = {
  markdown: [
    '[',
    ']',
    '](',
    '![',
    '(',
    ')',
    '*',
    '**',
    '_',
    '`',
    '```\n',
    '~~',
    '# ',
    '> ',
    '- ',
    '1. ',
    '|',
    '|-',
    '\\',
    '<',
    '>',
    'https://a.b',
    '[a](',
    '[RREF1]',
    '【1】',
    '\n\n',
    '---\n',
    '"',
  ],
  html: [
    '<pre>',
    '</pre>',
    '<a href="',
    '<b>',
    '</b>',
    '<!--',
    '-->',
    '&amp;',
    '&#',
    '<table><tr><td>',
    '</td>',
    '<li>',
    '<ul>',
    '<p>',
    '<script>',
    '</script',
    '<br',
    '="',
    "='",
    '/>',
    '<![CDATA[',
  ],
  yaml: ['---\n', 'a: ', '- ', '[', '{', '}', ',', '"', "'", '&a ', '*a ', '| \n', '>\n', '? ', ': ', '\n  ', '!!str '],
  rtf: ['{', '}', '\\', '\\par ', '\\b ', "\\'e4", '\\u8364?', '{\\*\\', '\\bin9 ', '\\cell ', '\\row ', '\\intbl '],
  mail: [
    'From: ',
    'To: ',
    'Subject: ',
    '=?utf-8?q?',
    '?=',
    '=20',
    '=\n',
    '\r\n ',
    '--b\r\n',
    'Content-Type: ',
    ';',
    ' boundary=b',
    '<a@b>',
    ',',
    '(',
    ')',
    '"',
  ],
  cjk: ['计', '画', '。', '、', 'の', 'カ', '가', '「', '」', '\u3000', 'ไทย', '𠮷'],
  white: [' ', '\t', '\n', '\r\n', '\u00a0', '\u2028', '\u200b', '  \n', '\f'],
  letters: [
    'a',
    'A',
    'é',
    'e\u0301',
    'ß',
    '1',
    '.',
    ',',
    ';',
    ':',
    '?',
    '!',
    '@',
    '/',
    '%',
    '0:42',
    'www.',
    '.com',
    '🙂',
    '\u202e',
    'the ',
    'не ',
    '|',
    '=',
  ],
}
const NAMES = Object.keys(ALPHABETS)

function tokens(random: Random, most: number, alphabet: string): string {
  const count = random.int(most + 1)
  // Mostly of one alphabet: marks of one language belong together.
  const one = () => random.pick(ALPHABETS[random.int(4) === 0 ? random.pick(NAMES) : alphabet] ?? [''])
  return Array.from({ length: count }, one).join('')
}

/** The same family for the same seed and number. */
export function familyAt(seed: number, number: number): Family {
  const random = createRandom(seed * 2_654_435_761 + number)
  const alphabet = random.pick(NAMES)
  const piece = tokens(random, 3, alphabet) || random.pick(ALPHABETS[alphabet] ?? ['a'])
  return { prefix: tokens(random, 3, alphabet), piece, suffix: tokens(random, 3, alphabet) }
}
