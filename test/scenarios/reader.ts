import { promptText, type UpstreamAnswer, type UpstreamRequest } from '../doubles/upstream/script.ts'

/** The model's text, word for word, where all its input looks like this; with a delay before each sentence, one by one. */
export type Rule = readonly [pattern: RegExp, text: string, delayMs?: number]

const EMPTY = new Set(['when', 'whic', 'what', 'from', 'does', 'afte', 'once', 'more', 'thes', 'this', 'with'])

/** The beginnings of words that tell something. */
const stems = (text: string): ReadonlySet<string> =>
  new Set(
    (text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).map((word) => word.slice(0, 4)).filter((stem) => !EMPTY.has(stem)),
  )

/** A model that reads: it says again what the first passage says that shares two words with the question, and cites it. */
export function createReader(spoken: readonly string[], rules: readonly Rule[] = []) {
  return (request: UpstreamRequest): UpstreamAnswer => {
    if (request.path === '/audio/transcriptions') {
      return { kind: 'transcript', text: spoken.at(-1) ?? 'Hello?', more: { language: 'english' } } as const
    }
    const prompt = promptText(request)
    const rule = rules.find(([pattern]) => pattern.test(prompt))
    if (rule !== undefined) {
      const [, text, delayMs] = rule
      return delayMs === undefined
        ? { kind: 'chat', text }
        : { kind: 'chat', deltas: text.match(/[^.]+\. ?/g) ?? [], firstDelayMs: delayMs, delayMs }
    }
    // It knows no synonyms.
    if (prompt.startsWith('A search in documents')) return { kind: 'chat', text: 'NOT_IN_FILES' } as const
    if (prompt.startsWith('Translate what'))
      return { kind: 'chat', text: 'Wann brennt die Lampe im Leuchtturm?' } as const
    // Asked to make a follow-up complete: all words of the conversation are a query.
    const [, last] = /\n\nLast question: (.*)$/s.exec(prompt) ?? []
    if (last !== undefined) {
      const first = /^Person: (.*)$/m.exec(prompt)?.[1] ?? ''
      return { kind: 'chat', text: `${last} ${first}` } as const
    }
    const passages = [...prompt.matchAll(/^Passage \[RREF(\d+)\][^\n]*\n<<<\w+\n([\s\S]*?)\n\w+>>>/gm)]
    const question = prompt.split('The question:').at(-1) ?? prompt
    const words = stems(question)
    const found = passages.find(([, , body = '']) => {
      const theirs = stems(body)
      return [...words].filter((word) => theirs.has(word)).length >= 2
    })
    if (found === undefined) return { kind: 'chat', text: passages.length > 0 ? 'NOT_IN_FILES' : 'Hello.' } as const
    const [, number = '', body = ''] = found
    const shared = (line: string) => [...stems(line)].filter((stem) => words.has(stem)).length
    const lines = body.replace(/^#.*$/gm, '').split('\n')
    const sentence = lines.toSorted((one, other) => shared(other) - shared(one))[0] ?? ''
    return { kind: 'chat', text: `${sentence} [RREF${number}]` } as const
  }
}
