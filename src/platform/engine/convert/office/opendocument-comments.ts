import type { MarkdownWriter } from '../markdown/writer.ts'
import { commentLine, readComment, type TextComment } from './comments.ts'
import type { XmlElement } from './xml.ts'

/** More of the text that a comment is about is left out. */
const MAX_QUOTE = 200

interface Commented {
  readonly writer: MarkdownWriter
  readonly comments: TextComment[]
  readonly openComments: Map<string, TextComment>
}

/** Keeps a comment. One with a name is about the text up to its end. */
export function takeComment({ comments, openComments }: Commented, element: XmlElement): void {
  const comment = readComment(element)
  if (comment === undefined) return
  comments.push(comment)
  const name = element.attributes['office:name']
  if (name !== undefined) openComments.set(name, comment)
}

/** Gives text to the comments that are about it. */
export function takeQuoted({ openComments }: Commented, text: string): void {
  for (const comment of openComments.values()) {
    if (comment.quote.length < MAX_QUOTE) comment.quote = (comment.quote + text).slice(0, MAX_QUOTE)
  }
}

/** Writes the comments found so far. */
export function writeComments({ writer, comments }: Commented, title: string): void {
  if (comments.length > 0) writer.block(`${title}\n\n${comments.map(commentLine).join('\n')}`)
}
