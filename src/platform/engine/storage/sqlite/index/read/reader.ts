import { availableParallelism } from 'node:os'
import { errorText } from '#platform/engine/errors.ts'
import { createThread, sayWorking } from '#platform/engine/storage/thread.ts'
import type { IndexFile } from '#platform/engine/storage/types.ts'
import { type FilePart, readFiles, type Unread } from './read-files.ts'
import type { ReadAnswer, ReadCall } from './read-worker.ts'

/** Bytes of text from which on a group of files is read by a thread of its own: for fewer it would not pay to start it. */
const MANY_BYTES = 1024 * 1024
/** Answers of 200 chunks that are asked for before they are needed: it reads on while lists of postings are written. */
const AHEAD = 24
/** The main thread watches over the files, and is told of each: its watch ends before this one. */
const STALL_MS = 600_000

/** A file, and the call that brought it. */
interface CalledFile {
  readonly call: number
  readonly file: IndexFile
  /** Size of its text; 0 where it is in memory. */
  readonly bytes: number
}

/** Files that are read for one transaction. */
export interface Reading {
  readonly parts: AsyncIterable<FilePart | Unread>
  /** Forgets parts that were read ahead: to be called also where no part was asked for. */
  end(): void
}

export interface Reader {
  /** Reading begins at once, or with the first part that is asked for. */
  read(files: readonly CalledFile[]): Reading
  close(): Promise<void>
}

const readHere = (files: readonly CalledFile[]): Reading => ({
  parts: readFiles(
    files.map(({ file }) => file),
    (at) => sayWorking(files[at]?.call ?? 0),
  ),
  end: () => undefined,
})

const bytesOf = (files: readonly CalledFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** The reading thread died over the file of this call. */
export class ReaderDied extends Error {
  readonly call: number

  constructor(call: number, cause: unknown) {
    super(`The thread that reads files ended: ${errorText(cause)}`, { cause })
    this.call = call
  }
}

const SCRIPT = new URL('./read-worker.ts', import.meta.url)

/** @param script of the reading thread */
export function createReader(script = SCRIPT): Reader {
  /** The call whose file is read there, and the one over which the thread died last. */
  let [current, fatal] = [0, 0]
  const thread = createThread(script, {
    stallMs: STALL_MS,
    onWorking(call) {
      current = call
      sayWorking(call, { isElsewhere: true })
    },
  })
  let groups = 0

  function readElsewhere(files: readonly CalledFile[]): Reading {
    const group = (groups += 1)
    let isOver = false
    const ask = (more: Partial<ReadCall> = {}) => {
      const answer = thread.ask({ group, ...more }) as Promise<ReadAnswer>
      // An answer that was asked for ahead may not be needed any more.
      answer.catch(() => {
        fatal = current
      })
      return answer
    }
    const ahead = Array.from({ length: AHEAD }, (_, at) =>
      ask(at === 0 ? { files: files.map(({ call, file }) => ({ call, file })) } : {}),
    )
    async function* readParts() {
      for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
        // oxlint-disable-next-line no-await-in-loop -- in order
        const answer = await next.catch((error: unknown) => {
          throw new ReaderDied(fatal, error)
        })
        if (answer === 'gone') throw new ReaderDied(fatal, 'another thread took its place')
        isOver = answer === null
        if (answer === null) return
        ahead.push(ask())
        yield* answer
      }
    }
    return {
      parts: readParts(),
      end() {
        if (!isOver) void ask({ isOver: true })
      },
    }
  }

  return {
    read: (files) =>
      availableParallelism() > 1 && bytesOf(files) >= MANY_BYTES ? readElsewhere(files) : readHere(files),
    close: () => thread.close(),
  }
}
