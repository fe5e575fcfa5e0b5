import { stableId } from '#lib/stable-id.ts'
import { type Exposure, exposureOf } from '#bridge/channels/channel-links.ts'
import { administers, mayRead } from '#bridge/channels/permissions.ts'
import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import { channelKey } from '#bridge/port/keys.ts'
import type { ConversationRef, NamedConversation } from '#bridge/port/message.ts'
import { type Feature, isOfChannel, type JobServices, type Press } from '../feature.ts'
import { shownChannel } from '#bridge/texts/formats.ts'

type Services = Pick<JobServices, 'admins' | 'adapterOf' | 'channels' | 'links' | 'messageAt' | 'store' | 'clock'>

/** Links this channel to another's files. Needs administering both, and a confirmation if private content opens. */
export const createChannelLinking = (services: Services): Feature => ({
  commands: [
    {
      name: 'link',
      pattern: /^link\s+(#[^\n]{1,200}|https?:\/\/\S{1,2000})$/i,
      async run(ctx, argument) {
        const [named] = ctx.message.channels ?? []
        const isAddress = named === undefined && URL.canParse(argument)
        // Others must not learn which channel an address belongs to.
        if (isAddress && !isOperator(services, ctx)) return ctx.reply(ctx.texts.channels.linkElsewhere)
        const target = isAddress ? await channelAt(services, argument) : named
        if (target === undefined) return ctx.reply(ctx.texts.channels.nameChannel)
        const refusal = await refuse(services, ctx, target)
        if (refusal !== undefined) return ctx.reply(refusal)
        await propose(services, ctx, { here: channelKey(ctx.conversation), target, step: 'first' })
      },
    },
    { name: 'unlink', pattern: /^unlink$/i, run: (ctx) => unlink(services, ctx) },
    { name: 'links', pattern: /^links$/i, run: (ctx) => listLinks(services, ctx) },
  ],
  buttons: [{ id: ACTION.link, run: (ctx, press) => confirm(services, ctx, press) }],
})

/** The channel of a message elsewhere that an address leads to: how a channel of another chat service is named. */
async function channelAt({ messageAt, adapterOf }: Services, url: string): Promise<NamedConversation | undefined> {
  const found = (await messageAt(url))?.conversation
  if (found === undefined) return undefined
  const conversation = { ...found, thread: undefined }
  const facts = await adapterOf(found.adapter)?.describeChannel(conversation)
  return facts && { name: facts.name, conversation }
}

async function unlink(services: Services, ctx: JobContext): Promise<void> {
  const { conversation, author, texts } = ctx
  const { store, channels, links, clock } = services
  if (!(await administers(services, ctx, conversation, author.id))) return ctx.reply(texts.channels.adminsOnly)
  const record = await store.channels.get(channelKey(conversation))
  const id = stableId(22, ctx.jobId, 'unlink')
  // If this job removed the link before a restart, it still says so.
  const isBegun = (await store.buttonPayloads.get(id)) !== undefined
  if (record?.linkedTo === undefined && !isBegun) return ctx.reply(texts.channels.notLinked)
  await store.buttonPayloads.put({ id, kind: 'unlink', data: record?.linkedTo ?? '', at: clock() })
  await channels.link(conversation, undefined)
  await links.forget(conversation)
  await ctx.reply(texts.channels.unlinked)
}

/** Lists the channels that share files with this one. Channels that the asker cannot see are not named. */
async function listLinks(services: Services, ctx: JobContext): Promise<void> {
  const { store } = services
  const key = channelKey(ctx.conversation)
  const own = await store.channels.get(key)
  const to = own?.linkedTo === undefined ? undefined : await store.channels.get(own.linkedTo)
  const from = await store.channels.linkedTo(key)
  const names = from.map(({ conversation }) => visibleName(services, ctx, conversation))
  const target = to && (await visibleName(services, ctx, to.conversation))
  await ctx.reply(ctx.texts.channels.linkedWith(target, await Promise.all(names)))
}

interface Proposal {
  /** Key of the channel that is to be linked. */
  readonly here: string
  readonly target: NamedConversation
  /** After `first` it is the direction in which private content becomes readable, as the warning said. */
  readonly step: 'first' | Exposure
}

const KIND = 'link'

async function propose(services: Services, ctx: JobContext, proposal: Proposal): Promise<void> {
  const { linkAsk, linkYes } = ctx.texts.channels
  const value = await keepProposal(services, ctx, proposal)
  await ctx.reply(linkAsk(shownChannel(proposal.target)), { actions: [{ id: ACTION.link, label: linkYes, value }] })
}

/** Shows the warning in place of the first question. */
async function warn(services: Services, ctx: JobContext, proposal: Proposal & { readonly step: Exposure }) {
  const { linkShows, linkGives, linkYesSurely } = ctx.texts.channels
  const value = await keepProposal(services, ctx, proposal)
  const warning = (proposal.step === 'shows' ? linkShows : linkGives)(shownChannel(proposal.target))
  await ctx.replaceMessage(warning, { actions: [{ id: ACTION.link, label: linkYesSurely, value, style: 'danger' }] })
}

/** Stores the proposal for the button under the question. */
async function keepProposal(services: Services, ctx: JobContext, proposal: Proposal): Promise<string> {
  const id = stableId(22, ctx.jobId, KIND)
  await services.store.buttonPayloads.put({ id, kind: KIND, data: proposal, at: services.clock() })
  return id
}

async function confirm(services: Services, ctx: JobContext, press: Press): Promise<void> {
  const { conversation } = ctx
  const { channels } = ctx.texts
  const kept = await services.store.buttonPayloads.get(press.value)
  const proposal = kept?.kind === KIND ? (kept.data as Proposal) : undefined
  if (proposal === undefined || !isOfChannel(ctx, proposal.here)) return ctx.reply(channels.offerOver)
  const { here: key, target, step } = proposal
  // Checked again: another person may press, and both channels may have changed.
  const refusal = await refuse(services, ctx, target)
  if (refusal !== undefined) return ctx.reply(refusal)
  const about = (place: ConversationRef) => services.adapterOf(place.adapter)?.describeChannel(place)
  const [here, there] = await Promise.all([about(conversation), about(target.conversation)])
  if (here === undefined || there === undefined) return ctx.reply(channels.linkUnseen(shownChannel(target)))
  const crossing = exposureOf(here, there)
  if (crossing !== undefined && step !== crossing) {
    await warn(services, ctx, { here: key, target, step: crossing })
  } else {
    if (crossing === undefined) await services.links.forget(conversation)
    else await services.links.consent(conversation, target.conversation, crossing)
    await services.channels.link(conversation, target.conversation)
    await ctx.replaceMessage(channels.linked(shownChannel(target)))
  }
  // Taken last: after a restart the same press still finds it.
  await services.store.buttonPayloads.take(press.value)
}

/** The reason why this person can't link the two; undefined: they can. */
async function refuse(services: Services, ctx: JobContext, target: NamedConversation): Promise<string | undefined> {
  const { conversation, author, texts } = ctx
  const { channels } = texts
  const other = target.conversation
  if (conversation.direct || other.direct) return channels.linkDirect
  if (channelKey(other) === channelKey(conversation)) return channels.linkSelf
  const isElsewhere = other.adapter !== conversation.adapter
  if (!isElsewhere && other.workspace !== conversation.workspace) return channels.linkFar(shownChannel(target))
  // A person has another identity in each chat service: only an administrator of everything can act for both channels.
  if (isElsewhere && !isOperator(services, ctx)) return channels.linkElsewhere
  if (!(await administers(services, ctx, conversation, author.id))) return channels.adminsOnly
  const isAllowed =
    isElsewhere || ((await mayRead(ctx, other, author.id)) && (await administers(services, ctx, other, author.id)))
  if (!isAllowed) return channels.linkNotAdmin(shownChannel(target))
  if ((await services.store.channels.get(channelKey(other)))?.linkedTo !== undefined)
    return channels.linkTwice(shownChannel(target))
  const users = await services.store.channels.linkedTo(channelKey(conversation))
  const [first] = users
  return first && channels.linkTarget(await visibleName(services, ctx, first.conversation))
}

/** Whether the author is in `ADMINS`, and so administers every channel of every chat service. */
const isOperator = ({ admins }: Services, { conversation, author }: JobContext) =>
  admins.has(`${conversation.adapter}:${author.id}`)

async function visibleName(services: Services, ctx: JobContext, conversation: ConversationRef): Promise<string> {
  const isVisible =
    conversation.adapter === ctx.conversation.adapter
      ? await mayRead(ctx, conversation, ctx.author.id)
      : isOperator(services, ctx)
  if (!isVisible) return '#…'
  const adapter = services.adapterOf(conversation.adapter)
  const facts = await adapter?.describeChannel(conversation).catch(() => undefined)
  return facts === undefined ? '#…' : shownChannel(facts)
}
