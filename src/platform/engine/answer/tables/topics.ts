import { LANGUAGES } from '#lexicon/languages.ts'
import { matchPart, matchWhole, phrasesIn } from '#lexicon/match.ts'
import { type Topic, TOPICS } from '#lexicon/table-words.ts'
import { byText } from './by-text.ts'

const topicPatterns = (list: 'topicHeaders' | 'topics', toPattern: (phrases: readonly string[]) => RegExp) =>
  TOPICS.map(
    (topic) => [topic, toPattern(LANGUAGES.flatMap(({ tables }) => phrasesIn(tables?.[list]?.[topic])))] as const,
  )
const ASKED_TOPICS = topicPatterns('topics', matchWhole)
const HEADER_TOPICS = topicPatterns('topicHeaders', matchPart)

export const topicsOfHeader = byText((header): readonly Topic[] =>
  HEADER_TOPICS.filter(([, pattern]) => pattern.test(header.toLowerCase())).map(([topic]) => topic),
)

export const topicsOfWord = byText((word): readonly Topic[] =>
  ASKED_TOPICS.filter(([, pattern]) => pattern.test(word)).map(([topic]) => topic),
)

export const isTopicWord = (word: string): boolean => topicsOfWord(word).length > 0
