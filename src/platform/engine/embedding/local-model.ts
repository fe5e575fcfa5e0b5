import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { EngineError } from '../errors.ts'
import { createModelFile, isAddress, type ModelFile, type ModelKind } from '../local-models/model-file.ts'
import { createModelProcess, type ModelProcessOptions } from '../local-models/model-process.ts'
import type { EngineLog } from '../types.ts'
import type { EmbedCall } from './child.ts'

interface Sources {
  readonly onnx: string
  readonly tokenizer: string
  readonly tokenizerConfig: string
  /** Written before a question and before a passage, as the model was trained. */
  readonly prefixes: { readonly question: string; readonly passage: string }
}

const hub = (repository: string) => `https://huggingface.co/${repository}/resolve/main`
const E5 = { question: 'query: ', passage: 'passage: ' }

/** Models that a name is enough for: small, multilingual, whole numbers of 8 bits. */
const KNOWN: Readonly<Record<string, Sources>> = {
  'multilingual-e5-small': {
    onnx: `${hub('Xenova/multilingual-e5-small')}/onnx/model_quantized.onnx`,
    tokenizer: `${hub('Xenova/multilingual-e5-small')}/tokenizer.json`,
    tokenizerConfig: `${hub('Xenova/multilingual-e5-small')}/tokenizer_config.json`,
    prefixes: E5,
  },
}

/** The tokenizer's files are next to the model, or one folder up when it is in a folder `onnx`. */
function sourcesOf(model: string): Sources {
  const known = KNOWN[model]
  if (known !== undefined) return known
  const prefixes = /\be5\b/i.test(model) ? E5 : { question: '', passage: '' }
  const beside = (name: string) => {
    if (!isAddress(model)) return join(homeOf(dirname(model)), name)
    const url = new URL(model)
    url.hash = ''
    url.pathname = `${homeOf(dirname(url.pathname))}/${name}`
    return url.href
  }
  return {
    onnx: model,
    tokenizer: beside('tokenizer.json'),
    tokenizerConfig: beside('tokenizer_config.json'),
    prefixes,
  }
}

const homeOf = (folder: string) => (basename(folder) === 'onnx' ? dirname(folder) : folder)

/** Name of the model, stored with its vectors: another name, and all are made anew. */
function nameOf(model: string): string {
  if (KNOWN[model] !== undefined) return model
  return isAddress(model) ? new URL(model).pathname.slice(1) : basename(model)
}

const KIND = {
  name: 'embedding model',
  setting: 'EMBEDDING_MODEL',
  reason: 'embedding_model',
  later: 'ask again later',
}
/** ONNX is a protocol buffer that begins with its version. */
const MODEL: ModelKind = { ...KIND, format: 'in ONNX format', isModel: (head) => head[0] === 8 && head.length > 1 }
const isJson = (head: Buffer) => head.toString('latin1').trimStart().startsWith('{')
const TOKENIZER: ModelKind = { ...KIND, name: 'tokenizer of the embedding model', format: 'in JSON', isModel: isJson }

const PROCESS: Omit<ModelProcessOptions, 'log' | 'timeoutMs'> = {
  child: new URL('./child.ts', import.meta.url),
  name: 'Embedding model',
  idleMs: 600_000,
  tooSlow: 'set a smaller model',
  failed: {
    'no-model': (reason) =>
      new EngineError('not-configured', `The embedding model cannot be loaded (${reason}): check EMBEDDING_MODEL.`, {
        reason: 'embedding_model_broken',
      }),
    failed: (reason) => new EngineError('upstream', `The embedding model failed: ${reason}.`),
  },
}

/**
 * For `doctor`: whether the model can be used now; missing files are downloaded.
 *
 * @throws {EngineError} a sentence that says what to do
 */
export async function examineLocalModel(model: string, folder: string): Promise<void> {
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
  const opened = openLocalModel({ model, folder, log })
  try {
    await opened.prepareOnce()
    await opened.vectors(['What is in the files?'], 'question', AbortSignal.timeout(60_000))
  } finally {
    await opened.close()
  }
}

/** Makes vectors of texts, each of length 1 or as the model server gives them. */
export type MakeVectors = (
  texts: readonly string[],
  purpose: 'question' | 'passage',
  signal: AbortSignal,
) => Promise<readonly Float32Array[]>

export interface LocalModel {
  readonly name: string
  readonly vectors: MakeVectors
  /** False until `prepare` is done. */
  readonly isReady: () => boolean
  /** Downloads missing files, trying again until all are there; resolves when the model can be asked, or never can. */
  prepare(): Promise<boolean>
  /** How far the download is; empty once the model is there. */
  progress(): { readonly downloaded?: number; readonly problem?: string }
  /** The same, once. @throws {EngineError} */
  prepareOnce(): Promise<void>
  close(): Promise<void>
}

export interface LocalModelOptions {
  /** A known name, an address or a path of an ONNX model. */
  readonly model: string
  /** Folder of downloaded models. */
  readonly folder: string
  readonly log: EngineLog
  /** First wait after a failed download, milliseconds; doubles up to an hour. Default a minute. */
  readonly retryMs?: number
  /** Time limit of one batch, loading the model included; default 2 min. */
  readonly timeoutMs?: number
  /** Default: `child.ts`; a test has its own. */
  readonly child?: URL
}

/** Texts in one call: a question waits for one call at most. */
const BATCH_SIZE = 4
const MAX_RETRY_MS = 3_600_000

type Paths = Omit<EmbedCall, 'texts'>

function createModelFiles({ model, folder, log }: LocalModelOptions) {
  const { onnx, tokenizer, tokenizerConfig } = sourcesOf(model)
  const open = (source: string, kind: ModelKind): ModelFile =>
    createModelFile({ kind, source, folder, log, waitMs: MAX_RETRY_MS })
  const files = [open(onnx, MODEL), open(tokenizer, TOKENIZER)]
  // Many tokenizers have no settings.
  const settings = open(tokenizerConfig, TOKENIZER)
  return {
    /** @throws {EngineError} */
    async paths(): Promise<Paths> {
      const [modelPath = '', tokenizerPath = ''] = await Promise.all(files.map((file) => file.path()))
      const settingsPath = await settings.path().catch(() => undefined)
      return { model: modelPath, tokenizer: tokenizerPath, tokenizerConfig: settingsPath }
    },
    /** Share of the model itself, 0…1. */
    part: () => files[0]?.part() ?? 0,
    close: () => Promise.all([settings, ...files].map((file) => file.close())),
  }
}

/** False: it can never be had, or `signal` aborted; the log says why. */
async function trySteadily(
  prepare: () => Promise<void>,
  { log, retryMs = 60_000 }: LocalModelOptions,
  signal: AbortSignal,
): Promise<boolean> {
  // oxlint-disable no-await-in-loop -- one try after the other
  for (let wait = retryMs; !signal.aborted; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
    try {
      await prepare()
      return true
    } catch (error) {
      if (error instanceof EngineError && error.code === 'not-configured') {
        const advice = 'check EMBEDDING_MODEL; files are searched by their words alone'
        log.error({ err: error }, `Embedding model cannot be used: ${advice}`)
        return false
      }
      await delay(wait, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
  // oxlint-enable no-await-in-loop
  return false
}

/** Rejects when the signal aborts; the work itself goes on. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort, { once: true })
  work.catch(() => undefined)
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', onAbort))
}

export function openLocalModel(options: LocalModelOptions): LocalModel {
  const { model, log, child = PROCESS.child, timeoutMs = 120_000 } = options
  const { prefixes } = sourcesOf(model)
  const left = new AbortController()
  const files = createModelFiles(options)
  const process = createModelProcess<EmbedCall, readonly Float32Array[]>({ ...PROCESS, child, timeoutMs, log })
  let ready: Paths | undefined
  let problem: string | undefined

  async function prepareOnce(): Promise<void> {
    try {
      ready = await files.paths()
      problem = undefined
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
      throw error
    }
  }

  async function ask(texts: readonly string[], signal: AbortSignal, urgent: boolean) {
    if (ready === undefined) throw new EngineError('upstream', 'The embedding model is still being downloaded.')
    signal.throwIfAborted()
    // Loading the model may take longer than a question waits.
    return unlessAborted(process.call({ ...ready, texts }, { urgent }), signal)
  }

  return {
    name: nameOf(model),
    isReady: () => ready !== undefined,
    prepareOnce,
    progress() {
      if (ready !== undefined) return {}
      const downloaded = Math.floor(files.part() * 100)
      return problem === undefined ? { downloaded } : { downloaded, problem }
    },
    prepare: () => trySteadily(prepareOnce, options, left.signal),
    async vectors(texts, purpose, signal) {
      const made: Float32Array[] = []
      for (let at = 0; at < texts.length; at += BATCH_SIZE) {
        const batch = texts.slice(at, at + BATCH_SIZE).map((text) => prefixes[purpose] + text)
        // oxlint-disable-next-line no-await-in-loop -- a question gets in between
        made.push(...(await ask(batch, signal, purpose === 'question')))
      }
      return made
    },
    async close() {
      left.abort()
      await Promise.all([process.close(), files.close()])
    },
  }
}
