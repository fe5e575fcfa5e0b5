import { startUpstreamDouble } from '#test/doubles/upstream/double.ts'
import { promptText, type UpstreamRequest } from '#test/doubles/upstream/script.ts'

export const modelName = 'bench-model'
/** How the model answers: its own time to the first piece, between pieces, and the pieces between head and end. */
export interface Pace {
  readonly firstTokenMs: number
  readonly betweenTokensMs: number
  readonly pieces: readonly string[]
}

const quick: Pace = {
  firstTokenMs: 50,
  betweenTokensMs: 5,
  pieces: Array.from({ length: 8 }, (_, index) => `word${index} `),
}

const sentence =
  'The ferry to the island leaves at 9:40 from pier seven, and a **return ticket** costs twelve euros a person. '

/** An answer of this many characters as a language model streams it: 200 ms, then 100 characters every 40 ms. */
export function longAnswer(characters: number): Pace {
  const text = sentence.repeat(Math.ceil(characters / sentence.length)).slice(0, characters)
  const pieces = Array.from({ length: Math.ceil(characters / 100) }, (_, index) =>
    text.slice(index * 100, (index + 1) * 100),
  )
  return { firstTokenMs: 200, betweenTokensMs: 40, pieces }
}

export const questionText = (id: number) => `bench-${id}: when does the ferry to the island leave?`
/** How every answer begins, and how the answer to this question ends. */
export const answerHead = 'Answer'
export const answerEnd = (id: number) => `end-${id}.`

/** The scripted model that every bot talks to: it says when a question came in and when its first token left. */
export interface Model extends AsyncDisposable {
  readonly baseUrl: string
  /** The model's own time to its first token for this question, milliseconds. */
  ownMs(id: number): number
  /** By `performance.now()`. */
  askedAt(id: number): number
  /** When its last piece was due. */
  endedAt(id: number): number
}

interface Asked {
  readonly at: number
  readonly request: UpstreamRequest
}

export async function startModel(pace: Pace = quick): Promise<Model> {
  const asked = new Map<number, Asked>()

  function answerBy(request: UpstreamRequest) {
    const at = performance.now()
    const id = Number([...promptText(request).matchAll(/bench-(\d+)/g)].at(-1)?.[1])
    if (Number.isNaN(id)) return undefined
    asked.set(id, { at, request })
    return {
      kind: 'chat' as const,
      deltas: [`${answerHead} ${id} `, ...pace.pieces, answerEnd(id)],
      firstDelayMs: pace.firstTokenMs,
      delayMs: pace.betweenTokensMs,
    }
  }

  const double = await startUpstreamDouble({ models: [modelName], answerBy })

  function of(id: number): Asked {
    const found = asked.get(id)
    if (found === undefined) throw new Error(`The model was never asked question ${id}.`)
    return found
  }

  return {
    baseUrl: double.baseUrl,
    ownMs(id) {
      const { at, request } = of(id)
      return (request.firstDeltaAt ?? Number.NaN) - at
    },
    askedAt: (id) => of(id).at,
    endedAt: (id) => (of(id).request.firstDeltaAt ?? Number.NaN) + (pace.pieces.length + 1) * pace.betweenTokensMs,
    [Symbol.asyncDispose]: () => double.close(),
  }
}
