import { formatNumber } from '../markdown/list-numbers.ts'

/** Letters and signs of the formats of ECMA-376, 17.18.59, as code points; Word skips those between the ranges. */
const SIGNS: Readonly<Record<string, string>> = {
  russianLower: '430-438 43a-449 44b 44d-44f',
  russianUpper: '410-418 41a-429 42b 42d-42f',
  hebrew1: '5d0-5d9',
  hebrew2: '5d0-5d9 5db 5dc 5de 5e0-5e2 5e4 5e6-5ea',
  arabicAlpha: '623 628 62a-63a 641-648 64a',
  arabicAbjad:
    '623 628 62c 62f 647 648 632 62d 637 64a 643-646 633 639 641 635 642 631 634 62a-62b 62e 630 636 638 63a',
  aiueoFullWidth:
    '30a2 30a4 30a6 30a8 30aa-30ab 30ad 30af 30b1 30b3 30b5 30b7 30b9 30bb 30bd 30bf 30c1 30c4 30c6 30c8 30ca-30cf 30d2 30d5 30d8 30db 30de-30e2 30e4 30e6 30e8-30ed 30ef 30f2-30f3',
  ganada: 'ac00 b098 b2e4 b77c b9c8 bc14 c0ac c544 c790 cc28 ce74 d0c0 d30c d558',
  chosung: '3131 3134 3137 3139 3141 3142 3145 3147 3148 314a-314e',
  decimalEnclosedCircle: '2460-2473',
  decimalEnclosedCircleChinese: '2460-2473',
  decimalEnclosedParen: '2474-2487',
  decimalEnclosedFullstop: '2488-249b',
  ideographTraditional: '7532 4e59 4e19 4e01 620a 5df1 5e9a 8f9b 58ec 7678',
  ideographZodiac: '5b50 4e11 5bc5 536f 8fb0 5df3 5348 672a 7533 9149 620c 4ea5',
}

function* toSigns(ranges: string): Generator<string> {
  for (const range of ranges.split(' ')) {
    const [first = 0, last = first] = range.split('-').map((code) => Number.parseInt(code, 16))
    for (let code = first; code <= last; code += 1) yield String.fromCodePoint(code)
  }
}

/** Zero to nine, ten and a hundred, as Chinese and Japanese write them. */
const HAN = [...toSigns('96f6 4e00 4e8c 4e09 56db 4e94 516d 4e03 516b 4e5d 5341 767e')]
const HAN_COUNTS = new Set(
  'chineseCounting chineseCountingThousand taiwaneseCounting taiwaneseCountingThousand japaneseCounting'.split(' '),
)

function toHan(number: number): string | undefined {
  const [zero = '', ten = '', hundred = ''] = [HAN[0], HAN[10], HAN[11]]
  if (number < 1 || number > 999) return undefined
  const [hundreds, tens, ones] = [Math.floor(number / 100), Math.floor(number / 10) % 10, number % 10]
  const front = hundreds === 0 ? '' : `${HAN[hundreds]}${hundred}`
  const middle =
    tens > 0 ? `${tens === 1 && hundreds === 0 ? '' : HAN[tens]}${ten}` : front !== '' && ones > 0 ? zero : ''
  return `${front}${middle}${ones === 0 ? '' : HAN[ones]}`
}

/** After z comes aa, after it bb: Word repeats the letter. */
const toLetters = (number: number) =>
  number < 1 || number > 26 * 8
    ? String(number)
    : formatNumber(((number - 1) % 26) + 1, 'a').repeat(Math.ceil(number / 26))

/** English endings: Word has others for other languages. */
const toOrdinal = (number: number) => {
  const isTeen = Math.floor(number / 10) % 10 === 1
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`
}

const ONES = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen'
).split(' ')
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
/** Ordinals that are not made with `th`. */
const ORDINALS: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}

const toOrdinalWord = (word: string) => ORDINALS[word] ?? `${word.replace(/y$/, 'ie')}th`

/** A number below a hundred in English words; digits for others. */
function toWords(number: number, isOrdinal: boolean): string {
  if (number < 0 || number > 99) return isOrdinal ? toOrdinal(number) : String(number)
  const tens = number < 20 ? '' : (TENS[Math.floor(number / 10) - 2] ?? '')
  const ones = number < 20 ? (ONES[number] ?? '') : number % 10 === 0 ? '' : (ONES[number % 10] ?? '')
  const parts = [tens, ones].filter((part) => part !== '')
  const words = isOrdinal ? [...parts.slice(0, -1), toOrdinalWord(parts.at(-1) ?? '')].join('-') : parts.join('-')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

/**
 * A number in a format of Word; undefined for signs and numbers that are not shown, digits where the format has no sign
 * for it.
 */
export function toFormat(number: number, format: string | undefined): string | undefined {
  if (format === 'bullet' || format === 'none') return undefined
  if (format === 'decimalZero') return String(number).padStart(2, '0')
  if (format === 'ordinal') return toOrdinal(number)
  if (format === 'ordinalText' || format === 'cardinalText') return toWords(number, format === 'ordinalText')
  if (format === 'lowerLetter' || format === 'upperLetter') {
    return format === 'lowerLetter' ? toLetters(number) : toLetters(number).toUpperCase()
  }
  if (format === 'lowerRoman' || format === 'upperRoman')
    return formatNumber(number, format === 'lowerRoman' ? 'i' : 'I')
  const sign = HAN_COUNTS.has(format ?? '') ? toHan(number) : [...toSigns(SIGNS[format ?? ''] ?? '')][number - 1]
  return sign ?? String(number)
}
