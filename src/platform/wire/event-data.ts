/** The content of an event: documents, the end of the stream, both, or nothing at all. */
export interface EventData {
  /** JSON, each document as it came; another text is one piece. */
  readonly documents: readonly string[]
  readonly isEnd: boolean
}

const NOTHING: EventData = { documents: [], isEnd: false }
const END = /^"?\[?done\]?"?$/i
/** Signs of life that some gateways send as data. */
const LIVES = /^(?::.*|ping|pong|keep-?alive|heartbeat)$/i

/** JSON objects and lists that follow one another, also on one line; undefined: the text is something else. */
function splitDocuments(text: string): readonly string[] | undefined {
  const found: string[] = []
  let depth = 0
  let from = 0
  let isString = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (isString) {
      if (character === '\\') at += 1
      else if (character === '"') isString = false
    } else if (character === '"') {
      if (depth === 0) return undefined
      isString = true
    } else if (character === '{' || character === '[') {
      if (depth === 0 && /[^\s,]/.test(text.slice(from, at))) return undefined
      if (depth === 0) from = at
      depth += 1
    } else if (character === '}' || character === ']') {
      depth -= 1
      if (depth < 0) return undefined
      if (depth === 0) {
        found.push(text.slice(from, at + 1))
        from = at + 1
      }
    }
  }
  return depth === 0 && !/[^\s,]/.test(text.slice(from)) ? found : undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The items of a list of events, as Gemini's gateways send them. */
const itemsOf = (text: string): readonly string[] =>
  (text.startsWith('[') ? splitDocuments(text.slice(1, -1)) : undefined) ?? [text]

function withEnd(text: string): EventData {
  const lines = text.split(/\r?\n/)
  const last = (lines.at(-1) ?? '').replace(/^data:\s?/, '').trim()
  const isEnd = lines.length > 1 && END.test(last)
  const rest = isEnd ? lines.slice(0, -1).join('\n') : text
  const documents = splitDocuments(rest)
  if (documents === undefined && !isEnd) return { documents: [text], isEnd: false }
  return { documents: documents ?? [rest], isEnd }
}

/**
 * Reads the data of an event: usually one document or `[DONE]`. Some servers send several documents in one event, its
 * field name twice, a sign of life, or the end mark in other letters.
 */
export function readEventData(data: string): EventData {
  const text = data.trim().replace(/^(?:data:\s?)+/, '')
  if (text === '' || LIVES.test(text)) return NOTHING
  if (END.test(text)) return { documents: [], isEnd: true }
  if (isJson(text)) return { documents: itemsOf(text), isEnd: false }
  return withEnd(text)
}

/** A line without a field that begins a document, or goes on with one. */
const BARE = /[\r\n](?:\{|error: ?\{|[ \t]*["}\]]|[ \t]+[{[])/
/** The same at the beginning of a piece. */
const BARE_START = /^(?:\{|error: ?\{|[ \t]*["}\]]|[ \t]+(?:[{[]|$))/
/** Blanks at the beginning of a line: the next piece tells what they are of. */
const BLANKS = /[\r\n][ \t]+$/

/**
 * Gives lines that have no field of the format one: those of servers that send lines of JSON, or an error without
 * `data:`, in one line or in several.
 *
 * @returns a function that takes each piece of the stream; the last one is empty or ends a line
 */
export function createLineMender(): (piece: string) => string {
  let isStart = true
  let held = ''
  return (piece) => {
    const whole = held + piece
    if (whole === '') return ''
    const wasStart = isStart
    const isPlain = held === '' && !(wasStart && BARE_START.test(piece)) && !BARE.test(piece) && !BLANKS.test(piece)
    isStart = piece.endsWith('\n') || piece.endsWith('\r')
    if (isPlain) return piece
    const all = wasStart ? `\n${whole}` : whole
    held = piece === '' ? '' : (BLANKS.exec(all)?.[0].slice(1) ?? '')
    const text = all.slice(0, all.length - held.length)
    isStart = /[\r\n]$/.test(text)
    const mended = !BARE.test(text)
      ? text
      : text
          .replaceAll(/([\r\n])(?=\{)/g, '$1\ndata: ')
          .replaceAll(/([\r\n])error: ?(?=\{)/g, '$1\nevent: error\ndata: ')
          .replaceAll(/([\r\n])(?=[ \t]*["}\]]|[ \t]+[{[])/g, '$1data: ')
    return wasStart ? mended.slice(1) : mended
  }
}
