import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConversionQuery, ConversionResult } from '../../wire/documents.ts'
import { EngineError } from '../errors.ts'
import type { ConvertAnswer, ConvertFailure, ConvertWork, ReadLimits } from './protocol.ts'
import { extensionOf } from './document-kind.ts'
import { createLane, type Lane, type LaneLimits } from './converter-process.ts'

export interface ConvertLimits extends LaneLimits, ReadLimits {
  /** Documents that are converted at once, each in a child of its own. */
  readonly lanes: number
}

export const CONVERT_LIMITS: ConvertLimits = {
  timeoutMs: 120_000,
  memoryBytes: 1_500_000_000,
  pages: 10_000,
  unpackedBytes: 512 * 1024 * 1024,
  pictureBytes: 100 * 1024 * 1024,
  idleMs: 30_000,
  lanes: 2,
}

export interface Converter {
  /**
   * Converts a PDF; the pages go into a file, one JSON line each, which the caller removes with `done`.
   *
   * @throws {EngineError} `unsupported`, `too-large`, with a sentence for people.
   */
  convertPdf(
    path: string,
    signal?: AbortSignal,
  ): Promise<{ path: string; pages: number; done(): Promise<void> }>
  /**
   * Converts a document of a kind that `kindOf` knows by its name.
   *
   * @throws {EngineError} `unsupported`, `too-large`, with a sentence for people.
   */
  convertDocument(
    document: { readonly path: string; readonly name: string; readonly query: ConversionQuery },
    signal?: AbortSignal,
  ): Promise<ConversionResult>
  close(): Promise<void>
}

const labels: Readonly<Record<string, string>> = {
  html: 'page',
  htm: 'page',
  eml: 'mail',
  ipynb: 'notebook',
  txt: 'text',
  md: 'text',
}

function toError(failure: ConvertFailure, name: string, found: string | undefined): EngineError {
  const extension = extensionOf(name)
  const label = labels[extension] ?? extension.toUpperCase()
  switch (failure) {
    case 'encrypted':
      return refuse(`The ${label} is protected by a password: save it without one and send it again.`)
    case 'empty':
      return refuse(
        extension === 'pdf'
          ? 'The PDF holds no text, perhaps only scanned images: run text recognition on it and send it again.'
          : `The ${label} holds no text: there is nothing in it to convert.`,
      )
    case 'renamed':
      return refuse(
        `The file is called ${extension.toUpperCase()}, but its content is ${found ?? 'something else'}: give it the name that fits and send it again.`,
      )
    case 'not-text':
      return refuse(`The ${label} holds binary data, not text: give it the name that fits and send it again.`)
    case 'too-many-pages':
      return new EngineError('too-large', `The ${label} has too many pages: split it and upload the parts.`)
    case 'too-big':
      return new EngineError(
        'too-large',
        `The ${label} unpacks to more than is allowed: split it and upload the parts.`,
      )
    case 'broken':
    default:
      return refuse(`The ${label} is damaged and cannot be read: export it anew and send it again.`)
  }
}

const refuse = (sentence: string) => new EngineError('unsupported', sentence)

/** Who waits takes the first child that is free. */
function createLanes(limits: ConvertLimits) {
  const free = Array.from({ length: limits.lanes }, () => createLane(limits))
  const all = [...free]
  const waiting: ((lane: Lane) => void)[] = []
  return {
    take: () => {
      // The last one used is the warm one.
      const lane = free.pop()
      return lane === undefined
        ? new Promise<Lane>((resolve) => waiting.push(resolve))
        : Promise.resolve(lane)
    },
    give(lane: Lane) {
      const next = waiting.shift()
      if (next === undefined) free.push(lane)
      else next(lane)
    },
    stop() {
      for (const lane of all) lane.stop()
    },
  }
}

/** Children that read documents, started with the first ones and kept warm; a document has one for itself. */
export function createConverter(folder: string, limits: ConvertLimits = CONVERT_LIMITS): Converter {
  const lanes = createLanes(limits)
  const running = new Set<Promise<unknown>>()
  let lastId = 0
  let closed = false

  async function ask(work: ConvertWork, path: string, out: string, signal: AbortSignal | undefined) {
    const lane = await lanes.take()
    try {
      if (closed || signal?.aborted === true) throw new EngineError('aborted', 'The conversion was stopped.')
      lastId += 1
      return await lane.ask({ id: lastId, path, out, work, limits: readLimits }, signal)
    } finally {
      lanes.give(lane)
    }
  }

  const readLimits: ReadLimits = {
    pages: limits.pages,
    unpackedBytes: limits.unpackedBytes,
    pictureBytes: limits.pictureBytes,
  }

  /** Runs one document and removes its result when it failed. */
  async function run<Result>(
    work: ConvertWork,
    path: string,
    signal: AbortSignal | undefined,
    use: (out: string, answer: ConvertAnswer) => Promise<Result> | Result,
  ): Promise<Result> {
    await mkdir(folder, { recursive: true })
    const out = join(folder, `${randomUUID()}.${work.kind}`)
    try {
      const answer = await ask(work, path, out, signal)
      if (answer.failure !== undefined) {
        throw toError(answer.failure, work.kind === 'pages' ? 'x.pdf' : work.name, answer.found)
      }
      return await use(out, answer)
    } catch (error) {
      await rm(out, { force: true })
      throw error
    }
  }

  function track<Result>(result: Promise<Result>): Promise<Result> {
    running.add(result)
    const forget = () => void running.delete(result)
    result.then(forget, forget)
    return result
  }

  return {
    convertPdf: (path, signal) =>
      track(
        run({ kind: 'pages' }, path, signal, (out, answer) => ({
          path: out,
          pages: answer.pages ?? 0,
          done: () => rm(out, { force: true }),
        })),
      ),
    convertDocument: ({ path, name, query }, signal) =>
      track(
        run({ kind: 'document', name, query }, path, signal, async (out) => {
          // Our own child wrote it.
          const result = JSON.parse(await readFile(out, 'utf8')) as ConversionResult
          await rm(out, { force: true })
          return result
        }),
      ),
    async close() {
      closed = true
      lanes.stop()
      await Promise.allSettled(running)
    },
  }
}
