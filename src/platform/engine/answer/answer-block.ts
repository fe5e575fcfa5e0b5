import { isFinish } from '#platform/wire/chat.ts'
import { newIn, readReceived, type ReceivedChoice } from '#platform/wire/received-chat.ts'
import type { ChatReference } from '#platform/wire/references.ts'
import type { StreamEvent } from '#platform/wire/stream-events.ts'

/** Text and fields that end an answer from a collection. */
export interface Ending {
  /** The References block; empty: none. */
  readonly block: string
  /** Its entries as fields. */
  readonly references: readonly ChatReference[]
  /** The request offers tools: a choice that calls one is not the answer, which is still to come and has the block. */
  readonly offersTools: boolean
}

type Choice = Readonly<Record<string, unknown>>

const rawChoices = (body: object): readonly unknown[] =>
  'choices' in body && Array.isArray(body.choices) ? (body.choices as readonly unknown[]) : []

const received = (event: StreamEvent): readonly ReceivedChoice[] =>
  (event.received ?? readReceived(event.body))?.choices ?? []

const isObject = (value: unknown): value is Choice => typeof value === 'object' && value !== null

/** Words in the form of the contract: each text is one string. */
function toContract(given: unknown, { words }: ReceivedChoice, content: string): object {
  const { reasoning, refusal } = words
  return {
    ...(isObject(given) ? given : {}),
    content: content === '' && (refusal !== '' || words.toolCalls.length > 0) ? null : content,
    ...(reasoning === '' ? {} : { reasoning }),
    ...(refusal === '' ? {} : { refusal }),
  }
}

const ownFields = ({ index, finishReason }: ReceivedChoice): Choice => ({ index, finish_reason: finishReason ?? null })
const isOdd = ({ message }: Choice) => isObject(message) && Array.isArray(message['content'])
const callsTools = ({ words }: ReceivedChoice) => words.toolCalls.length > 0
const speaks = ({ words }: ReceivedChoice) => words.content !== ''
const ends = ({ finishReason }: ReceivedChoice) => isFinish(finishReason)

/**
 * Adds the block to the text of every choice, except one without text (tokens ran out) or with a call of an offered
 * tool.
 */
export function appendToResponse(body: object, { block, references, offersTools }: Ending): object {
  const known = readReceived(body)?.choices ?? []
  // A body of Ollama's own interface has the words itself.
  const hasChoices = 'choices' in body
  const all = hasChoices ? rawChoices(body) : known.map(ownFields)
  let isChanged = false
  let isAppended = false
  const choices = all.map((given, at) => {
    const choice = known.find(({ index }) => index === at)
    if (!isObject(given) || choice === undefined) return given
    const isAnswer = block !== '' && speaks(choice) && !(offersTools && callsTools(choice))
    if (!isAnswer && !isOdd(given) && hasChoices) return given
    isChanged = true
    isAppended ||= isAnswer
    const said = `${choice.words.content}${isAnswer ? block : ''}`
    return { ...given, message: toContract(given['message'], choice, said) }
  })
  return isChanged ? { ...body, choices, ...(isAppended ? { references } : {}) } : body
}

/** Whether an event brings text. */
export const bringsText = (event: StreamEvent): boolean => received(event).some(speaks)

/** Makes pieces of a list of parts, or of a whole message. */
function createPieces() {
  const said = new Map<number, { text: string; byPieces: boolean }>()
  return (event: StreamEvent): StreamEvent => {
    const known = received(event)
    for (const { index, isWhole, words } of known)
      if (!isWhole && words.content !== '' && said.get(index)?.byPieces !== true)
        said.set(index, { text: said.get(index)?.text ?? '', byPieces: true })
    if (!known.some(({ isUnusual }) => isUnusual)) return event
    const choices = known.map((choice) => {
      const { index, isWhole, words, finishReason } = choice
      const before = said.get(index) ?? { text: '', byPieces: false }
      const content = isWhole ? newIn(words.content, before) : words.content
      if (isWhole) said.set(index, { ...before, text: before.text + content })
      const given = rawChoices(event.body).filter(isObject)[known.indexOf(choice)]
      const { delta, message, ...rest } = given ?? {}
      return {
        ...rest,
        index,
        delta: toContract(isWhole ? message : delta, choice, content),
        finish_reason: finishReason ?? null,
      }
    })
    return { body: { ...event.body, choices } }
  }
}

/** Whether no choice that ends in it has gone on. */
const stillEnds = (event: StreamEvent, going: ReadonlySet<number>) =>
  !received(event).some((choice) => ends(choice) && going.has(choice.index))

/**
 * Adds the block to the text of each streamed choice, when the stream ends: some servers tell an end with each piece.
 * So an event that tells an end waits, and one that was no end is left out. All other events pass unchanged, to the
 * byte, where they have the form of the contract.
 */
export function createStreamAppender({ block, references, offersTools }: Ending) {
  const toPieces = createPieces()
  const spoken = new Set<number>()
  const calling = new Set<number>()
  let last: object = {}
  let waiting: StreamEvent[] = []

  return {
    /** Events to send for one received event. */
    next(given: StreamEvent): StreamEvent[] {
      const event = toPieces(given)
      if (block === '') return [event]
      const choices = received(event)
      if (choices.length === 0) {
        if (waiting.length === 0) return [event]
        waiting.push(event)
        return []
      }
      last = event.body
      for (const choice of choices) {
        if (speaks(choice)) spoken.add(choice.index)
        if (offersTools && callsTools(choice)) calling.add(choice.index)
      }
      const going = new Set(choices.filter((choice) => speaks(choice) || ends(choice)).map(({ index }) => index))
      waiting = waiting.filter((one) => stillEnds(one, going))
      if (!choices.some(ends)) return [event]
      if (!choices.some(speaks)) {
        waiting.push(event)
        return []
      }
      // The words of an event that tells an end go first, then the block, then the end.
      const words = rawChoices(event.body).map((choice) =>
        isObject(choice) ? { ...choice, finish_reason: null } : choice,
      )
      const closing = choices
        .filter(ends)
        .map(({ index, finishReason }) => ({ index, delta: {}, finish_reason: finishReason }))
      waiting.push({ body: { ...event.body, choices: closing } })
      return [{ body: { ...event.body, usage: undefined, choices: words } }]
    },
    /** Events still to be sent when the stream ends. */
    end(): StreamEvent[] {
      const blocks = [...spoken]
        .filter((index) => !calling.has(index))
        .map((index): StreamEvent => {
          const choices = [{ index, delta: { content: block }, finish_reason: null }]
          return { body: { ...last, usage: undefined, choices, references } }
        })
      return [...blocks, ...waiting]
    },
  }
}
