import { withoutLinks } from '../references/link-syntax.ts'

/** As much as the contract of speech takes in one request (OpenAI's). */
const LONGEST = 4096

const FENCE = /^(?:```|~~~)/
const LIST_MARK = /^ {0,3}(?:#{1,6}|>|[-*+]|\d+[.)])[ \t]+/
const SENTENCE_END = /[.!?。！？][^.!?。！？]*$/

/** An answer as it is read out: no marks, no markup, no addresses, no code; cut after a sentence. */
export function toSpeech(markdown: string): string {
  const lines = withoutCode(markdown.split('\n')).filter((line) => !isTableRule(line))
  const plain = withoutLinks(lines.join('\n').replace(/\[\d+\]/g, ''))
    .replace(/<?https?:\/\/\S+>?/g, '')
    .split('\n')
    .map((line) => toSpoken(line.replace(LIST_MARK, '')))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  if (plain.length <= LONGEST) return plain
  const end = plain.slice(0, LONGEST).search(SENTENCE_END)
  return plain.slice(0, end > 0 ? end + 1 : LONGEST)
}

/** A fence that is not closed is no code. */
function withoutCode(lines: readonly string[]): readonly string[] {
  const kept: string[] = []
  let opened: number | undefined
  for (const line of lines) {
    const isFence = FENCE.test(line)
    if (isFence && opened !== undefined) {
      kept.splice(opened, kept.length, '')
      opened = undefined
    } else {
      if (isFence) opened = kept.length
      kept.push(line)
    }
  }
  return kept
}

/** `|---|:-:|` between the head of a table and its rows. */
const isTableRule = (line: string): boolean => /^[\s:|-]+$/.test(line) && line.indexOf('|', 1) > 0

function toSpoken(line: string): string {
  return line
    .replace(/[*_`~|]+/g, ' ')
    .split(/[ \t]+/)
    .filter((word) => word !== '')
    .reduce(
      (said, word) => (/^[.,;:!?。！？]/.test(word) || said === '' ? said + word : `${said} ${word}`),
      '',
    )
}
