import { composeMessages } from '#bridge/answers/compose-messages.ts'
import { readAnswer, isUnanswered } from '#bridge/answers/read-answer.ts'
import type { Platform } from '#bridge/port/platform.ts'
import type { GoldenCase, GoldenPassage } from './golden.ts'

/** Result of one question. */
export interface CaseResult {
  readonly outcome: 'answered' | 'refused' | 'failed'
  /** True when the answer is as people want it. */
  readonly pass: boolean
  /** True when an expected file is cited; undefined where none is expected. */
  readonly file?: boolean
  /** The same for an expected passage. */
  readonly passage?: boolean
  /** The cited files, or the reason of a failure. */
  readonly said: string
}

/** The answer is not shown while it streams. */
const SILENT = { push: () => undefined, onWait: () => undefined }

/** Asks with the bridge's own prompt, and judges the answer as the bridge does. */
export async function askCase(
  platform: Pick<Platform, 'chat'>,
  golden: GoldenCase,
  asked: { readonly model: string; readonly collection: string; readonly signal: AbortSignal },
): Promise<CaseResult> {
  const { question } = golden
  const { model, collection, signal } = asked
  const messages = composeMessages({ question, turns: [], fromFiles: true })
  try {
    const request = { model, messages, collection }
    const answer = await readAnswer(platform, request, { question, signal, out: SILENT })
    if (isUnanswered(answer)) return judge(golden, 'refused', [])
    const { references, used } = answer.end
    const cited = references.filter(({ number }) => used.has(number))
    const shown = cited.length > 0 ? cited : references
    return judge(
      golden,
      'answered',
      shown.map(({ file, body }) => ({ file, passage: body })),
    )
  } catch (error) {
    if (signal.aborted) throw error
    return { outcome: 'failed', pass: false, said: error instanceof Error ? error.message : String(error) }
  }
}

function judge(
  { want, expected, rejected }: GoldenCase,
  outcome: 'answered' | 'refused',
  cited: readonly GoldenPassage[],
): CaseResult {
  const said = [...new Set(cited.map(({ file }) => file))].join(', ')
  const hits = (wanted: readonly GoldenPassage[], same: typeof isSameFile) =>
    wanted.some((one) => cited.some((other) => same(one, other)))
  if (want === 'refusal') return { outcome, said, pass: outcome === 'refused' }
  if (want === 'other') return { outcome, said, pass: outcome === 'refused' || !hits(rejected, isSamePassage) }
  if (expected.length === 0) return { outcome, said, pass: outcome === 'answered' }
  const file = hits(expected, isSameFile)
  return { outcome, said, file, passage: hits(expected, isSamePassage), pass: outcome === 'answered' && file }
}

function isSameFile(one: GoldenPassage, other: GoldenPassage): boolean {
  return one.file.normalize() === other.file.normalize()
}

/** Chunk borders may change: passages match when most words of the shorter one are in the longer one. */
const SHARED = 0.6

function isSamePassage(one: GoldenPassage, other: GoldenPassage): boolean {
  if (!isSameFile(one, other)) return false
  const [few, many] = [wordsOf(one.passage), wordsOf(other.passage)].toSorted((a, b) => a.size - b.size)
  if (few === undefined || many === undefined || few.size === 0) return false
  return few.intersection(many).size / few.size >= SHARED
}

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
