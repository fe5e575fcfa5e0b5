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
/** Sentences of a document without headings. */
const MAX_SENTENCES = 5
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
    if (bare.startsWith('```')) fence = !fence
    const [, signs, title] = (fence ? null : HEADING.exec(line)) ?? []
    if (signs !== undefined) sections.push({ level: signs.length, title: title ?? '', lines: [] })
    else if (!PAGE.test(bare)) sections.at(-1)?.lines.push(line)
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

/** The first sentence below a heading; of a table its columns and how many rows it has. */
function firstWords({ lines }: Section, texts: Texts): string {
  const at = lines.findIndex((line) => line.trim() !== '')
  const first = lines[at]?.trim()
  if (first === undefined) return ''
  if (first.startsWith('|')) {
    const end = lines.findIndex((line, index) => index > at && !line.trim().startsWith('|'))
    const rows = (end === -1 ? lines.length : end) - at - 2
    return texts.shelf.table(plain(cellsOf(first).join(' · '), SENTENCE_CHARS), Math.max(0, rows))
  }
  return plain(sentencesOf(lines.slice(at, at + 20).join('\n'))[0] ?? '', SENTENCE_CHARS)
}

function sentencesOf(text: string): readonly string[] {
  const begin = text.slice(0, 20 * SENTENCE_CHARS)
  return readableSentences(begin).map(({ start, end }) => begin.slice(start, end))
}

/** The headings of a document with the first sentence below each, as a list; without headings its first sentences. */
export function toOutline(text: string, texts: Texts): string {
  const [front, ...sections] = toSections(text)
  if (sections.length === 0) {
    const body = (front?.lines ?? []).join('\n')
    if (body.trimStart().startsWith('|'))
      return `- ${firstWords({ level: 0, title: '', lines: front?.lines ?? [] }, texts)}`
    const sentences = sentencesOf(body).slice(0, MAX_SENTENCES)
    return sentences.map((sentence) => `- ${plain(sentence, SENTENCE_CHARS)}`).join('\n')
  }
  const shown = sections.slice(0, MAX_SECTIONS)
  const top = Math.min(...shown.map(({ level }) => level))
  const lines = shown.map((section) => {
    const words = firstWords(section, texts)
    const indent = '  '.repeat(Math.min(2, section.level - top))
    return `${indent}- **${plain(section.title, TITLE_CHARS)}**${words === '' ? '' : `: ${words}`}`
  })
  const rest = sections.length - shown.length
  return [...lines, ...(rest > 0 ? [texts.shelf.moreSections(rest)] : [])].join('\n')
}

/** The first heading: the title of most documents. */
export const titleOf = (text: string): string => toSections(withoutRowNote(text).slice(0, 5000))[1]?.title ?? ''
