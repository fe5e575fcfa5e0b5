import type { WireError } from './errors.ts'

/**
 * Sentences of OpenAI, vLLM, SGLang, llama.cpp, LM Studio, Ollama, TGI, Mistral, Groq, Gemini, Anthropic, Copilot, Kimi,
 * DashScope, Zhipu and gateways; the last two are Chinese: "too long", "length exceeds".
 */
const TOO_LONG = new RegExp(
  [
    'context[_ ](?:length|window|size)',
    'maximum (?:allowed )?(?:prompt|input|model) length',
    'range of input length',
    '(?:prompt|input)(?: length)? is too long',
    'too many (?:input |prompt )?tokens',
    'input token count',
    'reduce (?:the length|your prompt)',
    'too large for model',
    'exceeds? the (?:maximum number of|max(?:imum)? input) tokens',
    'token limit',
    'maximum number of tokens allowed',
    '(?:length|tokens?) limit exceeded|tokens? count of \\d+ exceeds',
    'inputs. tokens \\+ .max_new_tokens. must be|inputs. must have less|prompt exceeds the maximum',
    'at most \\d+ tokens in|max(?:imum)? context',
    '(?<!(?:images?|videos?|files?|number of) (?:in )?(?:the )?)messages exceeds the',
    'string too long|(?:max input|input) characters|current length is \\d+ while',
    '\\u8d85\\u957f',
    '\\u957f\\u5ea6.{0,6}\\u8d85',
  ].join('|'),
  'i',
)
const CODES =
  /context_length_exceeded|exceed_context_size|context_window_exceeded|prompt_too_long|string_above_max_length/i

/** A quota of tokens, in almost the same words. */
const QUOTA = /throttl|please wait|daily|monthly|quota/i
/** A field is too long. It counts only if the field holds the prompt. */
const FIELD_TOO_LONG = /string too long|string_above_max_length/i
const FIELD = /^Invalid '([^']+)'/
const PROMPT_FIELD = /^(?:messages|input|prompt|max_)/
/** A limit in characters tells no window. */
const IN_CHARACTERS = /character|string too long/i

/** The size of the window, tokens: the number next to its name. */
const WINDOWS: readonly RegExp[] = [
  /maximum (?:allowed )?(?:context|model|prompt|input) (?:length|size|window)(?: is| of| \(|:|\s)*\s*(\d{3,8})/i,
  /n_ctx\W{1,4}(\d{3,8})|> (\d{3,8}) maximum|token limit: (\d{3,8})|range of input length should be \[\d+, ?(\d{3,8})/i,
  /(?:must be <=|less than|cannot exceed|exceeds the limit of|supports at most|max context of) (\d{3,8})/i,
  /(?:context|model|prompt|input) (?:length|size|window)(?: of this model)?(?: is| of| only|:| \(|\s)*\s*(\d{3,8})/i,
  /(\d{3,8}) (?:maximum context|tokens? context|token limit)/i,
  /maximum(?: number of tokens allowed)?[^\d]{0,30}(\d{3,8})/i,
]

/** Whether a model refuses a request because it is longer than its window; `window` where it says how long that is. */
export function contextExcess({ message, code, type, param }: WireError): { readonly window?: number } | undefined {
  const field = FIELD_TOO_LONG.test(`${code ?? ''} ${message}`) ? (param ?? FIELD.exec(message)?.[1]) : undefined
  if (field !== undefined && !PROMPT_FIELD.test(field)) return undefined
  const isCoded = CODES.test(`${code ?? ''} ${type ?? ''}`)
  if (!isCoded && (!TOO_LONG.test(message) || QUOTA.test(message))) return undefined
  if (IN_CHARACTERS.test(message)) return {}
  const [window] = WINDOWS.flatMap((pattern) => pattern.exec(message)?.slice(1).filter(Boolean) ?? []).map(Number)
  return window === undefined ? {} : { window }
}
