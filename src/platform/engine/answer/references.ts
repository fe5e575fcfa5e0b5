import { formatReferences } from '../../wire/references.ts'
import type { Passage } from '../retrieve.ts'

/** The block that ends an answer from these passages; empty without any. */
export function toBlock(passages: readonly Passage[]): string {
  return formatReferences(passages)
}

interface Choice {
  readonly index?: number
  readonly delta?: { readonly content?: string | null } | null
  readonly message?: { readonly content?: string | null } | null
  readonly finish_reason?: string | null
}

const choicesOf = (body: object): readonly Choice[] =>
  'choices' in body && Array.isArray(body.choices) ? (body.choices as readonly Choice[]) : []

/** Puts the block behind the text of every choice; an answer without text (a tool call, tokens ran out) stays as it is. */
export function appendToResponse(body: object, block: string): object {
  if (block === '') return body
  const choices = choicesOf(body).map((choice) => {
    const content = choice.message?.content
    return typeof content === 'string' && content !== ''
      ? { ...choice, message: { ...choice.message, content: `${content}${block}` } }
      : choice
  })
  return { ...body, choices }
}

/** Puts the block behind the text of a stream, per choice, before the event that ends it. */
export function createStreamAppender(block: string) {
  const spoken = new Set<number>()
  const closed = new Set<number>()
  let last: object = {}

  const own = (index: number, delta: object): string =>
    JSON.stringify({ ...last, usage: undefined, choices: [{ index, delta, finish_reason: null }] })
  const blockFor = (index: number): string[] => {
    if (!spoken.has(index) || closed.has(index)) return []
    closed.add(index)
    return [own(index, { content: block })]
  }

  return {
    /** Events to send for one that came. */
    next(raw: string, body: object): string[] {
      const choices = choicesOf(body)
      last = body
      for (const choice of choices) {
        if ((choice.delta?.content ?? '') !== '') spoken.add(choice.index ?? 0)
      }
      if (block === '' || choices.every((choice) => (choice.finish_reason ?? null) === null)) return [raw]
      // The last words may come with the end itself: they go first, then the block, then the end.
      const words = choices.flatMap((choice) =>
        (choice.delta?.content ?? '') === ''
          ? []
          : [own(choice.index ?? 0, { content: choice.delta?.content })],
      )
      const blocks = choices.flatMap((choice) =>
        (choice.finish_reason ?? null) === null ? [] : blockFor(choice.index ?? 0),
      )
      const ends = choices.map((choice) => ({
        ...choice,
        ...(choice.delta ? { delta: { ...choice.delta, content: undefined } } : {}),
      }))
      return [...words, ...blocks, JSON.stringify({ ...body, choices: ends })]
    },
    /** What is still owed when the stream ends without an event that says so. */
    end: (): string[] => (block === '' ? [] : [...spoken].flatMap(blockFor)),
  }
}
