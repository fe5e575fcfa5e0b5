import { z } from 'zod'

/** Every limit of the contract. Where the interface says "not shown", the certainty follows the figure. */
export const LIMITS = {
  /** Characters. Shown. */
  collectionName: { min: 1, max: 100 },
  /** Characters. Guess (C): "about 150". */
  fileName: { min: 1, max: 150 },
  /** Bytes of one uploaded file. Guess (U): as for conversion. */
  fileBytes: 100 * 1024 * 1024,
  /** Bytes of a document to convert; over it 413. Guess (B). */
  conversionBytes: 100 * 1024 * 1024,
  /** Guess (B). */
  imageResolutionScale: { min: 1, max: 4 },
  /** Length of a recording, seconds. Guess (B). */
  audioSeconds: 600,
  /** Streams of one key at once before further ones are dropped silently. Guess (C): "about 9". */
  streamsPerKey: 9,
  /** Requests a window, fixed windows, one count for all endpoints. Guess (B): a usual quota. */
  quota: { minute: 30, hour: 200, day: 1000, month: 3000 },
} as const

/** Bounds of JSON from outside, checked before it is decoded. */
export interface JsonBounds {
  /** Nesting depth; a tool's schema has a dozen levels. */
  readonly depth: number
  /** Number of elements, fields and brackets. */
  readonly values: number
}

/** Bounds of a request, of one event, and of an answer that is no list. */
export const JSON_BOUNDS: JsonBounds = { depth: 200, values: 100_000 }
/** Bounds of lists and vectors, which have no limit in the contract. */
export const JSON_LIST_BOUNDS: JsonBounds = { depth: 200, values: 5_000_000 }

/** A list in an answer. Validation stops at the first invalid element, so a million of them make one fault. */
export function receivedList<Element extends z.ZodType>(element: Element) {
  return z.array(z.unknown()).transform((values, context): z.output<Element>[] => {
    const list: z.output<Element>[] = []
    for (const [index, value] of values.entries()) {
      const result = element.safeParse(value)
      if (!result.success) {
        const fault = result.error.issues[0]
        const path = [index, ...(fault?.path ?? [])]
        context.addIssue({ code: 'custom', message: fault?.message ?? 'invalid', path })
        return z.NEVER
      }
      list.push(result.data)
    }
    return list
  })
}

/**
 * Why this text exceeds the bounds, as the end of a sentence. Undefined: within bounds, or not JSON. Reads each
 * character once.
 */
export function jsonExcess(json: string, { depth, values }: JsonBounds = JSON_BOUNDS): string | undefined {
  let open = 0
  let count = 0
  for (let at = 0; at < json.length; at += 1) {
    const mark = json[at]
    if (mark === '"') {
      at = endOfString(json, at)
      if (at < 0) return undefined
    } else if (mark === '[' || mark === '{') {
      open += 1
      count += 1
    } else if (mark === ']' || mark === '}') open -= 1
    else if (mark === ',') count += 1
    if (open > depth) return `is nested deeper than ${depth} levels`
    if (count > values) return `holds more than ${values} values`
  }
  return undefined
}

/** Position of the closing quotation mark; -1 without one. */
function endOfString(json: string, start: number): number {
  let at = start
  do at = json.indexOf('"', at + 1)
  while (at > 0 && isEscaped(json, at))
  return at
}

/** True after an odd number of backslashes. */
function isEscaped(json: string, at: number): boolean {
  let from = at
  while (json[from - 1] === '\\') from -= 1
  return (at - from) % 2 === 1
}
