import type { ConvertedImage } from '#platform/wire/documents.ts'
import { escapeText } from '../markdown/inline.ts'
import { loadNative } from '../pdf/native-reader.ts'
import { createRecognizer } from '../pdf/scans/recognize.ts'
import { toUnreadPictures } from '../pdf/scans/unread.ts'
import type { PageText, Source } from '../reader.ts'
import { readImageInfo } from './pictures.ts'

/** Pictures of one document that are read, and the time for each and for all; a picture takes less than a second. */
const MAX_READ = 12
const PICTURE_MS = 20_000
const ALL_MS = 40_000
/** Smaller pictures are logos and icons. */
const MIN_WIDTH = 150
const MIN_HEIGHT = 40
const MAX_LETTERS = 4000
/** A picture is taken for a page of this resolution. */
const PIXELS_PER_POINT = 150 / 72

const sizeOf = ({ image }: ConvertedImage) => {
  const bytes = Buffer.from(image, 'base64')
  const { format, width = 0, height = 0 } = readImageInfo(bytes) ?? {}
  return { bytes, format, width, height }
}

/** Text in the pictures of a document, by the pictures' names; at most twelve are read, within some seconds. */
async function readPictures({ pictures, limits, onPage, onNote, onStuck }: Source): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  const native = loadNative()
  if (native === undefined || limits.recognition.languages.length === 0) return texts
  const large = pictures.images
    .map((picture) => ({ ...sizeOf(picture), name: picture.filename }))
    .filter(({ format, width, height }) => format !== 'svg' && width >= MIN_WIDTH && height >= MIN_HEIGHT)
  const found = large.slice(0, MAX_READ)
  const times = { pageMs: PICTURE_MS, totalMs: ALL_MS, isOneLook: true }
  const recognizer = createRecognizer(
    native,
    (page) => [found[page - 1]?.bytes ?? Buffer.alloc(0), 1],
    { ...limits.recognition, ...times },
    { onPage, onStuck },
  )
  for (const [index, { name, width, height }] of found.entries()) {
    const size = { width: width / PIXELS_PER_POINT, height: height / PIXELS_PER_POINT }
    // oxlint-disable-next-line no-await-in-loop -- one after the other, within the time
    const page = await recognizer.read({ pageNum: index + 1, text: '', markdown: '', ...size }, found.length)
    const text = (page?.text ?? '').replace(/\s+/g, ' ').trim().slice(0, MAX_LETTERS)
    if (text !== '') texts.set(name, text)
  }
  const note = toUnreadPictures(recognizer.unread, large.length - found.length)
  if (note !== undefined) onNote(note)
  return texts
}

/** The pages with the text of their pictures after the pictures' names. */
export async function withPictureText(source: Source, pages: readonly PageText[]): Promise<readonly PageText[]> {
  const texts = await readPictures(source)
  if (texts.size === 0) return pages
  const named = /\bpicture-\d+\.\w+/g
  return pages.map(({ markdown, ...page }) => ({
    ...page,
    markdown: markdown.replace(named, (name) => {
      const text = texts.get(name)
      texts.delete(name)
      return text === undefined
        ? name
        : `${name} [text in the picture: ${escapeText(text).replaceAll('|', String.raw`\|`)}]`
    }),
  }))
}
