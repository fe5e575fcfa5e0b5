import { BLOCK } from './thought-tags.ts'

/** Tokens that end a turn or an answer: servers whose template is wrong leave them in the text. */
const ENDS = [
  ...'<|im_end|> <|eot_id|> <|eom_id|> <|end_of_text|> <|endoftext|> <|end|> <|return|> <|END_RESPONSE|>'.split(' '),
  ...'<|END_OF_TURN_TOKEN|> <|end_of_turn|> <end_of_turn> <turn|> <｜end▁of▁sentence｜>'.split(' '),
  ...'</s> </answer> </response>'.split(' '),
  '[END FINAL RESPONSE]',
]
/** Marks around the result itself, anywhere in the answer (GLM). */
const BOXES = ['<|begin_of_box|>', '<|end_of_box|>']
const MARKS = [...ENDS, ...BOXES]

const MAX_MARK_CHARS = Math.max(...MARKS.map(({ length }) => length))

const oneOf = (marks: readonly string[]) => marks.map((mark) => RegExp.escape(mark)).join('|')
const MARK = new RegExp(oneOf(MARKS))
const ONLY_ENDS = new RegExp(String.raw`^\s*(?:(?:${oneOf(ENDS)})\s*)*`)
/** The block of references may follow. */
const IS_BLOCK = /^\s*-{20,}\s*\nReferences:/
/** The same, as far as it has come. */
const MAY_BE_BLOCK = /^\s*(?:-+\s*)?(?:R[a-z]{0,9}:?)?$/

const mayBeMark = (text: string) => MARKS.some((mark) => mark.startsWith(text))

const MARK_START = /[<[]/g
const HAS_START = /[<[]/

/** Where a mark may begin that is not whole yet. */
function openMark(text: string): number {
  MARK_START.lastIndex = Math.max(0, text.length - MAX_MARK_CHARS)
  for (let start = MARK_START.exec(text); start !== null; start = MARK_START.exec(text))
    if (mayBeMark(text.slice(start.index))) return start.index
  return text.length
}

/** Whether a mark is in code, has its opening tag, or is in a passage. */
function isTalk(mark: string, before: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const isCode = (line.match(/`/g)?.length ?? 0) % 2 === 1
  const isClosed = mark.startsWith('</') && new RegExp(String.raw`<${mark.slice(2, -1)}[\s>]`).test(before)
  return isCode || BLOCK.test(before) || isClosed
}

/** Takes the marks of its end out of one answer; those in its middle stay, since it talks about them. */
export interface EndMarks {
  /** @returns the text that is safe to pass on */
  push(text: string): string
  end(): string
}

export function createEndMarks(): EndMarks {
  let said = ''
  let tail = ''

  function read(isLast: boolean): string {
    let out = ''
    for (;;) {
      const found = MARK.exec(tail)
      if (found === null) break
      const { 0: mark, index } = found
      const before = tail.slice(0, index)
      const after = tail.slice(index + mark.length)
      const isBox = BOXES.includes(mark)
      const rest = after.slice(isBox ? 0 : (ONLY_ENDS.exec(after)?.[0].length ?? 0))
      const isEnd = isBox || IS_BLOCK.test(rest) || (isLast && rest === '')
      const mayEnd = !isEnd && !isLast && (MAY_BE_BLOCK.test(rest) || mayBeMark(rest))
      if (mayEnd) {
        out += before
        said += before
        tail = tail.slice(index)
        return out
      }
      const goes = isEnd && !isTalk(mark, said + before)
      const kept = goes ? before : before + mark
      out += kept
      said += kept
      tail = after
    }
    const from = isLast ? tail.length : openMark(tail)
    out += tail.slice(0, from)
    said += tail.slice(0, from)
    tail = tail.slice(from)
    return out
  }

  return {
    push(text) {
      if (tail === '' && !HAS_START.test(text)) {
        said += text
        return text
      }
      tail += text
      return read(false)
    },
    end: () => read(true),
  }
}
