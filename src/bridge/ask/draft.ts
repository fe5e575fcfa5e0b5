import { listFiles } from '../commands/find-file.ts'
import { shown } from '../channel-name.ts'
import { EXTRACTIVE } from '../models.ts'
import { isPlatformFailure } from '../failures.ts'
import { languageOf } from '../language.ts'
import { CollectionLostError } from '../losses.ts'
import { OverBudgetError, overBudgetSentence } from '../over-budget.ts'
import type { ChatRequest } from '../ports.ts'
import { resolveReferences } from '../references/resolve.ts'
import { scopeOf, type Scope } from '../scope.ts'
import { textsFor } from '../texts.ts'
import { composeMessages } from './compose.ts'
import { toQuery } from './query.ts'
import { readAnswer, saysNothing, type Out } from './read-answer.ts'
import { isSmallTalk, withoutWord } from './refusal.ts'
import type { AskPorts, AskRun, Draft } from './run.ts'
import { saidBefore } from './said-before.ts'

/** What a question was asked with, as far as it came: kept also when it fails. */
export interface Trail {
  model: string
  query?: string
  collections: readonly string[]
}

/** Warmer than models answer by themselves: another way of saying it is wanted. */
const ANOTHER_TEMPERATURE = 0.9

/** Asks the model, shows what comes while it comes, and judges what it is. */
export async function draftAnswer(ports: AskPorts, run: AskRun, trail: Trail, out: Out): Promise<Draft> {
  const { texts } = run
  const scope = await scopeOf(ports, run)
  if (typeof scope === 'string') return bare(scope, trail)
  const { collection } = scope.channel
  const lost = await lostSentence(ports, run, collection)
  if (lost !== undefined) return bare(lost, trail)
  const hasFiles = await ports.store.ledger.hasReady(collection)
  // A greeting is no question that files could answer.
  const fromFiles = hasFiles && !isSmallTalk(run.question)
  await spend(ports, run)
  trail.model = await ports.models.pick(run.signal, run.lane)
  const isEmpty = !hasFiles && (await listFiles(ports, collection)).length === 0
  if (!fromFiles && trail.model === EXTRACTIVE)
    return bare(hasFiles ? texts.help : isEmpty ? texts.dropFirst : texts.waitFirst, trail)
  if (fromFiles) trail.collections = [collection]
  const pictures = await run.pictures?.(trail.model)
  const request = await toRequest(ports, run, trail, fromFiles ? collection : undefined, pictures?.images)
  const { question, signal } = run
  const answer = await readAnswer(ports.platform, request, { question, signal, out }).catch(
    async (error: unknown) => {
      // What was there a moment ago may be gone: then that is said, and not the platform's words for it.
      const isMissing = fromFiles && isPlatformFailure(error) && error.code === 'not-found'
      if (!isMissing) throw error
      ports.losses.doubt(collection)
      const gone = await lostSentence(ports, run, collection)
      if (gone === undefined) throw error
      return gone
    },
  )
  if (typeof answer === 'string') return bare(answer, trail)
  const { end, cutByLength } = answer
  const resolved = await resolveReferences(ports, {
    ...run,
    end,
    ...trail,
    conversation: run.message.conversation,
  })
  const { references } = resolved
  const { text, refuses } = withoutWord(resolved.text)
  const notes = [
    ...scope.notes,
    ...resolved.notes,
    ...(pictures?.notes ?? []),
    ...(hasFiles ? [] : [isEmpty ? texts.notFromFiles : texts.notYetFromFiles]),
    ...(cutByLength ? [texts.cutByLength] : []),
  ]
  const note = notes.map((line) => `\n\n${line}`).join('')
  const near = [...new Set(end.references.map(({ file }) => file))]
  const draft = { ...trail, text: text + note, references, near: [] }
  if (!fromFiles) {
    out.push(note)
    return { ...draft, outcome: 'plain' }
  }
  // What the model saw in a picture stands in no file, and is an answer all the same.
  const hasSeen = (pictures?.images.length ?? 0) > 0 && !refuses && text !== ''
  if (hasSeen || !saysNothing(answer)) {
    out.push(note)
    return { ...draft, outcome: 'answered' }
  }
  return { ...draft, near, references: [], outcome: 'nothing', text: await nothing(ports, run, scope, trail) }
}

/**
 * What to say instead of an answer where the collection was lost. From a direct conversation it is told there alone: what
 * can be done about it is done in the channel.
 *
 * @throws {CollectionLostError} when another answer is wanted: the one that stands there stays.
 */
async function lostSentence(
  { losses }: AskPorts,
  run: AskRun,
  collection: string,
): Promise<string | undefined> {
  const { from, rewrite, texts, signal } = run
  const lost =
    from === undefined
      ? await losses.notice(run, collection)
      : await losses.sentence(collection, texts, signal)
  if (lost === undefined) return undefined
  const told = from === undefined ? lost : `${shown(from)}: ${lost}`
  if (rewrite !== undefined) throw new CollectionLostError(told)
  return told
}

/** @throws {OverBudgetError} */
async function spend({ budgets }: AskPorts, run: AskRun): Promise<void> {
  const { message, texts, jobId, eventId = jobId, rewrite, from, by = message.author } = run
  // Asked from a direct message, it counts where it is answered from all the same.
  const who = { conversation: from?.conversation ?? message.conversation, personId: by.id }
  const over = await budgets.spend(who, rewrite?.jobId ?? eventId, 'questions', 1)
  if (over === undefined) return
  const toThem = by.id === message.author.id ? texts : textsFor(by.language)
  throw new OverBudgetError(overBudgetSentence(over, 'ask', toThem, by.language ?? languageOf(message)))
}

function bare(text: string, trail: Trail): Draft {
  return { ...trail, model: '', text, references: [], outcome: 'plain', near: [] }
}

async function toRequest(
  ports: AskPorts,
  run: AskRun,
  trail: Trail,
  collection: string | undefined,
  images: readonly string[] = [],
): Promise<ChatRequest> {
  const { question, rewrite, signal } = run
  const { model } = trail
  const turns = await saidBefore(ports, run)
  const fromFiles = collection !== undefined
  // Another try is made with the same passages: by the query that found them.
  const query = !fromFiles
    ? undefined
    : rewrite === undefined
      ? await toQuery(ports, run, model, turns)
      : rewrite.earlier.query
  if (query !== undefined) trail.query = query
  return {
    model,
    messages: composeMessages({
      question,
      turns,
      fromFiles,
      ...(query === undefined ? {} : { query }),
      ...(rewrite === undefined ? {} : { rewrite }),
      images,
    }),
    ...(rewrite?.manner === 'another' ? { temperature: ANOTHER_TEMPERATURE } : {}),
    ...(fromFiles ? { collection: await ports.channels.ensure(collection, signal) } : {}),
  }
}

/** Said in our own words, with nothing of the model's: it has nothing to rest on. */
async function nothing(ports: AskPorts, { texts }: AskRun, scope: Scope, trail: Trail): Promise<string> {
  const entries = await ports.store.ledger.ofCollection(scope.channel.collection)
  const files = new Set(entries.filter(({ state }) => state === 'ready').map(({ fileName }) => fileName))
  const sentence = scope.conversation.direct ? texts.honest.notInYourFiles : texts.honest.notInFiles
  return [`${sentence} ${texts.honest.searched(files.size, quotable(trail.query))}`, ...scope.notes].join(
    '\n\n',
  )
}

/** A model's words inside a sentence of ours: nothing in them becomes markup. */
function quotable(query: string | undefined): string | undefined {
  return query?.replace(/[\\`*_[\]<>~|#@]/g, '').trim()
}
