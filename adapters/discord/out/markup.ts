import { plainText, renderInline } from './inline.ts'
import { isTableRow, isTableStart, renderTable } from './tables.ts'

const FENCE = /^(\s*)(`{3,}|~{3,})([^`]*)$/
const ZERO_WIDTH = '\u200B'

/**
 * CommonMark with GFM to what Discord shows. Line by line, since Discord's own markup is nearly the same: what it lacks is
 * put differently, and nothing of the words is lost. An unfinished text (an answer being written) is closed properly.
 */
export function toDiscord(markdown: string): string {
  const lines = markdown.replaceAll('\r\n', '\n').split('\n')
  const out: string[] = []
  let prose: string[] = []
  const flush = () => {
    if (prose.length > 0) out.push(renderInline(blocks(prose).join('\n')))
    prose = []
  }
  for (let index = 0; index < lines.length;) {
    const line = lines[index] ?? ''
    const taken = FENCE.test(line) ? takeFence(lines, index) : takeTable(lines, index)
    if (taken === undefined) {
      prose.push(line)
      index += 1
      continue
    }
    flush()
    out.push(taken.text)
    index = taken.next
  }
  flush()
  return out
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

interface Taken {
  readonly text: string
  readonly next: number
}

/** Discord knows three backticks only, ends a block at the next three, and takes an odd language name for text. */
function takeFence(lines: readonly string[], start: number): Taken {
  const [, indent = '', marks = '```', info = ''] = FENCE.exec(lines[start] ?? '') ?? []
  const mark = marks.charAt(0)
  const closes = (line: string) => line.startsWith(marks) && line === mark.repeat(line.length)
  let end = start + 1
  while (end < lines.length && !closes((lines[end] ?? '').trim())) end += 1
  const language = /^[\w+#.-]{1,20}(?!\S)/.exec(info.trimStart())?.[0] ?? ''
  const code = lines
    .slice(start + 1, end)
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()))
    .map((line) => line.replaceAll('```', `\`\`${ZERO_WIDTH}\``))
  return { text: ['```' + language, ...code, '```'].join('\n'), next: end + 1 }
}

function takeTable(lines: readonly string[], start: number): Taken | undefined {
  if (!isTableStart(lines[start], lines[start + 1])) return undefined
  let end = start + 2
  while (end < lines.length && isTableRow(lines[end] ?? '')) end += 1
  const text = renderTable(lines.slice(start, end), {
    plain: (cell) => plainText(cell).replaceAll('\n', ' '),
    inline: (cell) => renderInline(cell).replaceAll('\n', ' '),
  })
  return { text, next: end }
}

function blocks(lines: readonly string[]): string[] {
  const out: string[] = []
  for (const line of lines) {
    const underline = setext(line, out.at(-1))
    if (underline !== undefined) out[out.length - 1] = underline
    else out.push(block(line))
  }
  return out
}

/** A heading may be underlined instead of marked: Discord would show the dashes. */
function setext(line: string, above: string | undefined): string | undefined {
  if (above === undefined || above.trim() === '' || /^\s*([#>]|[-*+]\s|\d+[.)]\s)/.test(above))
    return undefined
  if (/^ {0,3}=+\s*$/.test(line)) return `# ${above.trim()}`
  return /^ {0,3}-{2,}\s*$/.test(line) ? `## ${above.trim()}` : undefined
}

function block(line: string): string {
  if (line === '') return line
  const heading = /^ {0,3}(#{1,6})(?!\S)/.exec(line)
  if (heading !== null) return headingOf(heading[1]?.length ?? 1, line.slice(heading[0].length))
  if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(line)) return '─'.repeat(12)
  return (
    withoutBreak(line)
      // Discord quotes one level deep, and `>>>` would quote all that follows.
      .replace(/^ {0,3}(?:>\s?)+/, '> ')
      .replace(/^(\s*)\+ /, '$1- ')
      .replace(/^(\s*[-*] |\s*\d+[.)] )\[ \] /, '$1☐ ')
      .replace(/^(\s*[-*] |\s*\d+[.)] )\[[xX]\] /, '$1☑ ')
      // `-# ` makes small print in Discord and is plain text elsewhere.
      .replace(/^(\s*)-# /, '$1\\-# ')
  )
}

/** Two blanks or a backslash at the end of a line are a line break, which Discord makes anyway. */
function withoutBreak(line: string): string {
  if (line.endsWith('\\')) return line.slice(0, -1)
  let end = line.length
  while (line[end - 1] === ' ') end -= 1
  return line.length - end < 2 ? line : line.slice(0, end)
}

/** Discord has three levels. */
function headingOf(level: number, marked: string): string {
  const text = withoutClosing(marked.trim())
  if (text === '') return ''
  return level <= 3 ? `${'#'.repeat(level)} ${text}` : `**${text.replaceAll('**', '')}**`
}

/** A heading may end with marks as well. */
function withoutClosing(text: string): string {
  let end = text.length
  while (text[end - 1] === '#') end -= 1
  return end === 0 || /\s/.test(text.charAt(end - 1)) ? text.slice(0, end).trim() : text
}

/** In the count of Discord's limit. UTF-16 units are never fewer than its characters, so this never runs over. */
export function measure(markdown: string): number {
  return toDiscord(markdown).length
}
