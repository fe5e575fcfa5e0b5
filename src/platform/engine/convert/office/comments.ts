import { child, descendants, elements, findTree, readTree, type Relations, textOf, type XmlElement } from './xml.ts'
import type { Archive } from './zip.ts'

const lineOf = (element: XmlElement | undefined) => textOf(element).replace(/\s+/g, ' ').trim()

/** Names by the id of their owner. */
const namesOf = (root: XmlElement | undefined, element: string, name: string): ReadonlyMap<string, string> =>
  new Map(descendants(root, element).map(({ attributes }) => [attributes['id'] ?? '', attributes[name] ?? '']))

const toBlock = (comments: readonly (readonly [who: string | undefined, text: string])[]): string => {
  const lines = comments
    .filter(([, text]) => text !== '')
    .map(([who = '', text]) => (who === '' ? `- ${text}` : `- ${who}: ${text}`))
  return lines.length === 0 ? '' : `### Comments\n\n${lines.join('\n')}`
}

/** Comments of a slide and their replies, of both kinds that PowerPoint writes. */
export function slideComments(archive: Archive, slide: Relations): string {
  const names = new Map([
    ...namesOf(findTree(archive, 'ppt/commentAuthors.xml'), 'cmAuthor', 'name'),
    ...namesOf(findTree(archive, 'ppt/authors.xml'), 'author', 'name'),
  ])
  const all = descendants(readTree(archive, slide.ofType('comments')), 'cm').flatMap((comment) => [
    comment,
    ...elements(child(comment, 'replyLst'), 'reply'),
  ])
  return toBlock(
    all.map((one) => [names.get(one.attributes['authorId'] ?? ''), lineOf(child(one, 'text') ?? child(one, 'txBody'))]),
  )
}

const toLine = (cell: string | undefined, who: string, text: string) =>
  [`${cell ?? ''}${who === '' ? '' : `, ${who}`}`, text.replace(/\s+/g, ' ').trim()] as const

/** Comments of a sheet with their cells; conversations, which older programs see as one comment, with their authors. */
export function sheetComments(
  archive: Archive,
  sheet: Relations,
  richText: (text: XmlElement | undefined) => string,
): string {
  const root = readTree(archive, sheet.ofType('comments'))
  const authors = elements(child(root, 'authors'), 'author').map(textOf)
  const persons = namesOf(findTree(archive, 'xl/persons/person.xml'), 'person', 'displayName')
  const conversations = descendants(readTree(archive, sheet.ofType('threadedComment')), 'threadedComment')
  const notes = descendants(root, 'comment')
    .map((one) => ({ one, who: authors[Number(one.attributes['authorId'])] ?? '' }))
    .filter(({ who }) => conversations.length === 0 || !who.startsWith('tc='))
    .map(({ one, who }) => toLine(one.attributes['ref'], who, richText(child(one, 'text'))))
  const said = conversations.map((one) =>
    toLine(one.attributes['ref'], persons.get(one.attributes['personId'] ?? '') ?? '', textOf(child(one, 'text'))),
  )
  return toBlock([...notes, ...said])
}

/** A comment of an OpenDocument file: who made it, its words, and the text that it is about. */
export interface TextComment {
  readonly place: string
  readonly words: string
  quote: string
}

/** Undefined where it has no words. `cell` is its place in a sheet. */
export function readComment(comment: XmlElement, cell = ''): TextComment | undefined {
  const words = elements(comment)
    .filter(({ name }) => name === 'p' || name === 'list')
    .map(lineOf)
    .join(' ')
  const place = [cell, lineOf(child(comment, 'creator'))].filter((part) => part !== '').join(', ')
  return words === '' ? undefined : { place, words, quote: '' }
}

/** A comment as a line of a list. */
export function commentLine({ place, words, quote }: TextComment): string {
  const about = quote.replace(/\s+/g, ' ').trim()
  const head = [place, about === '' ? '' : `on “${about}”`].filter((part) => part !== '').join(' ')
  return head === '' ? `- ${words}` : `- ${head}: ${words}`
}
