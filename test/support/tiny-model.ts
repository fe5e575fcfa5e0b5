import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Makes a small embedding model with real shapes and known outputs: one vector a word, no layers. Words of one group share a vector.

const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)])
const number = (field: number, value: number) => Buffer.from([...varint(field * 8), ...varint(value)])
const bytes = (field: number, ...parts: readonly (Buffer | string)[]) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  return Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(body.length)]), body])
}

const FLOAT = 1
const INT64 = 7

/** A value of the graph; a name as dimension may have any size. */
function toValue(field: number, name: string, type: number, dims: readonly (string | number)[]) {
  const shape = dims.map((dim) => bytes(1, typeof dim === 'number' ? number(1, dim) : bytes(2, dim)))
  return bytes(field, bytes(1, name), bytes(2, bytes(1, number(1, type), bytes(2, ...shape))))
}

/** ONNX with one node: the rows of `weights` for `input_ids`. */
function toOnnx(weights: readonly Float32Array[]): Buffer {
  const size = weights[0]?.length ?? 0
  const table = Buffer.concat(weights.map((row) => Buffer.from(row.buffer, row.byteOffset, row.byteLength)))
  const tensor = [number(1, weights.length), number(1, size), number(2, FLOAT), bytes(8, 'weights'), bytes(9, table)]
  const graph = [
    bytes(1, bytes(1, 'weights'), bytes(1, 'input_ids'), bytes(2, 'last_hidden_state'), bytes(4, 'Gather')),
    bytes(2, 'tiny'),
    bytes(5, ...tensor),
    toValue(11, 'input_ids', INT64, ['batch', 'tokens']),
    toValue(11, 'attention_mask', INT64, ['batch', 'tokens']),
    toValue(12, 'last_hidden_state', FLOAT, ['batch', 'tokens', size]),
  ]
  return Buffer.concat([number(1, 8), bytes(7, ...graph), bytes(8, bytes(1, ''), number(2, 13))])
}

export interface TinyModel {
  /** The ONNX file; the tokenizer's files are next to it. */
  readonly path: string
  readonly files: Readonly<Record<string, Buffer>>
}

/** @param groups words with one meaning each; every other word is unknown and means nothing. At most `size` groups. */
export function makeTinyModel(folder: string, groups: readonly (readonly string[])[], size = 16): TinyModel {
  const words = ['[UNK]', ...groups.flat()]
  const meaning = (word: string) => groups.findIndex((group) => group.includes(word))
  // The unknown word points a little in every direction.
  const weights = words.map((word) =>
    Float32Array.from({ length: size }, (_, at) => (meaning(word) < 0 ? 0.01 : at === meaning(word) ? 1 : 0)),
  )
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordPiece',
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
    },
  }
  const files = {
    'model.onnx': toOnnx(weights),
    'tokenizer.json': Buffer.from(JSON.stringify(tokenizer)),
    'tokenizer_config.json': Buffer.from('{}'),
  }
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return { path: join(folder, 'model.onnx'), files }
}
