import type { ChannelFile, FileVersion } from '#bridge/port/channel-files.ts'
import type { Reference } from '#bridge/port/message.ts'
import type { Clock, Log } from '#bridge/port/platform.ts'
import { createLru } from '#lib/lru.ts'

/** Draws a page of a PDF as a picture (PNG), with the words of the quote marked. */
export type DrawPage = (
  pdf: Blob,
  page: { readonly page: number; readonly quote: string },
  signal: AbortSignal,
) => Promise<Uint8Array<ArrayBuffer>>

/** Letters of the quote that is marked. */
const MAX_QUOTE = 600
/** Bytes of the pictures that are kept. */
const MAX_KEPT = 32_000_000
/** Pictures that are drawn at once. */
const MAX_DRAWN = 4
/** Requests that are worked on at once: of all sessions, since these take no turns with other reads. */
const MAX_ASKED = 16
/** Pages that could not be drawn, and how long they are not tried again: a try may take a process half a minute. */
const MAX_FAILED = 500
const FAILED_MS = 3 * 60_000

/** Page of a reference to a PDF; undefined for other places. */
export const pageOf = ({ file, place }: Pick<Reference, 'file' | 'place'>): number | undefined => {
  const page = /\.pdf$/i.test(file) ? /^p\.\s?(\d{1,6})/.exec(place ?? '')?.[1] : undefined
  return page === undefined ? undefined : Number(page)
}

/** Words that a reference rests on; empty where it is not known. */
export const quoteOf = (reference: Pick<Reference, 'support' | 'passage'> | undefined): string =>
  (reference?.support ?? reference?.passage ?? '').slice(0, MAX_QUOTE).toWellFormed()

/** A reference knows name and version of its file only. Version 0: the newest. */
export function versionOf(all: readonly ChannelFile[], name: string, version: number): FileVersion | undefined {
  // A newer drop of the name may have failed: it is no version, and no answer cites it.
  const ofName = all.filter((one) => one.name === name)
  const file = ofName.find(({ state }) => state !== 'failed') ?? ofName[0]
  const versions = file === undefined ? [] : [file, ...file.earlier]
  return versions.find((one) => one.version === version) ?? (version > 0 ? undefined : file)
}

/** A PDF by its first bytes, never by its name. */
export const isPdf = async (bytes: Blob): Promise<boolean> => (await bytes.slice(0, 1024).text()).includes('%PDF-')

export interface AskedPicture {
  readonly page: number
  readonly quote: string
  /** Id of the file; the caller checks who may read it. */
  find(): Promise<string>
  open(file: string): Promise<Blob>
  /** Ends when the reader has left. */
  readonly signal: AbortSignal
}

export interface PagePictures {
  /**
   * The picture as it was drawn before, or a new one.
   *
   * @throws {PictureFailure}
   */
  of(asked: AskedPicture): Promise<Uint8Array<ArrayBuffer>>
}

/** `none`: the page cannot be drawn. `busy`: too many are asked for, for some seconds. */
export class PictureFailure extends Error {
  override readonly name = 'PictureFailure'
  readonly why: 'none' | 'busy'

  constructor(why: PictureFailure['why']) {
    super(`No picture of a page: ${why}`)
    this.why = why
  }
}

export function createPagePictures(draw: DrawPage, log: Log, clock: Clock): PagePictures {
  const kept = createLru<Uint8Array<ArrayBuffer>>(MAX_KEPT, ({ byteLength }) => byteLength)
  const failedUntil = createLru<number>(MAX_FAILED)
  const drawing = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()
  const inTurn = createTurns()
  let count = 0

  async function drawn(key: string, file: string, asked: AskedPicture) {
    const { page, quote } = asked
    const pdf = await asked.open(file)
    try {
      // A person who turns the pages fast comes back: a picture that was begun is kept.
      const picture = await draw(pdf, { page, quote }, AbortSignal.timeout(60_000))
      kept.set(key, picture)
      return picture
    } catch (error) {
      failedUntil.set(key, clock() + FAILED_MS)
      log.debug({ err: error }, 'A page could not be drawn as a picture; the passage is shown alone')
      throw new PictureFailure('none')
    }
  }

  function known(key: string) {
    if ((failedUntil.get(key) ?? 0) > clock()) throw new PictureFailure('none')
    return kept.get(key) ?? drawing.get(key)
  }

  function begin(key: string, file: string, asked: AskedPicture) {
    if (asked.signal.aborted) throw new PictureFailure('busy')
    const picture = drawn(key, file, asked).finally(() => drawing.delete(key))
    drawing.set(key, picture)
    return picture
  }

  return {
    async of(asked) {
      if (count >= MAX_ASKED) throw new PictureFailure('busy')
      count += 1
      try {
        const file = await asked.find()
        const key = JSON.stringify([file, asked.page, asked.quote])
        return await (known(key) ?? inTurn(async () => known(key) ?? begin(key, file, asked)))
      } finally {
        count -= 1
      }
    },
  }
}

/** Work of which a few run at once; the rest waits, first come first served. */
function createTurns() {
  const waiting: (() => void)[] = []
  let running = 0
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= MAX_DRAWN) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // The place goes on to the next one.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
