import { uploadOnce, type MessageContext } from '../delivery/job-context.ts'
import { type Line, scanLines } from '../delivery/markdown-lines.ts'
import { stableId } from '#lib/stable-id.ts'
import type { Texts } from '../texts/texts.ts'

/** Code or a table of an answer, as a file. */
export interface LongPart {
  readonly name: string
  readonly mimeType: string
  readonly text: string
}

/** Shorter code and tables stay where they are. */
const LONG_LINES = 20
/** This many lines of it are still shown. */
const SHOWN_LINES = 6
const MAX_PARTS = 5

const ENDINGS: Readonly<Record<string, string>> = {
  bash: 'sh',
  javascript: 'js',
  markdown: 'md',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  shell: 'sh',
  typescript: 'ts',
}

/** The ending of a file in the language that a fence names; of no or another one `txt`. */
function endingOf(info: string): string {
  const language = /^[a-z\d]{1,10}(?=\s|$)/i.exec(info)?.[0].toLowerCase() ?? 'txt'
  return Object.hasOwn(ENDINGS, language) ? (ENDINGS[language] ?? language) : language
}

const toField = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A row of a markdown table as a line of CSV. */
function toCsvLine(row: string): string {
  const cells = row
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/)
  return cells.map((cell) => toField(cell.trim().replaceAll(String.raw`\|`, '|'))).join(',')
}

interface Block {
  readonly kind: 'code' | 'table'
  /** Indexes of its first line and of the line after it. */
  readonly from: number
  readonly to: number
}

/** Whole code blocks and tables outside of quotes and lists, in order. */
function blocksOf(lines: readonly Line[]): readonly Block[] {
  const found: Block[] = []
  for (let from = 0; from < lines.length; from += 1) {
    const line = lines[from]
    if (line === undefined || line.quote !== '' || line.listed) continue
    const isCode = line.delimiter && line.fence === undefined
    if (!isCode && !line.row) continue
    let to = from + 1
    while (to < lines.length && (isCode ? lines[to]?.fence !== undefined : lines[to]?.row === true)) to += 1
    // The last line of code closes it; code without an end is no block.
    if (!isCode || lines[to - 1]?.delimiter === true) found.push({ kind: isCode ? 'code' : 'table', from, to })
    from = to - 1
  }
  return found
}

/**
 * An answer that is longer than a message, with its long code and tables as files: the text shows how they begin and
 * names the file.
 */
export function extractLongParts(
  markdown: string,
  { answerFile }: Texts,
): { text: string; parts: readonly LongPart[] } {
  const lines = scanLines(markdown, markdown.length)
  const at = (index: number) => lines[index]?.start ?? markdown.length
  const wordsOf = (from: number, to: number) => markdown.slice(at(from), at(to)).replace(/\n$/, '').split('\n')
  const parts: LongPart[] = []
  let text = ''
  let done = 0
  for (const { kind, from, to } of blocksOf(lines)) {
    const all = wordsOf(from, to)
    const [head = '', second = ''] = all
    const body = kind === 'code' ? all.slice(1, -1) : all.slice(2)
    if (body.length < LONG_LINES || parts.length === MAX_PARTS) continue
    const number = parts.length === 0 ? '' : `-${parts.length + 1}`
    const part: LongPart =
      kind === 'code'
        ? {
            name: `code${number}.${endingOf(head.replace(/^[\s`~]+/, ''))}`,
            mimeType: 'text/plain',
            text: `${body.join('\n')}\n`,
          }
        : { name: `table${number}.csv`, mimeType: 'text/csv', text: `${[head, ...body].map(toCsvLine).join('\n')}\n` }
    const shown = body.slice(0, SHOWN_LINES)
    const begin = kind === 'code' ? [head, ...shown, all.at(-1) ?? ''] : [head, second, ...shown]
    parts.push(part)
    text += `${markdown.slice(done, at(from))}${begin.join('\n')}\n\n${answerFile(part.name, body.length - shown.length)}\n`
    done = at(to)
  }
  return { text: text + markdown.slice(done), parts }
}

const SLOT = 'file.'

/** The text of an answer to be shown in place, and its parts that become files. A private answer, and one that fits a message, stay whole. */
export function toShownAndParts(ctx: MessageContext, text: string): ReturnType<typeof extractLongParts> {
  const { adapter, invocation, texts } = ctx
  const { measure, textLength, stream } = adapter.limits
  const isShort = measure(text) <= Math.max(textLength, stream?.textLength ?? 0)
  const staysWhole = isShort || adapter.upload === undefined || invocation?.privateTo !== undefined
  return staysWhole ? { text, parts: [] } : extractLongParts(text, texts)
}

/** Shows each file once, and takes away those of an earlier text of this answer. */
export async function uploadParts(ctx: MessageContext, parts: readonly LongPart[]): Promise<void> {
  const bySlot = new Map(parts.map((part) => [SLOT + stableId(10, part.name, part.text), part]))
  for (const slot of await ctx.sender.slots())
    if (slot.startsWith(SLOT) && !bySlot.has(slot)) await ctx.sender.remove(slot)
  for (const [slot, { name, mimeType, text }] of bySlot)
    await uploadOnce(ctx, { text: '' }, async () => ({ name, mimeType, bytes: new Blob([text]) }), slot)
}
