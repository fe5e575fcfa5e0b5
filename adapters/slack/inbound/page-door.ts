import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ChannelFiles } from '#bridge/port/channel-files.ts'
import type { ConversationRef, Reference } from '#bridge/port/message.ts'
import type { Clock, Log } from '#bridge/port/platform.ts'
import { isPdf, pageOf, type PagePictures, PictureFailure, quoteOf, versionOf } from '#adapters/shared/page-pictures.ts'
import { PAGES_PATH } from '../config.ts'

/**
 * Pages of cited PDFs as pictures, for the pane of a reference: Slack's apps load them without a sign-in, so an address is
 * made for one press, after its rights were asked, and ends. Any process can check it.
 */
export interface PageDoor {
  readonly addressOf: (answer: string, number: number) => string
  covers(request: Request): boolean
  fetch(request: Request): Promise<Response>
}

interface Parts {
  readonly publicUrl: string
  readonly secret: string
  /** Undefined: not everybody in the channel of the answer may read it, or it is gone. */
  readonly cited: (asked: {
    readonly answer: string
    readonly number: number
  }) => Promise<
    { readonly answer: { readonly conversation: ConversationRef }; readonly reference: Reference } | undefined
  >
  readonly files: () => Pick<ChannelFiles, 'list' | 'open'> | undefined
  readonly pictures: PagePictures
  readonly log: Log
  readonly clock?: Clock
}

/** Slack shows a pane again for ten minutes before it asks anew. */
const LIFETIME_S = 15 * 60
const OPEN_MS = 60_000
const ADDRESS = /^([\w-]{1,60})\.(\d{1,4})\.(\d{1,12})\.([\w-]{43})$/
const HEADERS = {
  // Slack's preview refuses a picture without it.
  'access-control-allow-origin': 'https://app.slack.com',
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

const gone = () =>
  new Response('This picture is not here (any more). Refresh the pane.', { status: 404, headers: HEADERS })
const busy = () =>
  new Response('This picture cannot be drawn now. Refresh the pane in a few seconds.', {
    status: 503,
    headers: { ...HEADERS, 'retry-after': '5' },
  })

export function createPageDoor({ publicUrl, secret, cited, files, pictures, log, clock = Date.now }: Parts): PageDoor {
  const sign = (words: string) => createHmac('sha256', secret).update(`page picture:${words}`).digest('base64url')
  const seconds = () => Math.floor(clock() / 1000)

  function read(pathname: string) {
    const [, answer = '', number = '', until = '', given = ''] = ADDRESS.exec(pathname.slice(PAGES_PATH.length)) ?? []
    const expected = sign(`${answer}.${number}.${until}`)
    const isOurs = given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
    return isOurs && Number(until) >= seconds() ? { answer, number: Number(number) } : undefined
  }

  async function draw(asked: { readonly answer: string; readonly number: number }, signal: AbortSignal) {
    const shelf = files()
    const found = await cited(asked)
    const page = found && pageOf(found.reference)
    if (found === undefined || page === undefined || shelf === undefined) throw new PictureFailure('none')
    const { reference, answer } = found
    const place = answer.conversation
    return pictures.of({
      page,
      quote: quoteOf(reference),
      async find() {
        const file = versionOf(await shelf.list(place), reference.file, reference.version ?? 0)
        if (file === undefined) throw new PictureFailure('none')
        return file.id
      },
      async open(id) {
        const file = await shelf.open(place, id, AbortSignal.timeout(OPEN_MS))
        if (file === undefined || !(await isPdf(file.bytes))) throw new PictureFailure('none')
        return file.bytes
      },
      signal,
    })
  }

  return {
    addressOf(answer, number) {
      const words = `${answer}.${number}.${seconds() + LIFETIME_S}`
      return `${publicUrl}${PAGES_PATH}${words}.${sign(words)}`
    },
    covers: (request) => new URL(request.url).pathname.startsWith(PAGES_PATH),
    async fetch(request) {
      const asked = request.method === 'GET' ? read(new URL(request.url).pathname) : undefined
      if (asked === undefined) return gone()
      try {
        const bytes = await draw(asked, request.signal)
        const length = String(bytes.byteLength)
        return new Response(bytes, { headers: { ...HEADERS, 'content-type': 'image/png', 'content-length': length } })
      } catch (error) {
        if (error instanceof PictureFailure) return error.why === 'busy' ? busy() : gone()
        log.warn(
          { err: error },
          'The page of a cited PDF could not be drawn: the pane in Slack shows the passage alone',
        )
        return busy()
      }
    },
  }
}
