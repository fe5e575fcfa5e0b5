import { createLru } from '#lib/lru.ts'
import type { EngineClock, EngineLog } from '../types.ts'
import { readObject, type UpstreamCall, type UpstreamHttp, type UpstreamOptions } from './http.ts'

/** How many tokens each model reads at once. */
export interface ContextWindows {
  /** Tokens of prompt and answer together; undefined: the server does not tell. Never rejects, and takes at most a second. */
  of(model: string): Promise<number | undefined>
  /** The server has told it in a refusal. */
  learn(model: string, tokens: number): void
}

const ASK_MS = 1_000
const FRESH_MS = 5 * 60_000
const MAX_MODELS = 200
/** Ollama's own default below 24 GiB of graphics memory (docs/context-length); it cuts longer prompts silently. */
const OLLAMA_DEFAULT = 4_096
/** A smaller window cuts the usual prompt. */
export const ROOMY_TOKENS = 8_192

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])
const countOf = (value: unknown): number | undefined => {
  const count = Number(value)
  return Number.isInteger(count) && count > 0 ? count : undefined
}

/** Names of the window in a listing: vLLM, LM Studio, OpenRouter, Groq, Mistral. */
const LISTED = ['max_model_len', 'loaded_context_length', 'context_length', 'context_window', 'max_context_length']

const isSame = (model: string) => (entry: Fields) =>
  [entry['id'], entry['name'], entry['model']].some((id) => id === model || id === `${model}:latest`)

async function ask(server: UpstreamHttp, call: Omit<UpstreamCall, 'signal'>): Promise<Fields> {
  const signal = AbortSignal.timeout(ASK_MS)
  return fieldsOf(
    await server
      .send({ ...call, signal })
      .then((response) => readObject(response, signal))
      .catch(() => ({})),
  )
}

/** Window of a server on this or a near machine (Ollama, llama.cpp), which tells it at its root. */
async function askRoot(server: UpstreamHttp, model: string): Promise<{ tokens?: number; isGuess?: boolean }> {
  const [running, shown, props] = await Promise.all([
    ask(server, { method: 'GET', path: '/api/ps', isAtRoot: true }),
    ask(server, { method: 'POST', path: '/api/show', isAtRoot: true, json: { model } }),
    ask(server, { method: 'GET', path: '/props', isAtRoot: true }),
  ])
  const loaded = listOf(running['models']).find(isSame(model))
  const own = countOf(loaded?.['context_length'])
  if (own !== undefined) return { tokens: own }
  const info = Object.entries(fieldsOf(shown['model_info'])).find(([name]) => name.endsWith('.context_length'))
  if ('models' in running || info !== undefined) {
    const [, set] = /^num_ctx\s+(\d+)/m.exec(typeof shown['parameters'] === 'string' ? shown['parameters'] : '') ?? []
    const most = countOf(info?.[1]) ?? Infinity
    // Until it is loaded the server does not tell its default.
    return { tokens: Math.min(countOf(set) ?? OLLAMA_DEFAULT, most), isGuess: set === undefined }
  }
  const tokens = countOf(fieldsOf(props['default_generation_settings'])['n_ctx']) ?? countOf(props['n_ctx'])
  return tokens === undefined ? {} : { tokens }
}

export function createContextWindows(parts: {
  readonly upstream: UpstreamOptions | undefined
  readonly http: UpstreamHttp | undefined
  readonly log: EngineLog
  readonly clock: EngineClock
}): ContextWindows {
  const { upstream, http, log, clock } = parts
  const known = createLru<{ readonly tokens: number | undefined; readonly until: number }>(MAX_MODELS)
  const asking = new Map<string, Promise<number | undefined>>()
  const told = new Set<string>()

  async function look(server: UpstreamHttp, model: string): Promise<number | undefined> {
    const entry = listOf((await ask(server, { method: 'GET', path: '/models' }))['data']).find(isSame(model))
    const listed = LISTED.map((name) => countOf(entry?.[name])).find((tokens) => tokens !== undefined)
    const isNear =
      upstream?.baseUrl.startsWith('http:') === true || /^(?:library|llamacpp)$/.test(String(entry?.['owned_by']))
    const found = listed === undefined && isNear ? await askRoot(server, model) : { tokens: listed }
    if (found.tokens !== undefined && found.tokens < ROOMY_TOKENS && !told.has(model)) {
      told.add(model)
      log.warn(
        { model, tokens: found.tokens },
        'The model server reads few tokens at once: prompts are shortened to fit. Raise its context (Ollama: OLLAMA_CONTEXT_LENGTH), or set UPSTREAM_CONTEXT_TOKENS if it is larger',
      )
    }
    known.set(model, {
      tokens: found.tokens,
      until: 'isGuess' in found && found.isGuess === true ? 0 : clock() + FRESH_MS,
    })
    return found.tokens
  }

  return {
    async of(model) {
      if (upstream?.contextTokens !== undefined) return upstream.contextTokens
      const fresh = known.get(model)
      if (fresh !== undefined && clock() < fresh.until) return fresh.tokens
      if (http === undefined) return undefined
      const running = asking.get(model) ?? look(http, model).finally(() => asking.delete(model))
      asking.set(model, running)
      return running.catch(() => undefined)
    },
    learn: (model, tokens) => known.set(model, { tokens, until: clock() + FRESH_MS }),
  }
}
