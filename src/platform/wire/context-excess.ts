import type { WireError } from './errors.ts'

/** Sentences of OpenAI, vLLM, llama.cpp, Ollama, Mistral, Groq, Gemini, Anthropic and gateways. */
const TOO_LONG = new RegExp(
  [
    'context[_ ](?:length|window|size)',
    'maximum (?:prompt|input|model) length',
    '(?:prompt|input)(?: length)? is too long',
    'too many (?:input |prompt )?tokens',
    'input token count',
    'reduce (?:the length|your prompt)',
    'too large for model',
    'exceeds? the (?:maximum number of|max(?:imum)? input) tokens',
    'token limit',
    'maximum number of tokens allowed',
  ].join('|'),
  'i',
)
const CODES =
  /context_length_exceeded|exceed_context_size|context_window_exceeded|prompt_too_long|string_above_max_length/i

/** The size of the window, tokens: the number next to its name. */
const WINDOWS: readonly RegExp[] = [
  /(?:context|model|prompt|input) (?:length|size|window)(?: of this model)?(?: is(?: only)?| of|:| \(|\s)*\s*(\d{3,8})/i,
  /(\d{3,8}) (?:maximum context|tokens? context|token limit)/i,
  /maximum(?: number of tokens allowed)?[^\d]{0,30}(\d{3,8})/i,
]

/** Whether a model refuses a request because it is longer than its window; `window` where it says how long that is. */
export function contextExcess({ message, code, type }: WireError): { readonly window?: number } | undefined {
  if (!CODES.test(`${code ?? ''} ${type ?? ''}`) && !TOO_LONG.test(message)) return undefined
  const [window] = WINDOWS.flatMap((pattern) => pattern.exec(message)?.[1] ?? []).map(Number)
  return window === undefined ? {} : { window }
}
