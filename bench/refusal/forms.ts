/** What people write around a question. */
interface Around {
  readonly before: string
  readonly after: string
}

const GREETINGS: Readonly<Record<string, Around>> = {
  en: { before: 'Hi! ', after: ' Thanks!' },
  de: { before: 'Hallo! ', after: ' Danke!' },
  es: { before: '¡Hola! ', after: ' ¡Gracias!' },
  tr: { before: 'Merhaba! ', after: ' Teşekkürler!' },
  ro: { before: 'Bună! ', after: ' Mulțumesc!' },
  vi: { before: 'Xin chào! ', after: ' Cảm ơn!' },
}

const SENTENCES: Readonly<Record<string, Around>> = {
  en: { before: 'Hi all, quick one, sorry if this was asked before: ', after: ' Thanks a lot!' },
  de: { before: 'Hallo zusammen, kurze Frage, sorry falls das schon mal gefragt wurde: ', after: ' Vielen Dank!' },
  es: { before: 'Hola a todos, una pregunta rápida, perdón si ya se preguntó antes: ', after: ' ¡Muchas gracias!' },
  tr: {
    before: 'Herkese merhaba, kısa bir sorum var, daha önce sorulduysa kusura bakmayın: ',
    after: ' Çok teşekkürler!',
  },
  ro: { before: 'Bună tuturor, o întrebare scurtă, scuze dacă s-a mai întrebat: ', after: ' Mulțumesc mult!' },
  vi: { before: 'Chào mọi người, cho mình hỏi nhanh, xin lỗi nếu câu này đã được hỏi rồi: ', after: ' Cảm ơn nhiều!' },
}

/** Written before the lists of the lexicon, and not looked at while they were. */
const OTHER_SENTENCES: Readonly<Record<string, Around>> = {
  en: {
    before: 'Good morning everyone, I hope you are well. I was wondering about something: ',
    after: ' Many thanks in advance, much appreciated.',
  },
  de: {
    before: 'Guten Morgen liebe Kolleginnen und Kollegen, ich hätte da mal eine Frage: ',
    after: ' Danke schon mal im Voraus und liebe Grüße!',
  },
  es: { before: 'Buenos días, espero que estéis bien. Tengo una duda: ', after: ' Gracias de antemano, un saludo.' },
  tr: { before: 'İyi günler arkadaşlar, bir şey soracaktım: ', after: ' Şimdiden çok teşekkür ederim.' },
  ro: { before: 'Bună ziua, sper că sunteți bine. Aș avea o întrebare: ', after: ' Vă mulțumesc anticipat!' },
  vi: { before: 'Chào buổi sáng cả nhà, mình muốn hỏi một chút: ', after: ' Cảm ơn cả nhà trước nhé!' },
}

/** The languages that the forms are written in. */
export const FORM_LANGUAGES = Object.keys(SENTENCES)

const MIN_SWAPPED_CHARS = 5

/** Two letters in the middle of the longest word change places. */
function withSwap(text: string): string {
  const words = [...text.matchAll(/\p{L}+/gu)].filter(([word]) => word.length >= MIN_SWAPPED_CHARS)
  const [word] = words.toSorted((one, other) => other[0].length - one[0].length)
  if (word === undefined) return text
  const at = word.index + Math.floor(word[0].length / 2) - 1
  return [text.slice(0, at), text[at + 1], text[at], text.slice(at + 2)].join('')
}

const SLIPS: readonly ((word: string, at: number) => string)[] = [
  (word, at) => `${word.slice(0, at)}${word.slice(at + 1)}`,
  (word, at) => `${word.slice(0, at)}${word[at]}${word.slice(at)}`,
  (word, at) => `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`,
]
const MIN_SLIP_CHARS = 4

/** Three words have a slip each: a letter left out, one twice, two swapped; never the first letter. */
const withSlips = (text: string): string => {
  const words = [...text.matchAll(/\p{L}+/gu)].filter(([word]) => word.length >= MIN_SLIP_CHARS)
  const some = new Map(words.filter((_, at) => at % 2 === 0).map((word, at) => [word.index, SLIPS[at]]))
  return text.replaceAll(/\p{L}+/gu, (word, index: number) =>
    (some.get(index) ?? ((same: string) => same))(word, Math.floor(word.length / 2)),
  )
}

const withoutAccents = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('đ', 'd').replaceAll('Đ', 'D').replaceAll('ı', 'i')

const around = (words: Around | undefined, text: string) => `${words?.before ?? ''}${text}${words?.after ?? ''}`

/** A question as people type it, by the name of the form. */
export const formsOf = (language: string, text: string): Readonly<Record<string, string>> => ({
  'as written': text,
  greeting: around(GREETINGS[language], text),
  sentence: around(SENTENCES[language], text),
  'other sentence': around(OTHER_SENTENCES[language], text),
  'one swapped pair': withSwap(text),
  'three slips': withSlips(text),
  'accents left out': withoutAccents(text),
})
