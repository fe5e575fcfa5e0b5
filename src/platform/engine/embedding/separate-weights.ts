// ONNX is a protocol buffer. Its weights are named by their place in the file, so that the graph alone is parsed.

interface Field {
  readonly number: number
  /** The field with its tag. */
  readonly whole: Buffer
  /** The content begins here in the file, and ends at `to`. */
  readonly from: number
  readonly to: number
}

const MODEL_GRAPH = 7
const GRAPH_WEIGHTS = 5
const WEIGHTS_RAW = 9
const WEIGHTS_EXTERNAL = 13
const WEIGHTS_LOCATION = 14
const IS_EXTERNAL = 1
/** Below it the place takes as much room as the weights. */
const MIN_BYTES = 1_024
const NAME = 'weights'

function readNumber(file: Buffer, from: number): readonly [value: number, end: number] {
  let value = 0
  for (let at = from, scale = 1; at < from + 10; at += 1, scale *= 128) {
    const byte = file[at]
    if (byte === undefined) break
    value += (byte & 127) * scale
    if (byte < 128) return [value, at + 1]
  }
  throw new Error('the file ends within a number: it is no whole ONNX model')
}

function readFields(file: Buffer, from: number, to: number): readonly Field[] {
  const fields: Field[] = []
  for (let at = from; at < to;) {
    const start = at
    const [tag, content] = readNumber(file, at)
    const kind = tag % 8
    const [length, body] = kind === 2 ? readNumber(file, content) : [0, content]
    if (kind === 0) at = readNumber(file, content)[1]
    else if (kind === 2) at = body + length
    else if (kind === 5) at = content + 4
    else if (kind === 1) at = content + 8
    else throw new Error('the file is no ONNX model')
    if (at > to) throw new Error('the file ends within a part: it is no whole ONNX model')
    fields.push({ number: Math.floor(tag / 8), whole: file.subarray(start, at), from: body, to: at })
  }
  return fields
}

function writeNumber(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Buffer.from([...bytes, rest])
}

function writeField(number: number, parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([writeNumber(number * 8 + 2), writeNumber(length), ...parts])
}

const entry = (key: string, value: string) =>
  writeField(WEIGHTS_EXTERNAL, [writeField(1, [Buffer.from(key)]), writeField(2, [Buffer.from(value)])])

/** Weights with the place of their bytes in the file, in place of the bytes. */
function placed(file: Buffer, weights: Field): Buffer | undefined {
  const fields = readFields(file, weights.from, weights.to)
  const raw = fields.find(({ number }) => number === WEIGHTS_RAW)
  if (raw === undefined || raw.to - raw.from < MIN_BYTES) return undefined
  return writeField(GRAPH_WEIGHTS, [
    ...fields.flatMap((field) => (field === raw ? [] : [field.whole])),
    entry('location', NAME),
    entry('offset', String(raw.from)),
    entry('length', String(raw.to - raw.from)),
    Buffer.from([WEIGHTS_LOCATION * 8, IS_EXTERNAL]),
  ])
}

/**
 * @returns the model without its larger weights, and the name by which it knows the file with them
 * @throws {Error} the file is cut off or no ONNX model
 */
export function separateWeights(file: Buffer): { readonly graph: Buffer; readonly name: string | undefined } {
  let moved = 0
  const toGraph = (graph: Field) =>
    writeField(
      MODEL_GRAPH,
      readFields(file, graph.from, graph.to).map((field) => {
        const weights = field.number === GRAPH_WEIGHTS ? placed(file, field) : undefined
        if (weights !== undefined) moved += 1
        return weights ?? field.whole
      }),
    )
  const parts = readFields(file, 0, file.length).map((field) =>
    field.number === MODEL_GRAPH ? toGraph(field) : field.whole,
  )
  return { graph: Buffer.concat(parts), name: moved > 0 ? NAME : undefined }
}
