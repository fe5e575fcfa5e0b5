import { ACTION } from '../delivery/button-ids.ts'
import type { JobContext } from '../delivery/job-context.ts'
import { listFiles } from '../files/find-file.ts'
import { iconOf } from '../files/receipt/content.ts'
import type { Overview, OverviewPart } from '../port/forms.ts'
import { channelKey } from '../port/keys.ts'
import type { ConversationRef, NamedConversation } from '../port/message.ts'
import type { AnswerRecord, FileRecord } from '../port/records.ts'
import { mayConfigure } from '../channels/authorize.ts'
import { escapeName, languageName, localeOf, oneLine, shownChannel, shownName, whenAgain } from '../texts/formats.ts'
import type { JobServices } from './feature.ts'

const MAX_CHANNELS = 10
const MAX_FILES = 4
const MAX_QUESTIONS = 5
const MAX_PROMPTS = 3
const PROMPT_CHARS = 60

interface ChannelSummary {
  readonly channel: NamedConversation
  readonly isFrozen: boolean
  readonly files: readonly FileRecord[]
  readonly open: readonly AnswerRecord[]
}

/**
 * Shows a person their channels with files and states, their unanswered questions, limits and settings.
 *
 * @param beside the channel that they look at now: only the prompts change, to questions about its files
 */
export async function showOverview(services: JobServices, ctx: JobContext, beside?: ConversationRef): Promise<void> {
  const { adapter, author, conversation, texts } = ctx
  const denial = await services.authority.denial(ctx, { conversation, personId: author.id, act: 'home' })
  if (denial !== undefined) {
    const parts = beside === undefined ? [{ text: texts.channels.denied[denial] }] : undefined
    return adapter.app?.showOverview(conversation, author.id, { parts, prompts: [] })
  }
  const rooms = await channelSummaries(services, ctx, beside)
  if (beside !== undefined)
    return adapter.app?.showOverview(conversation, author.id, { prompts: promptsOf(ctx, rooms, beside) })
  const parts = [
    { text: texts.settings.overview.hello },
    ...(await channelParts(services, ctx, rooms)),
    ...questionParts(ctx, rooms),
    ...(await limitParts(services, ctx)),
    languagePart(ctx),
  ]
  await adapter.app?.showOverview(conversation, author.id, { parts, prompts: promptsOf(ctx, rooms) })
}

/** This person's channels that have files here; only `first`, if that has files that are ready. */
async function channelSummaries(
  services: JobServices,
  { adapter, author, conversation }: JobContext,
  first?: ConversationRef,
): Promise<readonly ChannelSummary[]> {
  const { store, authority, channels } = services
  const theirs = (await adapter.app?.channelsOf(conversation.workspace, author.id)) ?? []
  const isFirst = (one: NamedConversation) => one.conversation.channel === first?.channel
  const rooms: ChannelSummary[] = []
  for (const channel of theirs.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)))) {
    if (rooms.length === MAX_CHANNELS) break
    const key = channelKey(channel.conversation)
    if ((await store.channels.get(key)) === undefined) continue
    const isFrozen = await authority.isFrozen(adapter, channel.conversation)
    const { collection } = await channels.of(channel.conversation)
    const files = isFrozen ? [] : await listFiles({ store }, collection)
    const open = isFrozen ? [] : await store.answers.unanswered(key, 100)
    rooms.push({
      channel,
      isFrozen,
      files,
      open: open.filter(({ isPrivate, asker }) => isPrivate !== true || asker === author.id),
    })
    if (isFirst(channel) && files.some(({ state }) => state === 'ready')) break
  }
  return rooms
}

async function channelParts(
  services: JobServices,
  ctx: JobContext,
  rooms: readonly ChannelSummary[],
): Promise<OverviewPart[]> {
  const { texts } = ctx
  const { overview, changeOf } = texts.settings
  if (rooms.length === 0) return [{ heading: overview.channels, text: overview.none }]
  return Promise.all(
    rooms.map(async ({ channel, isFrozen, files, open }, index) => {
      const name = shownChannel(channel)
      const count = (state: FileRecord['state']) => files.filter((file) => file.state === state).length
      const newest = files.slice(0, MAX_FILES).map((file) => `- ${iconOf(file.state)} ${shownName(file)}`)
      const head = isFrozen
        ? overview.resting(name)
        : overview.channel(name, count('ready'), count('failed'), open.length)
      const mayChange = await mayConfigure(services, ctx, channel.conversation)
      const value = channelKey(channel.conversation)
      const action = { id: ACTION.settings, label: changeOf(name), value, form: true } as const
      return {
        heading: index === 0 ? overview.channels : undefined,
        text: [head, ...newest].join('\n'),
        actions: mayChange ? [action] : [],
      }
    }),
  )
}

function questionParts({ texts, author }: JobContext, rooms: readonly ChannelSummary[]): OverviewPart[] {
  const mine = rooms.flatMap(({ channel, open }) =>
    open
      .filter(({ asker }) => asker === author.id)
      .map(({ question }) => `- ${escapeName(oneLine(question, 100))} (${shownChannel(channel)})`),
  )
  if (mine.length === 0) return []
  return [{ heading: texts.settings.overview.questions, text: mine.slice(0, MAX_QUESTIONS).join('\n') }]
}

async function limitParts(
  { budgets }: JobServices,
  { texts, author, conversation }: JobContext,
): Promise<OverviewPart[]> {
  const uses = await budgets.used({ conversation, personId: author.id })
  const { usage, settings } = texts
  if (uses.length === 0) return [{ heading: settings.overview.limits, text: usage.none }]
  const number = new Intl.NumberFormat(localeOf(author.language), { maximumFractionDigits: 1 })
  const lines = uses.map(({ owner, budget, used, resetsAt }) => {
    const line = usage.use(usage.owner[owner], number.format(used), usage.amount(budget.most, budget.kind, budget.span))
    return resetsAt === undefined ? line : `${line} ${settings.overview.resets(whenAgain(resetsAt, author))}`
  })
  return [{ heading: settings.overview.limits, text: lines.join('\n') }]
}

function languagePart({ texts, author }: JobContext): OverviewPart {
  const { overview } = texts.settings
  const spoken = languageName(author.language, texts.language)
  const action = { id: ACTION.language, label: overview.changeLanguage, value: '-', form: true } as const
  return { heading: overview.yours, text: overview.language(spoken), actions: [action] }
}

/** Questions to the newest files of the channel that is looked at, else of all; each says in which channel it is asked. */
function promptsOf(
  { texts }: JobContext,
  rooms: readonly ChannelSummary[],
  beside?: ConversationRef,
): Overview['prompts'] {
  const { overview } = texts.settings
  const prompts = rooms.flatMap(({ channel, files }) => {
    const isSeen = channel.conversation.channel === beside?.channel
    const ready = files.filter(({ state }) => state === 'ready').slice(0, isSeen ? MAX_PROMPTS : 2)
    return ready.map(({ displayName }) => {
      const question = overview.ask(oneLine(displayName, PROMPT_CHARS))
      const message = overview.askIn(channel.name, question)
      return { title: isSeen ? question : `${question} (#${channel.name})`, message }
    })
  })
  return [...prompts.slice(0, MAX_PROMPTS), { title: overview.help, message: overview.help }]
}
