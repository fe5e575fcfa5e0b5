import { createEndMarks } from './end-marks.ts'
import {
  asideIn,
  BARE_CLOSERS,
  BLOCK,
  blockTail,
  CLOSER,
  endsThinking,
  mayBeBareChannel,
  mayBegin,
  mayHoldMark,
  muses,
  openerOf,
  openTail,
  startsAnswer,
  THINKER,
} from './thought-tags.ts'

/** A piece of an answer, sorted. */
export interface Sorted {
  /** Belongs to the answer. */
  readonly text: string
  /** The model's thinking, without its tags. */
  readonly thought: string
  /** All text before this one was thinking, too: the tag that ends it came without one that begins it. */
  readonly retracts: boolean
}

/** Takes the thinking out of one answer. */
export interface Thoughts {
  push(piece: string): readonly Sorted[]
  /** A server that tells thinking in a field of its own has none in the text. */
  isToldApart(): readonly Sorted[]
  end(): readonly Sorted[]
}

/** Manner of a model, as far as its answers told it. */
export interface Habit {
  /** `bare`: thinking that begins without a tag; `plain`: answers that have none, or with both tags. */
  manner?: 'bare' | 'plain'
}

/** Where what ends thinking may begin: it is not whole yet. */
const openCloser = (tail: string, closer: RegExp) =>
  BARE_CLOSERS.has(closer) ? tail.length - (BARE_CLOSERS.get(closer) ?? 0) : openTail(tail) - 1

/** Tags that are talked about: beyond this many the text is about nothing else. */
const MAX_TALK = 50

interface Reading {
  state: 'start' | 'thought' | 'answer' | 'aside' | 'gap' | 'done' | 'swallow'
  /** Text of the answer is held back. */
  holds: boolean
  /** The beginning may tell that it is thinking. */
  mayMuse: boolean
  /** Text of the answer that was read: shown, or held back. */
  kept: string[]
  /** Not read yet: it may begin a tag. */
  tail: string
  talked: number
  hasThoughts: boolean
  /** Its tag and the words after it, where the answer may go on with thinking. */
  aside: string[]
  /** The end of the thinking that is read. */
  closer: RegExp
  out: Sorted[]
  readonly habit: Habit
}

function emit(to: Reading, text: string, thought = '', retracts = false): void {
  if (text !== '' || thought !== '' || retracts) to.out.push({ text, thought, retracts })
}

function keep(to: Reading, text: string): void {
  to.kept.push(text)
  if (!to.holds) emit(to, text)
}

function release(one: Reading): void {
  if (one.holds) emit(one, one.kept.join(''))
  one.holds = false
}

/** @returns whether more can be read */
function begin(one: Reading, isLast: boolean): boolean {
  const text = one.tail.trimStart()
  const opener = openerOf(text)
  CLOSER.lastIndex = 0
  const closer = CLOSER.exec(text)
  if (opener !== undefined) Object.assign(one, { state: 'thought', closer: opener.closer })
  const again = closer?.index === 0 && one.hasThoughts ? closer[0] : undefined
  const mark = opener?.mark ?? again ?? startsAnswer(text, one.hasThoughts)
  if (mark !== undefined) {
    one.tail = text.slice(mark.length)
    return true
  }
  if (!isLast && (text === '' || mayBegin(text) || (!one.hasThoughts && mayBeBareChannel(text)))) return false
  if (one.hasThoughts) one.tail = text
  else if (one.mayMuse && !one.holds) {
    const isMusing = muses(text)
    if (isMusing === undefined && !isLast) return false
    one.holds = isMusing === true
  }
  one.state = 'answer'
  return one.tail !== ''
}

function think(one: Reading, isLast: boolean): boolean {
  const { tail, closer } = one
  const block = BLOCK.exec(tail)?.index ?? Infinity
  closer.lastIndex = 0
  let passed = 0
  for (let found = closer.exec(tail); found !== null && found.index < block; found = closer.exec(tail)) {
    const end = found.index + found[0].length
    const isQuoted = tail[found.index - 1] === '`' && (tail[end] ?? '`') === '`'
    if (isQuoted && (end < tail.length || !isLast)) {
      if (end === tail.length) return false
      passed = end
      continue
    }
    emit(one, '', tail.slice(0, found.index))
    one.tail = tail.slice(end)
    one.hasThoughts = true
    one.state = 'start'
    return one.tail !== ''
  }
  if (block < Infinity) one.state = 'swallow'
  // A quoted tag needs the character before it, a block its rule.
  const open = Math.max(passed, Math.min(openCloser(tail, closer), blockTail(tail)))
  const from = isLast || one.state === 'swallow' ? tail.length : open
  emit(one, '', tail.slice(0, from))
  one.tail = tail.slice(from)
  return false
}

/** Words in a row; `<think>…</think>` alone shows the form. */
const SAYS = /\p{L}{2}.*\s.*\p{L}{2}/su

/** Thinking in the middle of an answer, between tags: a tag that nothing closes, or only code or a file, is talked about. */
function aside(one: Reading, isLast: boolean): boolean {
  const { tail } = one
  CLOSER.lastIndex = 0
  const found = CLOSER.exec(tail)
  const from = found?.index ?? (isLast ? tail.length : openTail(tail))
  one.aside.push(tail.slice(0, from))
  one.tail = tail.slice(from)
  if (found === null && !isLast) return false
  const said = one.aside.slice(1).join('')
  const mark = found?.[0] ?? ''
  const after = one.tail.slice(mark.length)
  const isEnd = found !== null && !BLOCK.test(said) && endsThinking(said, after, isLast)
  if (isEnd === undefined) return false
  one.tail = after
  const isThought = isEnd && SAYS.test(said)
  if (isThought) emit(one, '', said)
  else keep(one, one.aside.join('') + mark)
  Object.assign(one, { state: isThought ? 'gap' : 'answer', aside: [] })
  return one.tail !== ''
}

/** The answer goes on in a paragraph of its own. */
function gap(one: Reading): boolean {
  one.tail = one.tail.trimStart()
  if (one.tail === '') return false
  if (!one.kept.join('').endsWith('\n\n')) keep(one, '\n')
  one.state = 'answer'
  return true
}

function answer(one: Reading, isLast: boolean): boolean {
  const { tail } = one
  if (!mayHoldMark(tail)) {
    keep(one, tail)
    one.tail = ''
    return false
  }
  CLOSER.lastIndex = 0
  const found = CLOSER.exec(tail)
  const within = asideIn(tail, () => one.kept.join(''))
  if (within !== undefined && within.at < (found?.index ?? Infinity)) {
    keep(one, tail.slice(0, within.at))
    Object.assign(one, { state: 'aside', aside: [within.tag], tail: tail.slice(within.at + within.tag.length) })
    return one.tail !== '' || isLast
  }
  if (found === null) {
    const from = isLast ? tail.length : openTail(tail)
    keep(one, tail.slice(0, from))
    one.tail = tail.slice(from)
    return false
  }
  const end = found.index + found[0].length
  const before = one.kept.join('') + tail.slice(0, found.index)
  const followsBlock = BLOCK.test(before)
  const isEnd = !followsBlock && endsThinking(before, tail.slice(end), isLast)
  if (isEnd === undefined) {
    keep(one, tail.slice(0, found.index))
    one.tail = tail.slice(found.index)
    return false
  }
  one.tail = tail.slice(end)
  if (isEnd) {
    const wasShown = !one.holds && one.kept.some((text) => text.trim() !== '')
    emit(one, '', before, wasShown)
    Object.assign(one, { kept: [], holds: false, hasThoughts: true, state: 'start' })
    one.habit.manner = 'bare'
    return one.tail !== ''
  }
  keep(one, tail.slice(0, end))
  one.talked += 1
  if (one.talked > MAX_TALK || followsBlock) one.state = 'done'
  return true
}

const READERS = { start: begin, thought: think, answer, aside, gap } as const

function read(one: Reading, isLast: boolean): readonly Sorted[] {
  for (let goesOn = true; goesOn;) {
    const { state, tail } = one
    if (state === 'done' || state === 'swallow') {
      if (state === 'done') keep(one, tail)
      else emit(one, '', tail)
      one.tail = ''
      goesOn = false
    } else goesOn = READERS[state](one, isLast)
  }
  if (isLast) release(one)
  const sorted = one.out
  one.out = []
  return sorted
}

/**
 * Sorts the text of one answer into the answer and the thinking that some models and servers leave in it: between tags
 * at its beginning, or up to a closing tag alone. Works wherever the text is cut, in time proportional to it.
 *
 * Thinking without an opening tag can be told only at its end. So the text is held back where the model is known for
 * it, by name or by an earlier answer, or begins as thinking does; otherwise it is retracted.
 *
 * @param habit of the model; it is brought up to date.
 */
export function createThoughts(model: string, habit: Habit): Thoughts {
  const one: Reading = {
    state: 'start',
    holds: habit.manner === 'bare' || (habit.manner === undefined && THINKER.test(model)),
    mayMuse: habit.manner === undefined,
    kept: [],
    tail: '',
    aside: [],
    talked: 0,
    hasThoughts: false,
    closer: CLOSER,
    out: [],
    habit,
  }
  let marks = createEndMarks()
  const withoutMarks = (sorted: readonly Sorted[]) =>
    sorted.flatMap((part) => {
      if (part.retracts) marks = createEndMarks()
      const text = marks.push(part.text)
      if (text === part.text) return part
      return text === '' && part.thought === '' && !part.retracts ? [] : { ...part, text }
    })
  return {
    push(piece) {
      one.tail += piece
      return withoutMarks(read(one, false))
    },
    isToldApart() {
      one.mayMuse = false
      release(one)
      return withoutMarks(read(one, false))
    },
    end() {
      const rest = withoutMarks(read(one, true))
      if (one.state !== 'swallow' && one.kept.length > 0) habit.manner ??= 'plain'
      const text = marks.end()
      return text === '' ? rest : [...rest, { text, thought: '', retracts: false }]
    },
  }
}
