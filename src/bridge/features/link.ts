import { createHash } from 'node:crypto'
import { isHere } from './guards.ts'
import { ACTION } from '../delivery/button-ids.ts'
import { administers, mayRead } from '../channels/permissions.ts'
import type { Button, ButtonDoing, Command, CommandDoing, Doing, JobPorts } from '../delivery/job-context.ts'
import { shown } from '../texts/channel-name.ts'
import { crossingOf, type Crossing } from '../channels/channel-links.ts'
import { channelKey, type ConversationRef, type NamedConversation } from '../port/message.ts'
import { sayInPlace } from '../delivery/replace-message.ts'
import { say } from '../delivery/reply.ts'

/** Use the files of another channel here. Only who administers both channels can, and says so again where it opens what is private. */
export const link: Command = {
  name: 'link',
  pattern: /^link\s+(#[^\n]{1,200})$/i,
  async run(ports, doing) {
    const [target] = doing.message.channels ?? []
    const refusal = target === undefined ? doing.texts.scope.nameChannel : await refuse(ports, doing, target)
    if (target === undefined || refusal !== undefined) return say(doing, refusal ?? '')
    await propose(ports, doing, { here: channelKey(doing.conversation), target, step: 'first' })
  },
}

export const unlink: Command = {
  name: 'unlink',
  pattern: /^unlink$/i,
  async run(ports, doing) {
    const { conversation, author, texts } = doing
    if (!(await administers(ports, doing, conversation, author.id))) return say(doing, texts.scope.adminsOnly)
    const record = await ports.store.channels.get(channelKey(conversation))
    const id = idOf(doing, 'unlink')
    // Begun before a restart, there is no link any more, and it is said all the same that this ended it.
    const isBegun = (await ports.store.buttonPayloads.get(id)) !== undefined
    if (record?.linkedTo === undefined && !isBegun) return say(doing, texts.scope.notLinked)
    await ports.store.buttonPayloads.put({
      id,
      kind: 'unlink',
      data: record?.linkedTo ?? '',
      at: ports.clock(),
    })
    await ports.channels.link(conversation, undefined)
    await ports.links.forget(conversation)
    await say(doing, texts.scope.unlinked)
  },
}

/** Which channels share files with this one. Names of channels that the asker can't see are not told. */
export const links: Command = {
  name: 'links',
  pattern: /^links$/i,
  async run(ports, doing) {
    const key = channelKey(doing.conversation)
    const own = await ports.store.channels.get(key)
    const to = own?.linkedTo === undefined ? undefined : await ports.store.channels.get(own.linkedTo)
    const from = await ports.store.channels.linkedTo(key)
    const nameOf = (conversation: ConversationRef) => visibleName(doing, conversation)
    await say(
      doing,
      doing.texts.scope.linkedWith(
        to && (await nameOf(to.conversation)),
        await Promise.all(from.map(({ conversation }) => nameOf(conversation))),
      ),
    )
  },
}

export const confirmLink: Button = { id: ACTION.link, run: (ports, doing) => confirm(ports, doing) }

interface Proposal {
  /** Key of the channel that is to be linked. */
  readonly here: string
  readonly target: NamedConversation
  /** After `first`: what is private becomes readable by everybody, and it was said in which direction. */
  readonly step: 'first' | Crossing
}

const KIND = 'link'

/** Of what is kept for this job: the same after a restart. */
const idOf = ({ jobId }: Pick<Doing, 'jobId'>, kind: string): string =>
  createHash('sha256').update(`${jobId}\n${kind}`).digest('base64url').slice(0, 22)

async function propose(ports: JobPorts, doing: CommandDoing, proposal: Proposal): Promise<void> {
  const { linkAsk, linkYes } = doing.texts.scope
  const value = await offer(ports, doing, proposal)
  await say(doing, linkAsk(shown(proposal.target)), {
    actions: [{ id: ACTION.link, label: linkYes, value }],
  })
}

/** In the place of the question: one message from it to its end. */
async function warn(ports: JobPorts, doing: ButtonDoing, proposal: Proposal & { readonly step: Crossing }) {
  const { linkShows, linkGives, linkYesSurely } = doing.texts.scope
  const value = await offer(ports, doing, proposal)
  const warning = (proposal.step === 'shows' ? linkShows : linkGives)(shown(proposal.target))
  await sayInPlace(ports, doing, warning, {
    actions: [{ id: ACTION.link, label: linkYesSurely, value, style: 'danger' }],
  })
}

/** Keeps what the button under the question is for. */
async function offer(ports: JobPorts, doing: Doing, proposal: Proposal): Promise<string> {
  const id = idOf(doing, KIND)
  await ports.store.buttonPayloads.put({ id, kind: KIND, data: proposal, at: ports.clock() })
  return id
}

async function confirm(ports: JobPorts, doing: ButtonDoing): Promise<void> {
  const { conversation, inbound, adapter } = doing
  const { scope } = doing.texts
  const kept = await ports.store.buttonPayloads.get(inbound.action.value)
  const proposal = kept?.kind === KIND ? (kept.data as Proposal) : undefined
  if (proposal === undefined || !isHere(doing, proposal.here)) return say(doing, scope.offerOver)
  const { here: key, target, step } = proposal
  // Asked anew: whoever presses may be somebody else, and both channels may have changed.
  const refusal = await refuse(ports, doing, target)
  if (refusal !== undefined) return say(doing, refusal)
  const [here, there] = await Promise.all([
    adapter.about?.(conversation),
    adapter.about?.(target.conversation),
  ])
  if (here === undefined || there === undefined) return say(doing, scope.linkUnseen(shown(target)))
  const crossing = crossingOf(here, there)
  if (crossing !== undefined && step !== crossing) {
    await warn(ports, doing, { here: key, target, step: crossing })
  } else {
    if (crossing === undefined) await ports.links.forget(conversation)
    else await ports.links.consent(conversation, target.conversation, crossing)
    await ports.channels.link(conversation, target.conversation)
    await sayInPlace(ports, doing, scope.linked(shown(target)))
  }
  // Last: after a restart the same press finds it again.
  await ports.store.buttonPayloads.take(inbound.action.value)
}

/** Why this person can't link these two; undefined: they can. */
async function refuse(
  ports: JobPorts,
  doing: CommandDoing | ButtonDoing,
  target: NamedConversation,
): Promise<string | undefined> {
  const { conversation, author, texts } = doing
  const { scope } = texts
  const other = target.conversation
  if (conversation.direct || other.direct) return scope.linkDirect
  if (channelKey(other) === channelKey(conversation)) return scope.linkSelf
  if (other.workspace !== conversation.workspace) return scope.linkFar(shown(target))
  if (!(await administers(ports, doing, conversation, author.id))) return scope.adminsOnly
  const isAllowed =
    (await mayRead(doing, other, author.id)) && (await administers(ports, doing, other, author.id))
  if (!isAllowed) return scope.linkNotAdmin(shown(target))
  if ((await ports.store.channels.get(channelKey(other)))?.linkedTo !== undefined)
    return scope.linkTwice(shown(target))
  const users = await ports.store.channels.linkedTo(channelKey(conversation))
  const [first] = users
  return first && scope.linkTarget(await visibleName(doing, first.conversation))
}

async function visibleName(doing: Doing, conversation: ConversationRef): Promise<string> {
  if (!(await mayRead(doing, conversation, doing.author.id))) return '#…'
  const facts = await doing.adapter.about?.(conversation).catch(() => undefined)
  return facts === undefined ? '#…' : shown(facts)
}
