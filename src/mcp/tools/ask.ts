import type { Engine } from '#platform/engine/engine.ts'
import { EngineError } from '#platform/engine/errors.ts'
import { type ChatReference, REFERENCES_HEADING, REFERENCES_RULE } from '#platform/wire/references.ts'
import type { Asker, Readable } from '../askers/asker.ts'

const BLOCK = `\n${REFERENCES_RULE}\n${REFERENCES_HEADING}`

/** A chat event as far as it is read here. */
interface Piece {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[]
  readonly references?: readonly ChatReference[]
  readonly error?: { readonly message?: string }
}

async function defaultModel(engine: Pick<Engine, 'models'>): Promise<string> {
  const models = await engine.models()
  return (
    models.find(({ input, output }) => [input, output].every((kinds) => kinds.includes('text')))?.id ?? 'extractive'
  )
}

/** Asks the collections as a chat does; `onText` gets each new piece. @throws {EngineError} as `Chat` */
export async function askCollections(
  engine: Pick<Engine, 'chat' | 'models'>,
  { user }: Pick<Asker, 'user'>,
  asked: {
    readonly question: string
    readonly collections: readonly Readable[]
    readonly model?: string
    readonly signal: AbortSignal
  },
  onText: (piece: string) => void,
) {
  const { question, collections, signal, model = await defaultModel(engine) } = asked
  const answer = await engine.chat({
    user,
    signal,
    request: { model, messages: [{ role: 'user', content: question }], stream: true },
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
