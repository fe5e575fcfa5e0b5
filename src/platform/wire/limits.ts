import { z } from 'zod'

/** Every limit of the contract. Where the interface says "not shown", the certainty stands beside the figure. */
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
  /** Brackets in brackets; a schema of a tool has a dozen. */
  readonly depth: number
  /** Elements, fields and brackets together. */
  readonly values: number
}

/** Bounds of a request, of one event, and of an answer that is no list. */
export const JSON_BOUNDS: JsonBounds = { depth: 200, values: 100_000 }
/** Bounds of lists and vectors, which have no limit in the contract. */
export const JSON_LIST_BOUNDS: JsonBounds = { depth: 200, values: 5_000_000 }

/** A list in an answer. Its check ends at the first element that does not fit: a million of them make one fault. */
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
 * Why decoding this text would cost more than it may: the end of a sentence that begins with its name. Undefined: it is
 * within bounds, or no JSON. Reads each character once.
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

/** Place of the quotation mark that ends the string; -1 when nothing does. */
function endOfString(json: string, start: number): number {
  let at = start
  do at = json.indexOf('"', at + 1)
  while (at > 0 && isEscaped(json, at))
  return at
}

/** An odd number of backslashes stands before it. */
function isEscaped(json: string, at: number): boolean {
  let from = at
  while (json[from - 1] === '\\') from -= 1
  return (at - from) % 2 === 1
}
