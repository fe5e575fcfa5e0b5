import { EngineError, errorText } from '../errors.ts'
import { readAddress } from './address.ts'
import { createAskChat } from './ask-chat.ts'
import { createContextWindows, ROOMY_TOKENS } from './context-window.ts'
import { createUpstreamHttp, readObject, type UpstreamHttp, type UpstreamOptions } from './http.ts'

interface Finding {
  readonly ok: boolean
  readonly text: string
}

const LIST_MS = 10_000
/** A model that is loaded for the first question takes a minute or two. */
const TRY_MS = 180_000

/** Whether the model server answers where it is set, and how much its model reads at once. */
export async function examineUpstream(upstream: UpstreamOptions): Promise<readonly Finding[]> {
  const http = createUpstreamHttp(upstream)
  try {
    const listed = await examineList(upstream, http)
    return [listed, ...(listed.ok ? await examineContext(upstream, http) : [])]
  } finally {
    await http.close()
  }
}

async function examineList(upstream: UpstreamOptions, http: UpstreamHttp): Promise<Finding> {
  const { baseUrl } = upstream
  const text = `the model server ${baseUrl} lists its models`
  // Azure lists no deployments: the question below tells whether this one answers.
  if (readAddress(baseUrl).deployment !== undefined) return { ok: true, text: `the model server is ${http.address()}` }
  try {
    if (!(await lists(http)) && !((await http.find()) && (await lists(http))))
      throw new Error('it answered without a list; check UPSTREAM_BASE_URL, which usually ends in /v1')
    const right = http.address()
    if (right === baseUrl) return { ok: true, text }
    return { ok: true, text: `the model server answers at ${right}: set UPSTREAM_BASE_URL=${right}` }
  } catch (error) {
    return { ok: false, text: `${text}: ${errorText(error)}` }
  }
}

async function lists(http: UpstreamHttp): Promise<boolean> {
  return (await listModels(http)) !== undefined
}

/** @returns `undefined` when the answer is no list */
async function listModels(http: UpstreamHttp, timeoutMs = LIST_MS): Promise<readonly string[] | undefined> {
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await http.send({ method: 'GET', path: '/models', signal })
  const body = await readObject(response, signal).catch(() => ({}))
  if (!('data' in body) || !Array.isArray(body.data)) return undefined
  return body.data.flatMap((model: unknown) =>
    typeof model === 'object' && model !== null && 'id' in model && typeof model.id === 'string' ? [model.id] : [],
  )
}

/**
 * The models of a server, and the address at which it has them.
 *
 * @throws {EngineError} a sentence with a remedy
 */
export async function findModels(
  upstream: UpstreamOptions,
  timeoutMs = LIST_MS,
): Promise<{ readonly baseUrl: string; readonly models: readonly string[] }> {
  const http = createUpstreamHttp(upstream)
  try {
    const found = await listModels(http, timeoutMs)
    const models = found ?? ((await http.find()) ? await listModels(http, timeoutMs) : undefined)
    if (models === undefined) throw new EngineError('upstream', 'The server at this address lists no models.')
    return { baseUrl: http.address(), models }
  } finally {
    await http.close()
  }
}

/** @throws {EngineError} a sentence, when the chat model does not answer */
export async function tryModel(upstream: UpstreamOptions & { readonly chatModel: string }): Promise<void> {
  const http = createUpstreamHttp(upstream)
  try {
    const signal = AbortSignal.timeout(TRY_MS)
    const messages = [{ role: 'user', content: 'Answer with the word: ready' }]
    const response = await createAskChat(http, { info: () => {} })({ model: upstream.chatModel, messages }, signal)
    const body = await readObject(response, signal)
    if (!('choices' in body)) throw new EngineError('upstream', 'The response of the model server holds no answer.')
  } finally {
    await http.close()
  }
}

async function examineContext(upstream: UpstreamOptions, http: UpstreamHttp): Promise<readonly Finding[]> {
  const { chatModel } = upstream
  if (chatModel === undefined) return []
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const tokens = await createContextWindows({ upstream, http, log, clock: Date.now }).of(chatModel)
  if (tokens === undefined) return []
  const advice =
    tokens < ROOMY_TOKENS
      ? ': prompts are shortened to fit. Raise it at the server (Ollama: OLLAMA_CONTEXT_LENGTH=16384), or set UPSTREAM_CONTEXT_TOKENS if it is larger'
      : ''
  return [{ ok: true, text: `${chatModel} reads ${tokens} tokens at once${advice}` }]
}
