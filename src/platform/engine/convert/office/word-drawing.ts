import { descendants, elements, textOf, type XmlElement } from './xml.ts'

/** Elements in a drawing by name; of two forms of a part the one that newer programs show. */
export function drawn(parent: XmlElement, name: string): XmlElement[] {
  return elements(parent).flatMap((part) => {
    if (part.name === name) return [part]
    if (part.name !== 'AlternateContent') return drawn(part, name)
    return drawn(shownForm(part) ?? part, name)
  })
}

const SEEN = ['txbxContent', 'blip', 'imagedata', 'oMath', 'textpath', 't']

/** A part that is written for newer and older programs: the first form that shows something. */
export function shownForm(part: XmlElement): XmlElement | undefined {
  return elements(part).find((form) => SEEN.some((name) => descendants(form, name).length > 0))
}

/** Text of a paragraph without that of its boxes. */
const ownText = (paragraph: XmlElement): string =>
  elements(paragraph)
    .map((part) => {
      if (part.name === 't') return textOf(part)
      if (part.name === 'tab' || part.name === 'br') return ' '
      if (part.name === 'txbxContent') return ''
      const shown = part.name === 'AlternateContent' ? shownForm(part) : part
      return shown === undefined ? '' : ownText(shown)
    })
    .join('')

/** Lines of a part: its paragraphs, boxes and words drawn as pictures. */
export const linesOf = (root: XmlElement): string[] =>
  drawn(root, 'p')
    .flatMap((paragraph) => [
      ownText(paragraph).replace(/\s+/g, ' ').trim(),
      ...drawn(paragraph, 'textpath').map(({ attributes }) => attributes['string'] ?? ''),
      ...drawn(paragraph, 'txbxContent').flatMap(linesOf),
    ])
    .filter((line) => line !== '')
