/** Why a picture was not searched for text: out of time, no language on this machine, too large or made to take long. */
export type Unread = 'late' | 'no data' | 'heavy'

/** `3, 5–9` */
function toRanges(pages: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const page of pages) {
    const last = ranges.at(-1)
    if (last !== undefined && page === last[1] + 1) last[1] = page
    else ranges.push([page, page])
  }
  const shown = ranges.slice(0, 10).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`))
  return shown.join(', ') + (ranges.length > shown.length ? ' …' : '')
}

const REASONS: Readonly<Record<Unread, (which: string) => string>> = {
  late: (which) =>
    `${which} that could not be read in the time allowed: send what is missing as a document of its own.`,
  'no data': (which) => `${which}, and no text recognition is set up here: run it on the document and send it again.`,
  heavy: (which) => `${which} too large to be searched for text: save what is missing smaller and send it again.`,
}

const inWords = (
  unread: Readonly<Record<Unread, readonly number[]>>,
  toSentence: typeof toPages,
): string | undefined => {
  const sentences = Object.entries(unread).map(([reason, pages]) => toSentence(reason as Unread, pages))
  const said = sentences.filter((sentence) => sentence !== '').join(' ')
  return said === '' ? undefined : said
}

function toPages(reason: Unread, pages: readonly number[]): string {
  if (pages.length === 0) return ''
  return REASONS[reason](pages.length === 1 ? `Page ${pages[0]} is a picture` : `Pages ${toRanges(pages)} are pictures`)
}

/** A sentence about pages that were not read; undefined where all were. */
export const toUnreadPages = (unread: Readonly<Record<Unread, readonly number[]>>) => inWords(unread, toPages)

const OF_IMAGE: Readonly<Record<Unread, string>> = {
  late: 'Text in the picture could not be read in the time allowed: send it again, smaller.',
  'no data': 'Text in the picture was not read, since no text recognition is set up here.',
  heavy: 'The picture is too large to be searched for text: save it smaller and send it again.',
}

/** The same about an image. */
export const toUnreadImage = (unread: Readonly<Record<Unread, readonly number[]>>) =>
  inWords(unread, (reason, pages) => (pages.length === 0 ? '' : OF_IMAGE[reason]))

/** The same about pictures inside a document. */
export function toUnreadPictures(
  { late, heavy }: Readonly<Record<Unread, readonly number[]>>,
  left: number,
): string | undefined {
  const count = late.length + heavy.length + left
  if (count === 0) return undefined
  const which = count === 1 ? 'One picture' : `${count} pictures`
  return `${which} of the document could not be searched for text in the time allowed: send them as files of their own.`
}
