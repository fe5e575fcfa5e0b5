import type { Segment } from '../port/platform.ts'
import { withoutLinks } from '../references/link-syntax.ts'
import type { Texts } from '../texts/texts.ts'

/** Shorter recordings are shown without times. */
const TIMED_FROM_MS = 20_000

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** `0:42`, `1:02:03`. */
export function toTime(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const rest = twoDigits(seconds % 60)
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${rest}` : `${minutes}:${rest}`
}

/** The transcript as people read it: with the time of each segment if the recording is long. */
export function toTimedLines(text: string, segments: readonly Segment[] = []): string {
  const last = segments.at(-1)
  if (segments.length < 2 || last === undefined || last.endMs < TIMED_FROM_MS) return text
  return segments.map(({ startMs, text: said }) => `\`${toTime(startMs)}\` ${said.trim()}`).join('  \n')
}

const TIME = /^`?\d{1,3}(?::\d{2}){1,2}`?[ \t]+/gm
/** Symbols and quotation marks around the whole text. */
const QUOTED = /^[^\p{L}\p{N}“„"«`]*[“„"«](?<words>[\s\S]*)[”“"»]$/u

const CUE_TIMES =
  /^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{3})[ \t]+-->[ \t]+(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{3})/
const CUE_SPEAKER = /^- /

/** The words of a WebVTT text with their times; of any other text, its words. */
export function parseCaptions(captions: string): { readonly text: string; readonly segments: readonly Segment[] } {
  const segments: Segment[] = []
  const loose: string[] = []
  let times: readonly [startMs: number, endMs: number] | undefined
  for (const line of captions.replaceAll('\uFEFF', '').split(/\r?\n/)) {
    const found = CUE_TIMES.exec(line)
    const words = line.replace(CUE_SPEAKER, '').trim()
    if (found !== null) times = [toMs(found.slice(1, 5)), toMs(found.slice(5, 9))]
    else if (words === '') times = undefined
    else if (times !== undefined) segments.push({ startMs: times[0], endMs: times[1], text: words })
    else if (!/^(?:WEBVTT|NOTE|STYLE|REGION)\b/.test(words) && !/^\d+$/.test(words)) loose.push(words)
  }
  const text = segments.length > 0 ? segments.map((one) => one.text).join(' ') : loose.join(' ')
  return { text, segments }
}

const toMs = ([hours = '0', minutes = '0', seconds = '0', ms = '0']: readonly (string | undefined)[]): number =>
  ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(ms)

/** The corrected text from the dialog, without the symbol, the quotation marks and the times. */
export function parseCorrection(text: string): string {
  const trimmed = text.trim()
  return (QUOTED.exec(trimmed)?.groups?.['words'] ?? trimmed)
    .replace(TIME, '')
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim()
}

/** Longest input of a speech request (OpenAI's limit), characters. */
const MAX_SPEECH_CHARS = 4096

const FENCE = /^(?:```|~~~)/
const LIST_MARK = /^ {0,3}(?:#{1,6}|>|[-*+]|\d+[.)])[ \t]+/
const SENTENCE_END = /[.!?。！？][^.!?。！？]*$/

/** The text of an answer for speech: no marks, markup, URLs or code; cut after a sentence. */
export function toSpeech(markdown: string): string {
  const lines = withoutCode(markdown.split('\n')).filter((line) => !isTableRule(line))
  const plain = withoutLinks(lines.join('\n').replace(/\[\d+\]/g, ''))
    .replace(/<?https?:\/\/\S+>?/g, '')
    .split('\n')
    .map((line) => toSpoken(line.replace(LIST_MARK, '')))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  if (plain.length <= MAX_SPEECH_CHARS) return plain
  const end = plain.slice(0, MAX_SPEECH_CHARS).search(SENTENCE_END)
  return plain.slice(0, end > 0 ? end + 1 : MAX_SPEECH_CHARS)
}

/** An unclosed fence is not code. */
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
    .reduce((said, word) => (/^[.,;:!?。！？]/.test(word) || said === '' ? said + word : `${said} ${word}`), '')
}

/** A question with the words of its recording after the typed ones. */
export const withSpoken = (typed: string, spoken: string, { voice }: Pick<Texts, 'voice'>): string =>
  typed.trim() === '' ? spoken : `${typed.trim()}\n\n${voice.transcript(spoken)}`
