import { readFile } from 'node:fs/promises'
import { Tokenizer } from '@huggingface/tokenizers'
import { env, InferenceSession, Tensor } from 'onnxruntime-web'
import { ModelError, serveModel } from '../local-models/model-process.ts'
import { separateWeights } from './separate-weights.ts'

// Holds the embedding model in a process of its own: a failure or too much memory ends only this process.

export interface EmbedCall {
  readonly model: string
  readonly tokenizer: string
  /** Absent: the tokenizer has no settings of its own. */
  readonly tokenizerConfig?: string
  readonly texts: readonly string[]
}

interface Loaded {
  readonly path: string
  readonly session: InferenceSession
  readonly encode: (text: string) => readonly number[]
}

/** BERT-like models read no more. */
const MAX_TOKENS = 512
let loaded: Loaded | undefined

// One thread: on a busy machine two were slower, and questions and the page need the other cores.
env.wasm.numThreads = 1

const readJson = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as object

async function load(call: EmbedCall, tell: (loadedMs: number) => void): Promise<Loaded> {
  if (loaded?.path === call.model) return loaded
  const startedAt = performance.now()
  try {
    const session = await openSession(call.model)
    const config = call.tokenizerConfig === undefined ? {} : await readJson(call.tokenizerConfig)
    const tokenizer = new Tokenizer(await readJson(call.tokenizer), config)
    const encode = (text: string) => {
      const { ids } = tokenizer.encode(text)
      // The last token ends the text for the model.
      return ids.length > MAX_TOKENS ? [...ids.slice(0, MAX_TOKENS - 1), ids.at(-1) ?? 0] : ids
    }
    loaded = { path: call.model, session, encode }
  } catch (error) {
    throw new ModelError('no-model', error)
  }
  tell(Math.round(performance.now() - startedAt))
  return loaded
}

/** Weights apart from the graph are read once; within it the runtime would hold them three times. */
async function openSession(path: string): Promise<InferenceSession> {
  const file = await readFile(path)
  const { graph, name } = separateWeights(file)
  const externalData = name === undefined ? [] : [{ path: name, data: file }]
  return InferenceSession.create(graph, { externalData, logSeverityLevel: 3 })
}

function toTensors({ session }: Loaded, rows: readonly (readonly number[])[], width: number) {
  const ids = new BigInt64Array(rows.length * width)
  const mask = new BigInt64Array(rows.length * width)
  for (const [at, row] of rows.entries()) {
    for (const [column, id] of row.entries()) {
      ids[at * width + column] = BigInt(id)
      mask[at * width + column] = 1n
    }
  }
  const tensor = (data: BigInt64Array) => new Tensor('int64', data, [rows.length, width])
  const feeds: Record<string, Tensor> = { input_ids: tensor(ids), attention_mask: tensor(mask) }
  if (session.inputNames.includes('token_type_ids')) feeds['token_type_ids'] = tensor(new BigInt64Array(ids.length))
  return feeds
}

/** The mean of a text's token vectors, as sentence transformers take it, with length 1. */
function meanOf(data: Float32Array, from: number, tokens: number, size: number): Float32Array {
  const mean = new Float32Array(size)
  for (let token = 0; token < tokens; token += 1) {
    for (let at = 0; at < size; at += 1) mean[at] = (mean[at] ?? 0) + (data[from + token * size + at] ?? 0)
  }
  const length = Math.hypot(...mean)
  return length === 0 ? mean : mean.map((value) => value / length)
}

serveModel(async (call: EmbedCall, tell): Promise<readonly Float32Array[]> => {
  const model = await load(call, tell)
  const rows = call.texts.map((text) => model.encode(text))
  const width = Math.max(...rows.map((row) => row.length), 1)
  const output = await model.session.run(toTensors(model, rows, width))
  const vectors = output['last_hidden_state'] ?? output[model.session.outputNames[0] ?? '']
  if (!(vectors?.data instanceof Float32Array)) throw new Error('its output is no table of numbers of 32 bits')
  const { dims, data } = vectors
  const size = dims.at(-1) ?? 0
  // A model that already took the mean gives one vector a text.
  const step = dims.length === 3 ? width : 1
  return rows.map((row, at) => meanOf(data, at * step * size, step === 1 ? 1 : row.length, size))
})
