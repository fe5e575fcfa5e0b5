import { receivedModelList, type Model, type ReceivedModel } from '#platform/wire/models.ts'
import type { EngineClock, EngineLog } from '../types.ts'
import type { LocalSpeechOptions } from '../voice/local/hear.ts'
import type { InFlight } from '../upstream/in-flight.ts'
import { readAddress } from '../upstream/address.ts'
import { readObject, type UpstreamHttp, type UpstreamOptions } from '../upstream/http.ts'

/** Available models: the model server's, the configured ones first, and always `extractive`. */
export type ListModels = () => Promise<Model[]>

/** The answers without a language model: sentences quoted from the files. */
export const EXTRACTIVE_MODEL = 'extractive'

/** Owner of the models of this process. */
export const OWN_MODELS = 'footbridge'

/** Status of a configured model that the model server lists its models without. */
export const UNLISTED = 'unlisted'

const LIST_TIMEOUT_MS = 5_000
/** How long the model server's list is not asked for again. */
const FRESH_MS = 15_000
/** The same after a failure. */
const REST_MS = 5_000

const EXTRACTIVE: Model = {
  id: EXTRACTIVE_MODEL,
  object: 'model',
  name: 'Extractive: answers in the words of the files',
  input: ['text'],
  output: ['text'],
  owned_by: OWN_MODELS,
  created: 0,
  demand: 0,
  status: 'ready',
}

export const LOCAL_SPEECH_MODEL = 'whisper-local'

/** The speech model of this machine. Its id does not depend on the file, so clients can keep it in their settings. */
const LOCAL_SPEECH: Model = {
  id: LOCAL_SPEECH_MODEL,
  object: 'model',
  name: 'Whisper on this machine: transcribes voice messages',
  input: ['audio'],
  output: ['text'],
  owned_by: OWN_MODELS,
  created: 0,
  demand: 0,
  status: 'ready',
}

const toCount = (value: number | string | null | undefined) => {
  const number = Math.trunc(Number(value ?? 0))
  return Number.isSafeInteger(number) && number > 0 ? number : 0
}

interface Modalities {
  readonly input: readonly string[]
  readonly output: readonly string[]
}

/**
 * Kinds of models by their names, as model servers list them together with chat models, without their kind: OpenAI,
 * Ollama, vLLM, LocalAI. The first that fits counts.
 */
const KINDS: readonly (readonly [RegExp, Modalities])[] = [
  [/rerank|moderation/i, { input: ['text'], output: ['score'] }],
  [/embed|(?:^|[/_-])(?:bge|gte|e5|minilm|all-minilm)(?![a-z])/i, { input: ['text'], output: ['embedding'] }],
  [/whisper|transcri|parakeet|(?:^|[/_-])(?:asr|stt)(?![a-z])/i, { input: ['audio'], output: ['text'] }],
  [/kokoro|(?:^|[/_-])tts(?![a-z])/i, { input: ['text'], output: ['audio'] }],
  [/dall-e|gpt-image|stable-diffusion|sdxl|(?:^|[/_-])flux(?![a-z])/i, { input: ['text'], output: ['image'] }],
]
const CHAT: Modalities = { input: ['text'], output: ['text'] }

function modalitiesOf(id: string, upstream: UpstreamOptions): Modalities {
  if (id === upstream.chatModel) return CHAT
  if (id === upstream.transcriptionModel) return { input: ['audio'], output: ['text'] }
  if (id === upstream.embeddingModel) return { input: ['text'], output: ['embedding'] }
  return KINDS.find(([name]) => name.test(id))?.[1] ?? CHAT
}

/** Whether a model can be asked in a chat. */
export const isChatModel = ({ input, output }: Pick<Model, 'input' | 'output'>): boolean =>
  input.includes('text') && output.includes('text')

function toModel(received: ReceivedModel, upstream: UpstreamOptions): Model {
  const { input, output } = modalitiesOf(received.id, upstream)
  return {
    id: received.id,
    object: 'model',
    name: received.name ?? received.id,
    input: received.input ?? [...input],
    output: received.output ?? [...output],
    owned_by: received.owned_by ?? 'upstream',
    created: toCount(received.created),
    demand: toCount(received.demand),
    status: received.status ?? 'ready',
    ...(received.shutdown_date ? { shutdown_date: received.shutdown_date } : {}),
  }
}

export function createListModels(parts: {
  readonly upstream: UpstreamOptions | undefined
  readonly http: UpstreamHttp | undefined
  readonly speech: LocalSpeechOptions | undefined
  readonly inFlight: InFlight
  readonly log: EngineLog
  readonly clock: EngineClock
}): ListModels {
  const { upstream, http, inFlight, log, clock } = parts
  const own = parts.speech === undefined ? [EXTRACTIVE] : [LOCAL_SPEECH, EXTRACTIVE]
  // A server that reports its demand also counts requests of others.
  const withDemand = (models: readonly Model[]) =>
    models.map((model) => ({ ...model, demand: Math.max(model.demand, inFlight.of(model.id)) }))
  if (upstream === undefined || http === undefined) return async () => withDemand(own)
  const { deployment } = readAddress(upstream.baseUrl)
  const named = [upstream.chatModel ?? deployment, upstream.embeddingModel, upstream.transcriptionModel]
  const configured = [...new Set(named.flatMap((id) => id || []))]
  let known: { readonly until: number; readonly models: readonly Model[] } | undefined
  let asking: Promise<readonly Model[]> | undefined

  async function ask(from: UpstreamHttp): Promise<readonly ReceivedModel[] | undefined> {
    const signal = AbortSignal.timeout(LIST_TIMEOUT_MS)
    const read = async () => {
      const response = await from.send({ method: 'GET', path: '/models', signal })
      const parsed = receivedModelList.safeParse(await readObject(response, signal).catch(() => undefined))
      return parsed.success ? parsed.data.data : undefined
    }
    try {
      // A page, or another document, is the answer of a wrong path, too.
      const models = (await read()) ?? ((await from.find()) ? await read() : undefined)
      if (models === undefined) log.warn({}, 'Model server did not list its models: check UPSTREAM_BASE_URL')
      return models
    } catch (error) {
      log.warn({ err: error }, 'Model server did not list its models')
      return undefined
    }
  }

  async function list(from: UpstreamHttp, to: UpstreamOptions): Promise<readonly Model[]> {
    // Azure lists no deployments: the one in the address is the model.
    const listed = deployment === undefined ? await ask(from) : []
    // The server is unreachable or does not know them: the configured models are listed as not ready.
    const status = listed === undefined ? 'offline' : listed.length === 0 ? 'ready' : UNLISTED
    const given = new Map((listed ?? []).map((model) => [model.id, model]))
    // Ollama lists `llama3.3` as `llama3.3:latest`.
    const first = configured.map(
      (id) =>
        given.get(id) ?? { ...given.get(`${id}:latest`), id, status: given.has(`${id}:latest`) ? 'ready' : status },
    )
    const rest = [...given.values()].filter((model) => !configured.includes(model.id))
    const models = [...first, ...rest].map((model) => toModel(model, to))
    const merged = [...models.filter((model) => own.every(({ id }) => id !== model.id)), ...own]
    known = { until: clock() + (listed === undefined ? REST_MS : FRESH_MS), models: merged }
    return merged
  }

  return async () => {
    if (known !== undefined && clock() < known.until) return withDemand(known.models)
    // The request goes on when one of its callers leaves.
    asking ??= list(http, upstream).finally(() => (asking = undefined))
    return withDemand(await asking)
  }
}
