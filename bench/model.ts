import { startUpstreamDouble } from '../test/doubles/upstream/double.ts'
import { promptText, type UpstreamRequest } from '../test/doubles/upstream/script.ts'

export const modelName = 'bench-model'
/** The model thinks this long before its first token, milliseconds. */
const firstTokenMs = 50
const betweenTokensMs = 5
const words = 8

export const questionText = (id: number) => `bench-${id}: when does the ferry to the island leave?`
/** How every answer begins, and how the answer to this question ends. */
export const answerHead = 'Answer'
export const answerEnd = (id: number) => `end-${id}.`

/** The scripted model that every bot talks to: it says when a question came in and when its first token left. */
export interface Model extends AsyncDisposable {
  readonly baseUrl: string
  /** So many questions will come; each has its id in it. */
  expect(count: number): void
  /** The model's own time to its first token for this question, milliseconds. */
  ownMs(id: number): number
  /** By `performance.now()`. */
  askedAt(id: number): number
}

interface Asked {
  readonly at: number
  readonly request: UpstreamRequest
}

export async function startModel(): Promise<Model> {
  const double = await startUpstreamDouble({ models: [modelName] })
  const asked = new Map<number, Asked>()

  function answer(request: UpstreamRequest) {
    const at = performance.now()
    const id = Number([...promptText(request).matchAll(/bench-(\d+)/g)].at(-1)?.[1])
    asked.set(id, { at, request })
    const middle = Array.from({ length: words }, (_, index) => `word${index} `)
    return {
      kind: 'chat' as const,
      deltas: [`${answerHead} ${id} `, ...middle, answerEnd(id)],
      firstDelayMs: firstTokenMs,
      delayMs: betweenTokensMs,
    }
  }

  function of(id: number): Asked {
    const found = asked.get(id)
    if (found === undefined) throw new Error(`The model was never asked question ${id}.`)
    return found
  }

  return {
    baseUrl: double.baseUrl,
    expect: (count) => double.script(...Array.from({ length: count }, () => answer)),
    ownMs(id) {
      const { at, request } = of(id)
      return (request.firstDeltaAt ?? Number.NaN) - at
    },
    askedAt: (id) => of(id).at,
    [Symbol.asyncDispose]: () => double.close(),
  }
}
