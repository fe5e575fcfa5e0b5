import { createHash } from 'node:crypto'

/** The address of a text: a file, or one passage in it. It grants nothing: rights are checked with each call. */
export interface Address {
  /** Id of the collection, as `Readable.id`. */
  readonly collection: string
  readonly file: string
  /** `p.3`, `L10-24`; absent: the whole file. */
  readonly place?: string | undefined
  /** First characters of the hash of the passage: one page can have several, and a file can change. */
  readonly mark?: string | undefined
}

const START = 'footbridge://knowledge/'
const FORM = /^footbridge:\/\/knowledge\/([^/]+)\/([^/]+)(?:\/([^/~]+)(?:~([0-9a-f]{10}))?)?$/
const MARK_LENGTH = 10
const MAX_CHARS = 4000

export const markOf = (body: string): string => createHash('sha256').update(body).digest('hex').slice(0, MARK_LENGTH)

/** The address as text: the id of a passage, and the address of a resource. */
export function formatAddress({ collection, file, place, mark }: Address): string {
  const passage = place === undefined ? '' : `/${encodeURIComponent(place)}${mark === undefined ? '' : `~${mark}`}`
  return `${START}${encodeURIComponent(collection)}/${encodeURIComponent(file)}${passage}`
}

/** Undefined: it has another form. */
export function parseAddress(text: string): Address | undefined {
  const [, collection, file, place, mark] = (text.length <= MAX_CHARS && FORM.exec(text)) || []
  if (collection === undefined || file === undefined) return undefined
  try {
    return {
      collection: decodeURIComponent(collection),
      file: decodeURIComponent(file),
      place: place && decodeURIComponent(place),
      mark,
    }
  } catch {
    return undefined
  }
}
