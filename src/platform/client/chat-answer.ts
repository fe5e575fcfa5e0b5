import type { ChatEvent as PortEvent } from '#bridge/port/platform.ts'
import {
  isFailedFinish,
  FILTER_FINISH,
  isFinish,
  isProgressTool,
  progressArguments,
  STREAM_END,
  toFinish,
} from '../wire/chat.ts'
import { newIn, type ReceivedChat, type ReceivedToolCall, type ReceivedWords } from '../wire/received-chat.ts'
import { PlatformError, sentence } from './errors.ts'
import { parseJson } from './reply.ts'
import { createThoughts, type Sorted, type Thoughts } from './thoughts.ts'

/** A tool call that the model asks for. The client never executes one. */
export interface ToolCall {
  readonly id?: string
  readonly name: string
  /** As the model wrote them: JSON, if it kept to the form. */
  readonly arguments: string
}

type Told = Exclude<PortEvent, { readonly type: 'progress' | 'finish' }>

/**
 * A pseudo tool call of the platform has its `tool` (`arcana.event`) and its own word as `event`; a real tool call has
 * `event: 'tool-call'` and comes as `toolCall`. `finish` comes once, as the last; `usage` as the platform counts.
 */
export type ChatEvent =
  | Told
  | { readonly type: 'progress'; readonly event: string; readonly tool?: string; readonly toolCall?: ToolCall }
  | { readonly type: 'finish'; readonly reason?: string; readonly usage?: Readonly<Record<string, unknown>> }

interface OpenCall {
  id?: string
  name: string
  arguments: string
  reported: boolean
}

/** Tool calls arrive in pieces: by index, the name first, arguments cut anywhere. */
function createToolCalls() {
  const open = new Map<number, OpenCall>()

  const tell = (call: OpenCall, force: boolean): ChatEvent[] => {
    if (call.reported) return []
    if (!isProgressTool(call.name)) {
      if (!force) return []
      call.reported = true
      const { name, arguments: args, id } = call
      const toolCall = { name, arguments: args, id }
      return [{ type: 'progress', event: 'tool-call', toolCall }]
    }
    const known = progressArguments.safeParse(parseJson(call.arguments)?.json)
    if (!known.success && !force) return []
    call.reported = true
    return [{ type: 'progress', event: known.data?.event ?? call.name, tool: call.name }]
  }

  return {
    take(piece: ReceivedToolCall): ChatEvent[] {
      const { index, name, arguments: args } = piece
      const before = open.get(index)
      // A further progress report may come under the same index, with or without its name.
      const fresh = before === undefined || name !== '' || before.reported
      const ended = fresh && before !== undefined ? tell(before, true) : []
      const call: OpenCall = fresh
        ? { name: name === '' ? (before?.name ?? '') : name, arguments: args, reported: false }
        : { ...before, arguments: before.arguments + args }
      if (piece.id !== undefined) call.id = piece.id
      open.set(index, call)
      return [...ended, ...tell(call, false)]
    },
    end: (): ChatEvent[] => [...open.values()].flatMap((call) => tell(call, true)),
  }
}

function addEvents(to: ChatEvent[], sorted: readonly Sorted[]): void {
  for (const { text, thought, retracts } of sorted) {
    if (retracts) to.push({ type: 'retract' })
    if (thought !== '') to.push({ type: 'reasoning', text: thought })
    if (text !== '') to.push({ type: 'text', text })
  }
}

const hasTextAlone = ({ reasoning, refusal, toolCalls }: ReceivedWords) =>
  reasoning === '' && refusal === '' && toolCalls.length === 0

/** The new words of events, whether they hold pieces or the whole text so far. */
function createContents() {
  const said = { text: '', byPieces: false }
  return (content: string, isWhole: boolean): string => {
    if (!isWhole) {
      said.byPieces ||= content !== ''
      return content
    }
    const fresh = newIn(content, said)
    said.text += fresh
    return fresh
  }
}

/**
 * Assembles an answer from decoded events, and checks at the end that it is one.
 *
 * @param thoughts of this answer; default: those of a model that nothing is known of.
 */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createAnswer(doing: string, thoughts: Thoughts = createThoughts('', {})) {
  const calls = createToolCalls()
  const contentOf = createContents()
  let events = 0
  let text = false
  let reasoned = false
  let refused = false
  let toolCalled = false
  let ended = false
  let reason: string | undefined
  let usage: Readonly<Record<string, unknown>> | undefined

  const seen = (produced: ChatEvent[]): ChatEvent[] => {
    for (const event of produced) {
      if (event.type === 'text') text = true
      else if (event.type === 'retract') text = false
      else if (event.type === 'reasoning') reasoned = true
      else if (event.type === 'refusal') refused = true
      else if (event.type === 'progress') toolCalled ||= event.toolCall !== undefined
    }
    return produced
  }

  /** Text of pieces that came at once and hold nothing else: it is sorted in one go. */
  let pieces = ''

  const sortPieces = (produced: ChatEvent[]): void => {
    if (pieces !== '') addEvents(produced, thoughts.push(pieces))
    pieces = ''
  }

  const addWords = (words: ReceivedWords, produced: ChatEvent[]): void => {
    if (words.reasoning !== '') {
      addEvents(produced, thoughts.isToldApart())
      produced.push({ type: 'reasoning', text: words.reasoning })
    }
    for (const call of words.toolCalls) produced.push(...calls.take(call))
    if (words.refusal !== '') produced.push({ type: 'refusal', text: words.refusal })
  }

  const take = ({ usage: counted, references, choices: [choice] }: ReceivedChat, produced: ChatEvent[]): void => {
    events += 1
    if (counted !== undefined) usage = counted
    if (references !== undefined) {
      sortPieces(produced)
      produced.push({ type: 'references', references })
    }
    if (choice === undefined) return
    if (isFinish(choice.finishReason)) reason = toFinish(choice.finishReason)
    if (!hasTextAlone(choice.words)) {
      sortPieces(produced)
      addWords(choice.words, produced)
    }
    pieces += contentOf(choice.words.content, choice.isWhole)
  }

  return {
    /** True once text was passed on: a later failure counts as a cut. */
    begun: () => text,
    /** Takes what came at once. */
    take(received: readonly (ReceivedChat | typeof STREAM_END)[]): readonly ChatEvent[] {
      const produced: ChatEvent[] = []
      for (const event of received) {
        if (event === STREAM_END) ended = true
        else take(event, produced)
      }
      sortPieces(produced)
      return seen(produced)
    },
    /** @throws {PlatformError} `empty` or `cut`. */
    finish(): ChatEvent[] {
      if (events === 0) throw emptyError(doing, reasoned)
      if ((!ended && reason === undefined) || isFailedFinish(reason)) throw cutError(doing)
      const last: ChatEvent[] = []
      addEvents(last, thoughts.end())
      last.push(...calls.end())
      seen(last)
      if (!text && !toolCalled && !refused && reason !== FILTER_FINISH) throw emptyError(doing, reasoned)
      return [...last, { type: 'finish', reason, usage }]
    },
  }
}

function emptyError(doing: string, reasoned: boolean): PlatformError {
  const what = reasoned
    ? `The model spent all its tokens on reasoning and wrote no answer while ${doing}`
    : `The platform answered with nothing in it while ${doing}`
  return new PlatformError('empty', sentence('empty', what))
}

export function cutError(doing: string, cause?: unknown): PlatformError {
  const what = `The platform's answer broke off before its end while ${doing}`
  return new PlatformError('cut', sentence('cut', what), { cause })
}
