import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Settings are tuned on one half of a set and shown on the other. */
export type Half = 'tuning' | 'held out'

export const halves: readonly Half[] = ['tuning', 'held out']

/** The same half for the same key (FNV-1a, its bits mixed), whatever is around it. */
export function halfOf(key: string): Half {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(key)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (((hash ^ (hash >>> 15)) >>> 7) & 1) === 0 ? 'tuning' : 'held out'
}

export interface SciFact {
  readonly docs: readonly { readonly id: string; readonly title: string; readonly text: string }[]
  readonly queries: readonly { readonly id: string; readonly text: string }[]
  readonly qrels: Readonly<Record<string, Readonly<Record<string, number>>>>
}

export interface XquadQuestion {
  readonly text: string
  readonly answers: readonly string[]
  /** Position of the paragraph that answers. */
  readonly paragraph: number
  readonly article: string
}

export interface Xquad {
  readonly paragraphs: readonly { readonly text: string; readonly article: string }[]
  readonly questions: readonly XquadQuestion[]
}

interface SquadFile {
  readonly data: readonly {
    readonly title: string
    readonly paragraphs: readonly {
      readonly context: string
      readonly qas: readonly { readonly question: string; readonly answers: readonly { text: string }[] }[]
    }[]
  }[]
}

/** @throws {Error} when `BENCH_DATA` names no folder with the set in it. */
function readSet(name: string): unknown {
  // oxlint-disable-next-line node/no-process-env -- a folder of this machine; nothing of the program depends on it
  const folder = process.env['BENCH_DATA']
  if (folder === undefined || folder === '') {
    throw new Error('Set BENCH_DATA to the folder of the test sets: docs/retrieval.md says where they come from.')
  }
  return JSON.parse(readFileSync(join(folder, name), 'utf8'))
}

export const readSciFact = () => readSet('scifact.json') as SciFact

export function readXquad(language: string): Xquad {
  const { data } = readSet(`xquad.${language}.json`) as SquadFile
  const all = data.flatMap(({ title, paragraphs }) => paragraphs.map((paragraph) => ({ ...paragraph, article: title })))
  return {
    paragraphs: all.map(({ context, article }) => ({ text: context, article })),
    questions: all.flatMap(({ qas, article }, paragraph) =>
      qas.map(({ question, answers }) => ({
        text: question,
        answers: answers.map(({ text }) => text),
        paragraph,
        article,
      })),
    ),
  }
}
