import { stopwords as arabic } from '@orama/stopwords/arabic'
import { stopwords as danish } from '@orama/stopwords/danish'
import { stopwords as dutch } from '@orama/stopwords/dutch'
import { stopwords as english } from '@orama/stopwords/english'
import { stopwords as finnish } from '@orama/stopwords/finnish'
import { stopwords as french } from '@orama/stopwords/french'
import { stopwords as german } from '@orama/stopwords/german'
import { stopwords as greek } from '@orama/stopwords/greek'
import { stopwords as hungarian } from '@orama/stopwords/hungarian'
import { stopwords as hindi } from '@orama/stopwords/indian'
import { stopwords as italian } from '@orama/stopwords/italian'
import { stopwords as norwegian } from '@orama/stopwords/norwegian'
import { stopwords as portuguese } from '@orama/stopwords/portuguese'
import { stopwords as romanian } from '@orama/stopwords/romanian'
import { stopwords as russian } from '@orama/stopwords/russian'
import { stopwords as spanish } from '@orama/stopwords/spanish'
import { stopwords as swedish } from '@orama/stopwords/swedish'
import { stopwords as turkish } from '@orama/stopwords/turkish'
import { LANGUAGES } from '#lexicon/languages.ts'
import { wordsIn } from '#lexicon/match.ts'

/** Lists that were made for documents, by ISO 639-1 code. */
const OF_DOCUMENTS: Readonly<Record<string, readonly string[]>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  pt: portuguese,
  nl: dutch,
  sv: swedish,
  da: danish,
  no: norwegian,
  fi: finnish,
  hu: hungarian,
  ro: romanian,
  ru: russian,
  tr: turkish,
  ar: arabic,
  el: greek,
  hi: hindi,
}

/** Stop words of a language, with those of questions, which would look rare and so telling. */
export const stopWordsOf = (code: string): readonly string[] => [
  ...(OF_DOCUMENTS[code] ?? []),
  ...wordsIn(LANGUAGES.find((language) => language.code === code)?.search?.stopWords),
]
