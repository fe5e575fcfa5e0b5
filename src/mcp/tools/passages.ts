import type { FilePassage } from '#platform/engine/api/read-passages.ts'
import type { Readable } from '../askers/asker.ts'
import { type Address, markOf } from './address.ts'

/** Characters around a passage that `fetch` gives. */
const MAX_READ_CHARS = 40_000

export const textOf = ({ lead, body }: Pick<FilePassage, 'lead' | 'body'>) =>
  lead === '' ? body : `${lead.trimEnd()}\n${body}`

export interface Located {
  readonly address: Address
  readonly collection: Readable
  readonly passages: readonly FilePassage[]
  /** Positions of the first and the last passage that are meant. */
  readonly first: number
  readonly last: number
}

const LINES = /^L(\d+)(?:-(\d+))?$/

/** With a mark, only the passage itself; else all on the page, or that have one of the lines. */
export function isAt(passage: FilePassage, { place, mark }: Pick<Address, 'place' | 'mark'>): boolean {
  if (place === undefined) return false
  if (mark !== undefined) return passage.place === place && markOf(passage.body) === mark
  if (passage.place === place) return true
  const [, from, to = from] = LINES.exec(place) ?? []
  return (
    from !== undefined && passage.page === undefined && passage.lineFrom <= Number(to) && passage.lineTo >= Number(from)
  )
}

/** Takes neighbours in turn, the following first, as long as there is room. */
export function widen(located: Located): Located {
  const { passages } = located
  let { first: from, last: to } = located
  const size = (index: number) => (passages[index] === undefined ? Infinity : textOf(passages[index]).length)
  let room = MAX_READ_CHARS - passages.slice(from, to + 1).reduce((sum, one) => sum + textOf(one).length, 0)
  for (;;) {
    const [before, after] = [size(from - 1), size(to + 1)]
    if (after <= room) {
      to += 1
      room -= after
    }
    if (before <= room) {
      from -= 1
      room -= before
    }
    if (size(from - 1) > room && size(to + 1) > room) return { ...located, first: from, last: to }
  }
}

export function toRead({ address, collection, passages, first, last }: Located) {
  const taken = passages.slice(first, last + 1)
  return {
    address,
    collection,
    text: taken.map(({ body, lead }, index) => (index === 0 ? textOf({ lead, body }) : body)).join('\n\n'),
    /** Places of the first and the last passage in `text`. */
    from: taken[0]?.place ?? '',
    to: taken.at(-1)?.place ?? '',
    /** The file goes on before or after it. */
    isPart: first > 0 || last < passages.length - 1,
  }
}

export type ReadText = ReturnType<typeof toRead>
