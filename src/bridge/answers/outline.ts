import { readableSentences } from '#lexicon/sentences.ts'
import { withoutRowNote } from '#lib/table-rows.ts'
import { escapeNote, oneLine } from '../texts/formats.ts'
import type { Texts } from '../texts/texts.ts'
import { settleLinks } from '../references/links.ts'

/** A part of a document: a heading and the text below it. */
interface Section {
  readonly level: number
  readonly title: string
  readonly lines: string[]
}

const MAX_SECTIONS = 25
/** Lines of a whole outline, while each section has one. */
const MAX_LINES = 16
/** Lines of a document without headings. */
const MAX_SENTENCES = 8
/** Lines before the salutation of a letter, which are addresses. */
const MAX_LETTER_HEAD = 20
const MAX_SALUTATION_CHARS = 50
const TITLE_CHARS = 100
const SENTENCE_CHARS = 160
/** More is not read: an outline shows the beginning anyway. */
const READ_CHARS = 400_000

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.{1,500})$/
const PAGE = /^<!-- page \d{1,6} -->$/

function toSections(text: string): readonly Section[] {
  const sections: Section[] = [{ level: 0, title: '', lines: [] }]
  let fence = false
  for (const line of withoutRowNote(text).slice(0, READ_CHARS).split('\n')) {
    const bare = line.trim()
    const isFence = bare.startsWith('```')
    if (isFence) fence = !fence
    const [, signs, title] = (fence ? null : HEADING.exec(line)) ?? []
    if (signs !== undefined) sections.push({ level: signs.length, title: title ?? '', lines: [] })
    // Code is no summary.
    else if (!fence && !isFence && !PAGE.test(bare)) sections.at(-1)?.lines.push(line)
  }
  return sections
}

const plain = (text: string, length: number) =>
  settleLinks(escapeNote(oneLine(text.slice(0, 4 * length).replace(/[#*`_\\]+/g, ''), length)), () => false)

const cellsOf = (row: string) =>
  row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')

const ITEM = /^(?:[-*+]|\d{1,3}[.)])\s+(?:(?:\\?\[[ xX]?\\?\]|[☐☑☒])\s+)?/

/** The sentences and list items below a heading; of a table its columns and how many rows it has. */
function pointsOf(lines: readonly string[], texts: Texts): readonly string[] {
  const points: string[] = []
  let paragraph: string[] = []
  let rows = 0
  const end = () => {
    if (rows > 0) points.push(texts.shelf.table(points.pop() ?? '', Math.max(0, rows - 2)))
    points.push(...sentencesOf(paragraph.join('\n')))
    paragraph = []
    rows = 0
  }
  for (const line of lines) {
    const bare = line.trim()
    const isRow = bare.startsWith('|') && bare.endsWith('|')
    if (isRow) {
      if (rows === 0) {
        end()
        points.push(cellsOf(bare).join(' · '))
      }
      rows += 1
      continue
    }
    if (bare === '' || rows > 0) end()
    if (ITEM.test(bare)) {
      end()
      paragraph.push(bare.replace(ITEM, ''))
      end()
    } else if (bare !== '') paragraph.push(bare)
    if (points.length > MAX_LINES) break
  }
  end()
  return points
    .filter((point) => /[\p{L}\p{N}]/u.test(point) && !isSalutation(point))
    .map((point) => plain(point, SENTENCE_CHARS))
}

const sentencesOf = (text: string): readonly string[] => {
  const begin = text.slice(0, 20 * SENTENCE_CHARS)
  return readableSentences(begin).map(({ start, end }) => begin.slice(start, end))
}

/** `Dear Mr Devlin,`, in any language. */
const isSalutation = (line: string) => line.length <= MAX_SALUTATION_CHARS && line.endsWith(',')

/** A letter begins after its salutation, which is among the first lines. */
const withoutLetterHead = (lines: readonly string[]): readonly string[] =>
  lines.slice(lines.slice(0, MAX_LETTER_HEAD).findIndex((line) => isSalutation(line.trim())) + 1)

/** How many lines of the outline each section gets: they take turns, so that a long section leaves room for the others. */
function share(counts: readonly number[]): readonly number[] {
  const shares = counts.map((count) => Math.min(1, count))
  let left = MAX_LINES - counts.length
  while (left > 0 && shares.some((given, at) => given < (counts[at] ?? 0)))
    for (const [at, count] of counts.entries())
      if (left > 0 && (shares[at] ?? 0) < count) {
        shares[at] = (shares[at] ?? 0) + 1
        left -= 1
      }
  return shares
}

/** The headings of a document with what is said below each, as a list; without headings its first sentences. */
export function toOutline(text: string, texts: Texts): string {
  const [front, ...sections] = toSections(text)
  if (sections.length === 0) {
    const points = pointsOf(withoutLetterHead(front?.lines ?? []), texts)
    return points
      .slice(0, MAX_SENTENCES)
      .map((point) => `- ${point}`)
      .join('\n')
  }
  const shown = sections.slice(0, MAX_SECTIONS)
  const top = Math.min(...shown.map(({ level }) => level))
  const points = shown.map(({ lines: below }) => pointsOf(below, texts))
  const shares = share(points.map(({ length }) => length))
  const lines = shown.flatMap((section, at) => {
    const [first = '', ...more] = (points[at] ?? []).slice(0, shares[at])
    const indent = '  '.repeat(Math.min(2, section.level - top))
    const head = `${indent}- **${plain(section.title, TITLE_CHARS)}**${first === '' ? '' : `: ${first}`}`
    return [head, ...more.map((point) => `${indent}  - ${point}`)]
  })
  const rest = sections.length - shown.length
  return [...lines, ...(rest > 0 ? [texts.shelf.moreSections(rest)] : [])].join('\n')
}

/** The first heading: the title of most documents. */
export const titleOf = (text: string): string => toSections(withoutRowNote(text).slice(0, 5000))[1]?.title ?? ''
