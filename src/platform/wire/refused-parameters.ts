import type { WireError } from './errors.ts'

/** A field of a request that a model refuses, and the field that takes its place. */
export interface Adjustment {
  readonly without: string
  readonly instead?: string
}

/** Fields that a request can go without: the answer is the same one, only less exactly as it was asked for. */
const SPARE = (
  'temperature top_p top_k min_p presence_penalty frequency_penalty repetition_penalty max_tokens max_completion_tokens ' +
  'stream_options parallel_tool_calls service_tier metadata top_logprobs logit_bias reasoning_effort ' +
  'chat_template_kwargs logprobs seed store user'
).split(' ')
/** The two names of the longest answer: OpenAI's reasoning models refuse the old one, others do not know the new one. */
const TWINS: Readonly<Record<string, string>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
}
/** Words that occur in sentences of any kind: they must be quoted, or named as the parameter. */
const PLAIN_WORDS = new Set(['logprobs', 'seed', 'store', 'user', 'metadata'])

const UNKNOWN =
  /not support|unsupported|unrecogni[sz]ed|unknown|extra|not permitted|not allowed|cannot find field|use '?max_/i
const NO_SYSTEM = new RegExp(
  [
    'system (?:role|message|prompt|instruction)s? (?:is |are )?(?:not |un)supported',
    "not support (?:the )?'?(?:system|developer)'?",
    // Templates of Mistral and Llama refuse a system message so.
    'roles must alternate',
    'developer instruction is not enabled',
  ].join('|'),
  'i',
)
const NO_STREAM =
  /to stream this model|stream(?:ing|=true)? (?:is )?(?:not |un)supported|not support stream(?:ing)?(?!_)/i

type Body = Readonly<Record<string, unknown>>

const isGiven = (body: Body, name: string) => body[name] !== undefined && body[name] !== null

function names(message: string, name: string): boolean {
  if (new RegExp(String.raw`['"\`]${name}['"\`.]|\b(?:body|#/)[./]?${name}\b`, 'i').test(message)) return true
  if (new RegExp(String.raw`(?:supplied|parameters?|arguments?|field|property): ?${name}\b`, 'i').test(message))
    return true
  // A gateway quotes the JSON of the server that it asked.
  if (new RegExp(String.raw`"${name}: `, 'i').test(message)) return true
  return !PLAIN_WORDS.has(name) && new RegExp(String.raw`(?<![\w'"])${name}(?!\w)`, 'i').test(message)
}

/**
 * The field that a refusal names, by `param` or in its message, among those that the request can go without.
 *
 * @param body as it was sent.
 * @param known adjustments that were made of it: a field that is refused under both of its names is left out.
 */
export function toAdjustment(said: WireError, body: Body, known: readonly Adjustment[]): Adjustment | undefined {
  const { message, param = '' } = said
  const [field = ''] = param.split(/[.[]/)
  if (body['stream'] === true && (field === 'stream' || NO_STREAM.test(message))) return { without: 'stream' }
  const isTried = known.some(({ without }) => without === 'system')
  if (!isTried && (field === 'messages' || field === '') && NO_SYSTEM.test(message)) return { without: 'system' }
  const given = SPARE.filter((name) => isGiven(body, name))
  const refused = given.find((name) => name === field) ?? given.find((name) => names(message, name))
  if (refused === undefined) return undefined
  const twin = TWINS[refused]
  const isNew = twin !== undefined && known.every(({ without }) => without !== twin && without !== refused)
  return isNew && UNKNOWN.test(`${message} ${said.code ?? ''}`)
    ? { without: refused, instead: twin }
    : { without: refused }
}

interface Message {
  readonly role?: unknown
  readonly content?: unknown
}

/** The words of the system in front of the first question, for a model that takes no system message. */
function withoutSystem(messages: readonly Message[]): readonly Message[] {
  const isSystem = ({ role }: Message) => role === 'system' || role === 'developer'
  const rules = messages.filter(isSystem).map(({ content }) => content)
  const [first, ...rest] = messages.filter((message) => !isSystem(message))
  if (rules.length === 0 || first === undefined || rules.some((rule) => typeof rule !== 'string')) return messages
  const text = rules.join('\n\n')
  if (first.role !== 'user') return [{ role: 'user', content: text }, first, ...rest]
  const { content } = first
  const joined = Array.isArray(content)
    ? [{ type: 'text', text }, ...(content as unknown[])]
    : `${text}\n\n${String(content)}`
  return [{ ...first, content: joined }, ...rest]
}

function withOne(body: Body, { without, instead }: Adjustment): Body {
  if (without === 'system')
    return Array.isArray(body['messages']) ? { ...body, messages: withoutSystem(body['messages'] as Message[]) } : body
  const { [without]: value, ...rest } = body
  if (value === undefined) return body
  if (without === 'stream') return { ...rest, stream_options: undefined }
  return instead === undefined || isGiven(rest, instead) ? rest : { ...rest, [instead]: value }
}

/** Most fields of one request that are refused one after the other. */
const MAX_REFUSED = 8

/** Adjustments by model. */
export interface AdjustmentMemory {
  get(model: string): readonly Adjustment[] | undefined
  set(model: string, adjustments: readonly Adjustment[]): void
}

/**
 * Sends a request without the fields that its model has refused; a refusal that names another one is asked again
 * without it, and remembered.
 *
 * @param refusalOf the text of the server, where the error is a refusal of the request.
 * @param onLearn is told each new adjustment.
 */
export async function sendAdjusted<Result>(
  body: Body,
  parts: {
    readonly memory: AdjustmentMemory
    readonly send: (body: Body) => Promise<Result>
    readonly refusalOf: (error: unknown) => WireError | undefined
    readonly onLearn?: (model: string, adjustment: Adjustment) => void
  },
): Promise<Result> {
  const { memory, send, refusalOf, onLearn } = parts
  const model = String(body['model'])
  for (let refused = 0; ; refused += 1) {
    const known = memory.get(model) ?? []
    const sent = known.reduce(withOne, body)
    try {
      return await send(sent)
    } catch (error) {
      const said = refused < MAX_REFUSED ? refusalOf(error) : undefined
      const found = said && toAdjustment(said, sent, known)
      if (found === undefined) throw error
      // Another request may have learned it meanwhile.
      const now = memory.get(model) ?? []
      if (!now.some(({ without }) => without === found.without)) {
        memory.set(model, [...now, found])
        onLearn?.(model, found)
      } else if (now === known) throw error
    }
  }
}
