import { promptText, type ChatAnswer, type UpstreamRequest } from '#test/doubles/upstream/script.ts'
import { partsOf } from './encoder.ts'

const passagePattern = /^Passage (\[RREF\d+\])\n<<<(\w+)\nFrom (.*):\n([\s\S]*?)\n\2>>>/gm
const questionMark = '\nThe question:\n'
const sentences = new Intl.Segmenter('und', { granularity: 'sentence' })

/** The agreed word of refusal. */
export const refuse = (): ChatAnswer => ({ kind: 'chat', text: 'NOT_IN_FILES' })

/** Least share of the question's weight in a passage for the reader to believe that it answers. */
const leastSaid = 0.55
/** A further passage is cited when it says nearly as much as the best. */
const nearBest = 0.95

/** The model's input. */
export function passagesOf(request: UpstreamRequest) {
  const found = promptText(request).matchAll(passagePattern)
  return Array.from(found, ([, mark = '', , from = '', body = '']) => ({ mark, from, body }))
}

/**
 * The scripted model: it reads the passages that it was given by the meanings of the same lexicon, answers with the
 * sentence that says most, cites that passage, and says the agreed word where none says enough.
 */
export function readPassages(request: UpstreamRequest): ChatAnswer {
  const prompt = promptText(request)
  // Words below an empty line serve the search only.
  const [question = ''] = prompt.slice(prompt.lastIndexOf(questionMark) + questionMark.length).split('\n\n')
  const asked = partsOf(question)
  const total = [...asked.values()].reduce((sum, weight) => sum + weight, 0)
  const read = passagesOf(request).map(({ mark, from, body }) => {
    const text = `${from}\n${body}`
    return { mark, said: share(asked, total, text), sentence: bestSentence(asked, total, body) }
  })
  const best = Math.max(0, ...read.map(({ said }) => said))
  if (best < leastSaid) return refuse()
  const cited = read.filter(({ said }) => said >= best * nearBest).slice(0, 2)
  return { kind: 'chat', text: cited.map(({ mark, sentence }) => `${sentence} ${mark}`).join('\n\n') }
}

function share(asked: ReadonlyMap<string, number>, total: number, text: string): number {
  const there = partsOf(text)
  let said = 0
  for (const [part, weight] of asked) if (there.has(part)) said += weight
  return total === 0 ? 0 : said / total
}

function bestSentence(asked: ReadonlyMap<string, number>, total: number, body: string): string {
  const all = Array.from(sentences.segment(body), ({ segment }) => segment.trim()).filter((one) => one !== '')
  const shares = all.map((sentence) => share(asked, total, sentence))
  return all[shares.indexOf(Math.max(...shares))]?.replace(/\s+/g, ' ') ?? ''
}

/** Marks nothing: then every passage that was read is shown, in the order of retrieval. */
export const markNothing = (): ChatAnswer => ({ kind: 'chat', text: 'This is what was found.' })
