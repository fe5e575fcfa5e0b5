import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ConversionQuery, ConversionResult } from '#platform/wire/documents.ts'
import { EngineError } from '../errors.ts'
import type { ConvertAnswer, ConvertFailure, ConvertWork, ReadLimits, RecognitionLimits } from './protocol.ts'
import { extensionOf, kindOf } from './document-kind.ts'
import { createProcessPool, type ProcessLimits } from './converter-process.ts'

export interface ConvertLimits extends ProcessLimits, Omit<ReadLimits, 'recognition'> {
  readonly recognition: Omit<RecognitionLimits, 'folder'>
  /** Documents converted at once, each in a child process. */
  readonly processes: number
  /** Wall-clock time of one PDF or image, and of each page that is recognized; a small one has less. */
  readonly timeoutMs: number
  /** Wall-clock time of one document of another kind. */
  readonly readTimeoutMs: number
  /** Time after which a PDF or image gives way to documents that wait; it starts anew when a place is free for it. */
  readonly turnMs: number
}

export const CONVERT_LIMITS: ConvertLimits = {
  timeoutMs: 120_000,
  readTimeoutMs: 20_000,
  turnMs: 20_000,
  // Two children and the parent fit the 2 GB of the container.
  memoryBytes: 700_000_000,
  renewBytes: 200_000_000,
  resultCharacters: 100_000_000,
  pages: 10_000,
  unpackedBytes: 512 * 1024 * 1024,
  pictureBytes: 100 * 1024 * 1024,
  recognition: { languages: ['eng', 'deu'], pageMs: 60_000, totalMs: 300_000 },
  idleMs: 8_000,
  processes: 2,
}

/** Text recognition begins with this page, of `pages`. */
export type OnPage = (page: number, pages: number) => void

export interface PdfPages {
  readonly path: string
  /** Pages with text. */
  readonly pages: number
  /** A sentence about pages that were not read. */
  readonly note?: string | undefined
  done(): Promise<void>
}

export interface PageToDraw {
  /** From 1 on. */
  readonly page: number
  readonly quote: string
}

export interface Converter {
  /**
   * Converts a PDF into a file with one JSON line a page, which the caller removes with `done`. Owners take turns.
   *
   * @throws {EngineError} `unsupported`, `too-large`, with a sentence for people.
   */
  convertPdf(path: string, signal?: AbortSignal, owner?: string, onPage?: OnPage): Promise<PdfPages>
  /**
   * Converts a document of a kind that `kindOf` knows by its name.
   *
   * @throws {EngineError} `unsupported`, `too-large`, with a sentence for people.
   */
  convertDocument(
    document: { readonly path: string; readonly name: string; readonly query: ConversionQuery },
    signal?: AbortSignal,
    owner?: string,
  ): Promise<ConversionResult>
  /**
   * A page of a PDF as a picture (PNG), with the words of `quote` marked.
   *
   * @throws {EngineError} `unsupported`, `too-large`, with a sentence for people.
   */
  drawPage(path: string, page: PageToDraw, signal?: AbortSignal, owner?: string): Promise<Buffer>
  close(): Promise<void>
}

const LABELS: Readonly<Record<string, string>> = {
  html: 'page',
  htm: 'page',
  eml: 'mail',
  mbox: 'mailbox',
  ics: 'calendar',
  vcf: 'contact',
  ipynb: 'notebook',
  txt: 'text',
  md: 'text',
}

function toError(name: string, failure: ConvertFailure, { found, note }: ConvertAnswer): EngineError {
  const extension = extensionOf(name)
  const label = LABELS[extension] ?? extension.toUpperCase()
  switch (failure) {
    case 'encrypted':
      return refuse(`The ${label} is protected by a password: save it without one and send it again.`)
    case 'rights':
      return refuse(
        `The ${label} is protected by rights management, such as a sensitivity label: save a copy without protection and send that.`,
      )
    case 'empty':
      return refuse(
        extension === 'pdf'
          ? (note ??
              'The PDF holds no text, and none was recognized in its pictures: scan it anew, larger and upright.')
          : `The ${label} holds no text: there is nothing in it to convert.`,
      )
    case 'renamed':
      return refuse(
        `The file is called ${extension.toUpperCase()}, but its content is ${found ?? 'something else'}: give it the name that fits and send it again.`,
      )
    case 'old':
      return refuse(
        `The ${label} was written by a version of its program that is not read here: open it, save it as ${label}X and send it again.`,
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
    case 'heavy':
      return refuse(`The ${label} holds a picture that is too large to be drawn: save it smaller and send it again.`)
    case 'no-room':
      return new EngineError(
        'no-room',
        `The ${label} was read, but its text could not be stored (${found}): whoever runs the platform should look at the disk of its data folder.`,
        { retryAfterMs: 60_000 },
      )
    case 'broken':
    default:
      return refuse(`The ${label} is damaged and cannot be read: export it anew and send it again.`)
  }
}

const refuse = (sentence: string) => new EngineError('unsupported', sentence)

const LONG_KINDS: ReadonlySet<string> = new Set(['pdf', 'image'])

/** Share of the time of a document of this size: a few kilobytes that take long were made to. */
const shareOfTime = (bytes: number) => Math.min(1, 0.25 + bytes / 1_000_000)

interface Conversion {
  readonly work: ConvertWork
  readonly path: string
  readonly signal: AbortSignal | undefined
  readonly owner: string | undefined
  readonly onPage?: OnPage | undefined
}

/** Where the data of text recognition is unpacked, or put by hand. */
export const tessdataFor = (folder: string): string => join(dirname(folder), 'tessdata')

/** Converts documents in child processes, which start with the first documents and are kept warm. */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createConverter(folder: string, limits: ConvertLimits = CONVERT_LIMITS): Converter {
  const pool = createProcessPool(limits)
  const running = new Set<Promise<unknown>>()
  const { pages, unpackedBytes, pictureBytes, resultCharacters } = limits
  const recognition = { ...limits.recognition, folder: tessdataFor(folder) }
  const readLimits = { pages, unpackedBytes, pictureBytes, resultCharacters, recognition }
  let lastId = 0
  let closed = false

  async function ask({ work, path, signal, owner, onPage }: Conversion, out: string): Promise<ConvertAnswer> {
    const isLongKind = work.kind === 'document' ? LONG_KINDS.has(kindOf(work.name) ?? '') : work.kind === 'pages'
    const timeoutMs = isLongKind ? limits.timeoutMs * shareOfTime((await stat(path)).size) : limits.readTimeoutMs
    const pageTimeoutMs = limits.timeoutMs
    for (let isLong = false; ; isLong = true) {
      // oxlint-disable-next-line no-await-in-loop -- a second turn comes after the first
      const turn = await pool.take(owner ?? '', isLong)
      try {
        if (closed || signal?.aborted === true) throw new EngineError('aborted', 'The conversion was stopped.')
        lastId += 1
        const times = { timeoutMs, pageTimeoutMs, mayGoOn: () => turn.mayGoOn(), onPage }
        const call = { id: lastId, path, out, work, limits: readLimits }
        // oxlint-disable-next-line no-await-in-loop -- as above
        const answer = await turn.process.ask(call, times, signal)
        if (answer !== undefined) return answer
      } finally {
        turn.release()
      }
    }
  }

  /** Converts one document and removes its result when that failed. */
  async function run<Result>(
    conversion: Conversion,
    use: (out: string, answer: ConvertAnswer) => Promise<Result> | Result,
  ): Promise<Result> {
    const { work } = conversion
    await mkdir(folder, { recursive: true })
    const out = join(folder, `${randomUUID()}.${work.kind}`)
    try {
      const answer = await ask(conversion, out)
      if (answer.failure !== undefined) {
        throw toError(work.kind === 'document' ? work.name : 'x.pdf', answer.failure, answer)
      }
      return await use(out, answer)
    } catch (error) {
      await rm(out, { force: true })
      // A child that we killed says nothing about its document.
      if (!closed || conversion.signal?.aborted === true) throw error
      throw new EngineError('closed', 'Footbridge is stopping: try again in a moment.', { cause: error })
    }
  }

  function track<Result>(result: Promise<Result>): Promise<Result> {
    running.add(result)
    const forget = () => void running.delete(result)
    result.then(forget, forget)
    return result
  }

  return {
    convertPdf: (path, signal, owner, onPage) =>
      track(
        run({ work: { kind: 'pages' }, path, signal, owner, onPage }, (out, { pages: count = 0, note }) => ({
          path: out,
          pages: count,
          note,
          done: () => rm(out, { force: true }),
        })),
      ),
    convertDocument: ({ path, name, query }, signal, owner) =>
      track(
        run({ work: { kind: 'document', name, query }, path, signal, owner }, async (out) => {
          // The child wrote it, so its shape is known.
          const result = JSON.parse(await readFile(out, 'utf8')) as ConversionResult
          await rm(out, { force: true })
          return result
        }),
      ),
    drawPage: (path, page, signal, owner) =>
      track(
        run({ work: { kind: 'picture', ...page }, path, signal, owner }, async (out) => {
          const picture = await readFile(out)
          await rm(out, { force: true })
          return picture
        }),
      ),
    async close() {
      closed = true
      pool.stop()
      await Promise.allSettled(running)
    },
  }
}
