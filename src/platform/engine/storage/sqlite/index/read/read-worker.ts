import { setImmediate as nextTurn } from 'node:timers/promises'
import { sayWorking, serveCalls } from '#platform/engine/storage/thread.ts'
import type { IndexFile } from '#platform/engine/storage/types.ts'
import { type FilePart, readFiles, type Unread } from './read-files.ts'

// The reading thread: it cuts and analyses large groups of files while the writing thread writes the groups before.

/** Files to be read; without `files` the next parts of those, or their end. */
export interface ReadCall {
  readonly id: number
  /** Number of the group. */
  readonly group: number
  /** Each with the call of the writing thread that brought it. */
  readonly files?: readonly { readonly call: number; readonly file: IndexFile }[]
  readonly isOver?: boolean
}

/** Parts; null after the last, `gone` for a group that this thread does not know. */
export type ReadAnswer = readonly (FilePart | Unread)[] | null | 'gone'

/** Chunks that are sent together. */
const CHUNKS_TOGETHER = 200

interface Reading {
  readonly parts: AsyncGenerator<readonly (FilePart | Unread)[]>
  /** The call that it works for. */
  call: number
}

const readings = new Map<number, Reading>()

/** Parts of small files are sent together. */
async function* readTogether(files: NonNullable<ReadCall['files']>, sayFile: (call: number) => void) {
  let together: (FilePart | Unread)[] = []
  let chunks = 0
  const parts = readFiles(
    files.map(({ file }) => file),
    (at) => sayFile(files[at]?.call ?? 0),
  )
  for await (const part of parts) {
    together.push(part)
    chunks += 'error' in part ? 0 : part.chunks.length
    if (chunks < CHUNKS_TOGETHER) continue
    yield together
    together = []
    chunks = 0
  }
  if (together.length > 0) yield together
}

function open({ id, files }: ReadCall): Reading | undefined {
  if (files === undefined) return undefined
  const reading: Reading = { parts: readTogether(files, (call) => sayWorking(reading.call, { about: call })), call: id }
  return reading
}

async function readNext(call: ReadCall): Promise<ReadAnswer> {
  const reading = readings.get(call.group) ?? open(call)
  if (reading === undefined) return 'gone'
  reading.call = call.id
  readings.set(call.group, reading)
  const read = call.isOver === true ? await reading.parts.return(undefined) : await reading.parts.next()
  if (read.done !== true) return read.value
  readings.delete(call.group)
  return null
}

/** Calls of the earliest group come first: it is written first. */
const waiting: { readonly call: ReadCall; readonly done: PromiseWithResolvers<ReadAnswer> }[] = []
let isReading = false

async function readWaiting(): Promise<void> {
  isReading = true
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
    await readNext(next.call).then(next.done.resolve, next.done.reject)
    await nextTurn()
  }
  isReading = false
}

function answer(call: ReadCall): Promise<ReadAnswer> {
  const done = Promise.withResolvers<ReadAnswer>()
  waiting.splice(waiting.findLastIndex((one) => one.call.group <= call.group) + 1, 0, { call, done })
  if (!isReading) void readWaiting()
  return done.promise
}

serveCalls(answer)
