import { readFileSync } from 'node:fs'
import { answerFromPassages } from '#platform/engine/answer/extractive.ts'
import type { SearchResult } from '#platform/engine/search/types.ts'
import { createTally, type Tally } from './figures.ts'
import type { Library } from './library.ts'
import { reciprocalRank } from './measures.ts'
import { halfOf, type SciFact, type Xquad } from './sets.ts'

/** As many passages as a chat is given. */
const passagesAsked = 6

/** The `extractive` model's text; undefined when it says that the answer is not there. */
function answer(question: string, { hits, quotes, language }: SearchResult): string | undefined {
  const passages = hits.map((hit) => ({
    file: 'document.md',
    place: '',
    headings: hit.headings,
    lead: hit.lead,
    body: hit.body,
    distance: 1 - hit.score,
    coverage: hit.coverage,
  }))
  const { text, refuses } = answerFromPassages(question, { passages, quotes, language, nothingIndexed: false })
  return refuses ? undefined : text
}

const goals = {
  en: { mrr: 0.962, answer: 0.85 },
  de: { mrr: 0.945, answer: 0.77 },
  zh: { mrr: 0.95, answer: 0.83 },
} as const

export type XquadLanguage = keyof typeof goals

export const xquadLanguages: readonly XquadLanguage[] = ['en', 'de', 'zh']

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** XQuAD: each paragraph a file; the paragraph found, and the answer within the quoted sentences. */
export async function measureXquad(library: Library, language: XquadLanguage, set: Xquad): Promise<Tally[]> {
  const index = `xquad-${language}`
  await library.fill(
    index,
    set.paragraphs.map(({ text }) => text),
  )
  const goal = goals[language]
  const ranks = createTally(`XQuAD ${language}, MRR@10`, { atLeast: goal.mrr })
  const answers = createTally(`XQuAD ${language}, answer within three sentences`, { atLeast: goal.answer })
  const refusals = createTally(`XQuAD ${language}, refused`)
  for (const { text, paragraph, article, answers: right } of set.questions) {
    // oxlint-disable-next-line no-await-in-loop -- the index answers one question at a time
    const ranked = await library.store.search(index, { question: text, limit: 10 })
    const found = [...new Set(ranked.hits.map((hit) => hit.fileId - 1))]
    ranks.add(halfOf(article), reciprocalRank(found, paragraph))
    // oxlint-disable-next-line no-await-in-loop -- as above
    const asked = await library.store.search(index, { question: text, limit: passagesAsked, quotes: true })
    const said = answer(text, asked)
    const isRight = said !== undefined && right.some((one) => said.includes(oneLine(one)))
    answers.add(halfOf(article), Number(isRight))
    refusals.add(halfOf(article), Number(said === undefined))
  }
  return [ranks, answers, refusals]
}

/** Claims of biomedicine asked of XQuAD's English paragraphs, which hold none of their answers. */
export async function measureOffTopic(library: Library, claims: SciFact['queries']): Promise<Tally[]> {
  const tally = createTally('claims of SciFact answered from XQuAD en', { atMost: 0.02 })
  for (const { id, text } of claims) {
    const request = { question: text, limit: passagesAsked, quotes: true }
    // oxlint-disable-next-line no-await-in-loop -- the index answers one question at a time
    const said = answer(text, await library.store.search('xquad-en', request))
    tally.add(halfOf(id), Number(said !== undefined))
  }
  return [tally]
}

/**
 * XQuAD's questions asked of paragraphs that answer none of them: in German and Chinese rules of trades and houses, in
 * English, harder, history in the manner of an encyclopedia.
 */
export async function measureOtherField(library: Library, language: XquadLanguage, set: Xquad): Promise<Tally> {
  const text = readFileSync(new URL(`other-field/${language}.md`, import.meta.url), 'utf8')
  const index = `other-field-${language}`
  await library.fill(index, text.trim().split('\n\n'))
  const tally = createTally(`XQuAD ${language}, answered from another field`, { atMost: 0.02 })
  for (const { text: question, article } of set.questions) {
    const request = { question, limit: passagesAsked, quotes: true }
    // oxlint-disable-next-line no-await-in-loop -- the index answers one question at a time
    const said = answer(question, await library.store.search(index, request))
    tally.add(halfOf(article), Number(said !== undefined))
  }
  return tally
}

/** Harder, and with no goal: the articles of one half asked of an index that holds the other half only. */
export async function measureNeighbours(library: Library, language: XquadLanguage, set: Xquad): Promise<Tally[]> {
  const tally = createTally(`XQuAD ${language}, questions about other articles answered`)
  for (const half of ['tuning', 'held out'] as const) {
    const index = `neighbours-${language}-${half === 'tuning' ? 'a' : 'b'}`
    const others = set.paragraphs.filter(({ article }) => halfOf(article) !== half)
    // oxlint-disable-next-line no-await-in-loop -- one index after the other
    await library.fill(
      index,
      others.map(({ text }) => text),
    )
    for (const { text } of set.questions.filter(({ article }) => halfOf(article) === half)) {
      const request = { question: text, limit: passagesAsked, quotes: true }
      // oxlint-disable-next-line no-await-in-loop -- the index answers one question at a time
      const said = answer(text, await library.store.search(index, request))
      tally.add(half, Number(said !== undefined))
    }
  }
  return [tally]
}
