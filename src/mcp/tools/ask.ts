import { EngineError } from '#platform/engine/errors.ts'
import { type ChatReference, REFERENCES_HEADING, REFERENCES_RULE } from '#platform/wire/references.ts'
import type { Asker, Readable } from '../askers/asker.ts'
import { formatAddress } from './address.ts'
import type { Knowledge, ReadEngine } from './knowledge.ts'
import { createQuoting, NOTICE } from './quotation.ts'
import type { Call, Input, Output } from './schemas.ts'

const BLOCK = `\n${REFERENCES_RULE}\n${REFERENCES_HEADING}`

/** Most collections of one question, as in a chat. */
const MAX_ASKED = 16

/** A chat event as far as it is read here. */
interface Piece {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[]
  readonly references?: readonly ChatReference[]
  readonly error?: { readonly message?: string }
}

interface Parts {
  readonly engine: ReadEngine
  readonly asker: Asker
  readonly knowledge: Knowledge
  /** Default: the first of the list. */
  readonly model: string | undefined
}

async function firstModel({ models }: ReadEngine): Promise<string> {
  const all = await models()
  return all.find(({ input, output }) => [input, output].every((kinds) => kinds.includes('text')))?.id ?? 'extractive'
}

/** Asks the collections as a chat does; `onText` gets each new piece. @throws {EngineError} as `Chat` */
async function write(
  { engine, asker: { user }, model }: Parts,
  question: string,
  collections: readonly Readable[],
  { signal, onText }: Pick<Call, 'signal' | 'onText'>,
) {
  const messages = [{ role: 'user', content: question }] as const
  const answer = await engine.chat({
    user,
    signal,
    request: { model: model ?? (await firstModel(engine)), messages: [...messages], stream: true },
    retrieval: { collections: collections.map(({ platformId }) => platformId) },
  })
  if (answer.kind !== 'stream') throw new EngineError('upstream', 'The model did not stream its answer.')
  let text = ''
  let isOver = false
  const references: ChatReference[] = []
  for await (const events of answer.events) {
    for (const { body } of events) {
      const piece = body as Piece
      references.push(...(piece.references ?? []))
      if (piece.error !== undefined) throw new EngineError('upstream', piece.error.message ?? 'The model broke off.')
      const added = piece.choices?.[0]?.delta?.content ?? ''
      text += added
      isOver ||= text.includes(BLOCK)
      if (added !== '' && !isOver) onText(added)
    }
  }
  return { text: (text.split(BLOCK, 1)[0] ?? '').trimEnd(), references }
}

/** Answers a question from one collection, or from all that may be read and have budget left. */
export async function ask(
  parts: Parts,
  { question, collection }: Input<'ask'>,
  { note, ...call }: Call,
): Promise<Output<'ask'>> {
  const { asker, knowledge } = parts
  const found =
    collection === undefined ? await knowledge.holding(question, MAX_ASKED) : [await knowledge.find(collection)]
  if (found.length === 0) return { answer: 'The files that you may read do not tell.', references: [], notice: NOTICE }
  const collections = await asker.charge(found)
  const full = found.filter((one) => !collections.includes(one)).map(({ name }) => name)
  const leftOut = full.length === 0 ? '' : ` Not asked, since their budget of questions is used up: ${full.join(', ')}.`
  const { text, references } = await write(parts, question, collections, call)
  for (const { id } of collections) note(id)
  const toOutput = async (reference: ChatReference) => {
    const { number, file, place = '' } = reference
    const owner = (await knowledge.owner(collections, reference))?.id ?? ''
    note(owner, 1)
    return { number, id: formatAddress({ collection: owner, file, place: place || undefined }), file, place }
  }
  return {
    answer: createQuoting()('an answer from files', text),
    references: await Promise.all(references.map(toOutput)),
    notice: `${NOTICE}${leftOut}`,
  }
}
