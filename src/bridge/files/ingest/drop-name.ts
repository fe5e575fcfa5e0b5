import { oneOf, allPhrases } from '#lexicon/match.ts'
import { toDisplayName, toFileName, withExtension } from '#lib/file-kind.ts'
import type { Attachment, Message } from '#bridge/port/message.ts'
import { zoneOf } from '#bridge/texts/formats.ts'
import { freeName } from '../file-records.ts'

/**
 * Names that a program gives by itself, without their extension: a long paste on Discord (`message.txt`), a snippet on
 * Slack (`Untitled`), pasted files, photos, recordings, files without a name yet.
 */
const GIVEN_NAMES = oneOf(
  allPhrases('documents', 'givenNames'),
  { digits: String.raw`\d+`, number: String.raw`.*\d.*`, rest: String.raw`\d.*` },
  '[ _-]',
)

/** With a number that a copy or a second download got: `image (1)`, `Untitled 2`, `image-3`. */
const IS_GIVEN = new RegExp(String.raw`^${GIVEN_NAMES}(?:[ _-]*\(?\d{1,3}\)?)?$`, 'iu')

/** The service gave it this name, not a person: it does not tell one document from another. */
export const isGivenName = (name: string): boolean => IS_GIVEN.test(name.replace(/(?:\.[a-z0-9]{1,10}){1,2}$/i, ''))

/** `Ada, 2026-11-27 14.03`, in the zone of the person: a name has no room for a colon. */
function whoAndWhen({ author, sentAt }: Pick<Message, 'author' | 'sentAt'>): string {
  const zone = zoneOf(author) ?? 'UTC'
  // Swedish writes dates as ISO 8601 does.
  const time = new Date(sentAt).toLocaleString('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  return `${author.name}, ${time.replace(':', '.')}`
}

/**
 * The display name of a dropped file. The same name as before is a new version of the file, unless nobody chose it:
 * then it is made another one, with the person and the time.
 *
 * @param taken.inDrop file names of this drop
 * @param taken.before file names of other drops in the collection
 */
export function nameOfDrop(
  attachment: Pick<Attachment, 'name' | 'mimeType'>,
  message: Pick<Message, 'author' | 'sentAt'>,
  taken: { readonly inDrop: (name: string) => boolean; readonly before: (name: string) => boolean },
): string {
  const name = withExtension(toDisplayName(attachment.name), attachment.mimeType)
  if (!isGivenName(name)) return freeName(name, (it) => taken.inDrop(toFileName(it)))
  const isTaken = (it: string) => taken.inDrop(toFileName(it)) || taken.before(toFileName(it))
  if (!isTaken(name)) return name
  const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/s.exec(name) ?? []
  return freeName(toDisplayName(`${stem} (${whoAndWhen(message)})${ending}`), isTaken)
}
