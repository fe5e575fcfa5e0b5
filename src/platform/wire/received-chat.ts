/** A piece of a tool call. */
export interface ReceivedToolCall {
  readonly index: number
  readonly id?: string | undefined
  readonly name: string
  /** As the model wrote them: JSON, if it kept to the form. */
  readonly arguments: string
}

/** The words of a choice. A missing text is empty. */
export interface ReceivedWords {
  readonly content: string
  readonly reasoning: string
  readonly refusal: string
  readonly toolCalls: readonly ReceivedToolCall[]
}

export interface ReceivedChoice {
  readonly index: number
  readonly words: ReceivedWords
  /** The words are a whole message, not the next piece. */
  readonly isWhole: boolean
  /** The words came in another form than the contract has: a list of parts, or a message in an event of a stream. */
  readonly isUnusual: boolean
  readonly finishReason: string | undefined
}

export interface ReceivedChat {
  readonly choices: readonly ReceivedChoice[]
  readonly usage: Readonly<Record<string, unknown>> | undefined
  /** Entries of the References block as fields; absent: the platform sends none. */
  readonly references?:
    | readonly { readonly number: number; readonly file: string; readonly place?: string | undefined }[]
    | undefined
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Texts of a list of parts, of one part, or of a plain text: Mistral's reasoning models send lists. */
interface Parts {
  content: string
  reasoning: string
  refusal: string
}

/** Parts within parts: real ones have two levels. */
const MAX_DEPTH = 4

function addPart(part: unknown, to: Parts, depth = 0): void {
  if (typeof part === 'string') to.content += part
  else if (typeof part === 'number') to.content += String(part)
  else if (depth > MAX_DEPTH) return
  else if (Array.isArray(part)) for (const one of part) addPart(one, to, depth + 1)
  else addFields(fieldsOf(part), to, depth)
}

function addFields(part: Fields | undefined, to: Parts, depth: number): void {
  if (part === undefined) return
  const inner: Parts = { content: '', reasoning: '', refusal: '' }
  if (/think|reason/i.test(textIn(part['type']))) {
    for (const name of ['thinking', 'reasoning', 'text', 'content']) addPart(part[name], inner, depth + 1)
    to.reasoning += inner.content + inner.reasoning
  } else {
    to.refusal += textIn(part['refusal'])
    // Assistants' form: the text is an object with a `value`.
    addPart(part['text'] ?? part['content'] ?? part['value'], to, depth + 1)
  }
}

const NO_CALLS: readonly ReceivedToolCall[] = []

function toolCallsOf(words: Fields): readonly ReceivedToolCall[] {
  const { tool_calls: given } = words
  const old = fieldsOf(words['function_call'])
  if (!Array.isArray(given) && old === undefined) return NO_CALLS
  const calls = Array.isArray(given) ? (given as readonly unknown[]) : []
  return [...calls, ...(old === undefined ? [] : [{ function: old }])].flatMap((call, at) => {
    const fields = fieldsOf(call)
    const called = fieldsOf(fields?.['function'])
    if (fields === undefined || called === undefined) return []
    const { id } = fields
    const args = called['arguments']
    const index = Number(fields['index'] ?? at)
    return [
      {
        index: Number.isInteger(index) ? index : at,
        id: typeof id === 'string' ? id : undefined,
        name: textIn(called['name']),
        arguments: typeof args === 'string' ? args : (fieldsOf(args) && JSON.stringify(args)) || '',
      },
    ]
  })
}

const SILENT: ReceivedWords = { content: '', reasoning: '', refusal: '', toolCalls: NO_CALLS }

function wordsOf(words: Fields | undefined): ReceivedWords {
  if (words === undefined) return SILENT
  const { content } = words
  // Some servers send both names with the same text.
  const thought = textIn(words['reasoning']) || textIn(words['reasoning_content']) || textIn(words['thinking'])
  const refused = textIn(words['refusal'])
  const toolCalls = toolCallsOf(words)
  if (typeof content === 'string') return { content, reasoning: thought, refusal: refused, toolCalls }
  const parts: Parts = { content: '', reasoning: thought, refusal: refused }
  addPart(content, parts)
  return { ...parts, toolCalls }
}

const isSilent = ({ content, reasoning, refusal, toolCalls }: ReceivedWords) =>
  content === '' && reasoning === '' && refusal === '' && toolCalls.length === 0

const isOdd = (content: unknown) => typeof content === 'object' && content !== null

function choiceOf(value: unknown, at: number): ReceivedChoice | undefined {
  const choice = fieldsOf(value)
  if (choice === undefined) return undefined
  const index = Number(choice['index'] ?? at)
  // The older interface for completions has the text itself.
  const delta =
    fieldsOf(choice['delta']) ?? (typeof choice['text'] === 'string' ? { content: choice['text'] } : undefined)
  const message = fieldsOf(choice['message'])
  const pieces = wordsOf(delta)
  const isWhole = message !== undefined && isSilent(pieces)
  // SGLang tells the reason with what it matched.
  const reason = fieldsOf(choice['finish_reason'])?.['type'] ?? choice['finish_reason']
  return {
    index: Number.isInteger(index) ? index : at,
    words: isWhole ? wordsOf(message) : pieces,
    isWhole,
    isUnusual: isWhole || isOdd(delta?.['content']),
    finishReason: typeof reason === 'string' ? reason : undefined,
  }
}

function referencesOf(value: unknown): ReceivedChat['references'] {
  if (!Array.isArray(value)) return undefined
  return value.flatMap((entry) => {
    const fields = fieldsOf(entry)
    const { number, file, place } = fields ?? {}
    if (typeof number !== 'number' || typeof file !== 'string') return []
    return [{ number, file, place: typeof place === 'string' ? place : undefined }]
  })
}

/**
 * The choice of Ollama's own interface, whose lines have the words themselves; gateways hand them on. Undefined for
 * another body.
 */
function ownChoice(body: Fields): Fields | undefined {
  if ('choices' in body || typeof body['done'] !== 'boolean') return undefined
  const delta = fieldsOf(body['message']) ?? (typeof body['response'] === 'string' ? { content: body['response'] } : {})
  return { index: 0, delta, finish_reason: body['done'] ? body['done_reason'] || 'stop' : null }
}

const NOTHING: ReceivedChat = { choices: [], usage: undefined }

/**
 * A response or a stream event, as it must be understood: only the used fields are read, and a field of another type
 * counts as absent. `choices` may be absent, null or empty, a choice carries `delta` when streamed and `message` when
 * whole; gateways mix both.
 *
 * @returns undefined for JSON that cannot be an answer: a text, a list, or `choices` that are not a list.
 */
export function readReceived(json: unknown): ReceivedChat | undefined {
  if (json === null || typeof json === 'number' || typeof json === 'boolean') return NOTHING
  const body = fieldsOf(json)
  if (body === undefined) return undefined
  const own = ownChoice(body)
  const given = own === undefined ? (body['choices'] ?? []) : [own]
  if (!Array.isArray(given)) return undefined
  const choices: ReceivedChoice[] = []
  for (const [at, value] of given.entries()) {
    const choice = choiceOf(value, at)
    if (choice !== undefined) choices.push(own === undefined ? choice : { ...choice, isUnusual: true })
  }
  return { choices, usage: fieldsOf(body['usage']), references: referencesOf(body['references']) }
}

/**
 * The words of a message in an event that are new, where messages may be the whole text so far.
 *
 * @param said the text so far, and whether a part of it came as pieces: then a message repeats it.
 */
export function newIn(content: string, said: { readonly text: string; readonly byPieces: boolean }): string {
  if (said.text !== '' && content.startsWith(said.text)) return content.slice(said.text.length)
  return said.byPieces ? '' : content
}
