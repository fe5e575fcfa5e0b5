import { command } from '#lexicon/command.ts'
import { type Act, mayConfigure } from '#bridge/channels/authorize.ts'
import { administers } from '#bridge/channels/permissions.ts'
import type { AccessLevel, ChannelSettings } from '#bridge/channels/settings.ts'
import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { JobContext, MessageContext } from '#bridge/delivery/job-context.ts'
import { showWhole } from '#bridge/delivery/outbox-sender.ts'
import { channelKey } from '#bridge/port/keys.ts'
import type { Message } from '#bridge/port/message.ts'
import { shownPerson } from '#bridge/texts/formats.ts'
import type { Feature, JobServices } from '../feature.ts'
import { programId } from './programs.ts'

const KINDS = { guests: 'guest', others: 'external', bots: 'bot' } as const

/** Shows and changes who may use Footbridge, and opens the files of a frozen channel. */
export const createAccess = (services: JobServices): Feature => ({
  commands: [
    {
      name: 'access',
      pattern: command(
        'access',
        String.raw`(?:\s+((?:guests|others|bots(?:\s+\S.{0,80}?)?)\s+(?:nothing|ask|all)(?:\s+everywhere)?))?`,
      ),
      run: (ctx, argument) => (argument === '' ? show(services, ctx) : change(services, ctx, argument)),
    },
  ],
  buttons: [
    {
      id: ACTION.openKnowledge,
      async run(ctx) {
        const { adapter, conversation, author, texts } = ctx
        if (!(await administers(services, ctx, conversation, author.id))) return ctx.whisper(texts.channels.adminsOnly)
        await services.authority.open(adapter, conversation)
        await ctx.replaceMessage(texts.channels.opened(shownPerson(author.name)))
      },
    },
  ],
})

async function show({ settings }: JobServices, ctx: JobContext): Promise<void> {
  const { access, accessOf } = ctx.texts.channels
  const { guest = 'nothing', external = 'nothing', bot = 'nothing', programs } = await settings.of(ctx.conversation)
  const single = Object.entries(programs ?? {}).map(([id, level]) => `\`${id}\` ${accessOf[level]}`)
  const bots = [accessOf[bot], ...single].join('; ')
  await ctx.reply(access[ctx.adapter.people?.workspaceKind ?? 'company'](accessOf[guest], bots, accessOf[external]))
}

/** Undefined: the command names no program. */
function accessIn(argument: string, message: Message): ChannelSettings | undefined {
  const [, who = '', program = '', level = ''] = /^(\w+)\s+(?:(.*?)\s+)?(\w+)$/s.exec(argument) ?? []
  // The words were matched by the command's pattern.
  const access = level.toLowerCase() as AccessLevel
  if (program === '') return { [KINDS[who.toLowerCase() as keyof typeof KINDS]]: access }
  const id = message.mentions?.[0]?.id ?? programId(program)
  return id === undefined ? undefined : { programs: { [id]: access } }
}

async function change(services: JobServices, ctx: MessageContext, argument: string): Promise<void> {
  const { conversation, author, texts } = ctx
  const [, words = '', everywhere] = /^(.*?)(\s+everywhere)?$/is.exec(argument) ?? []
  const chosen = accessIn(words, ctx.message)
  if (chosen === undefined) return ctx.whisper(texts.channels.noProgram)
  // An empty channel means the workspace; a direct conversation is not a place of its own.
  const place = everywhere === undefined ? conversation : { ...conversation, channel: '', direct: false }
  if (conversation.direct && everywhere === undefined) return ctx.whisper(texts.channels.adminsOnly)
  if (everywhere === undefined && !(await mayConfigure(services, ctx, place)))
    return ctx.whisper(texts.channels.adminsOnly)
  if (everywhere !== undefined && !(await administers(services, ctx, place, author.id)))
    return ctx.whisper(texts.channels.accessEverywhere)
  await (everywhere === undefined
    ? services.settings.change(conversation, chosen, ctx.message.sentAt)
    : services.settings.changeWorkspace(conversation, chosen, ctx.message.sentAt))
  await ctx.reply(texts.channels.accessSet)
}

/** Slot of the refusal of files: it tells of it when the job runs again. */
const REFUSED_DROP = 'refused'

async function refuseDrop({ sender, author }: JobContext, text: string): Promise<void> {
  await showWhole(sender, REFUSED_DROP, { kind: 'notice', text, privateTo: author.id })
}

/** The refusal that people read before a restart, or before the job failed. An edit asks anew. */
async function earlierRefusal({ sender, eventId, jobId }: JobContext): Promise<string | undefined> {
  if (eventId !== jobId || !(await sender.slots()).includes(REFUSED_DROP)) return undefined
  return (await sender.rows()).find(({ slot }) => slot === REFUSED_DROP)?.text
}

/** Whether the author may do this; if not, tells them so, privately. A message that did not address us is refused only once. */
export async function isAllowed(services: JobServices, ctx: JobContext, act: Act): Promise<boolean> {
  const { conversation, author, message, texts, log } = ctx
  const earlier = act === 'drop' ? await earlierRefusal(ctx) : undefined
  if (earlier !== undefined) {
    // Its files were not taken: a right that was given meanwhile is for later ones.
    await refuseDrop(ctx, earlier)
    return false
  }
  const { id: personId, programIds } = author
  const denial = await services.authority.denial(ctx, { conversation, personId, programIds, act })
  if (denial === undefined) return true
  log.info({ person: author.id, act, denial }, 'A person was refused')
  if (denial === 'unknown')
    log.warn(
      { person: author.id },
      'Chat service did not say who a person is, so they were refused: npm run doctor checks the permissions of the app',
    )
  // Two programs must not talk to each other for ever.
  if (denial === 'bot' || programIds !== undefined) return false
  // Everybody in the channel would read that; a press or a command is answered to its person alone.
  if (denial === 'stranger' && ctx.invocation === undefined && act !== 'press') return false
  if (denial === 'frozen' && act !== 'press') {
    const action = { id: ACTION.openKnowledge, label: texts.channels.openKnowledge, value: '' } as const
    await ctx.reply(texts.channels.denied.frozen, { actions: [action] })
    return false
  }
  const { preferences } = services.store
  const noticeKey = `told:${author.id}`
  const isUnasked = act === 'drop' && message?.addressed === false
  if (isUnasked && (await preferences.get(channelKey(conversation), noticeKey)) !== undefined) return false
  const sentence = texts.channels.denied[denial]
  await (act === 'drop' ? refuseDrop(ctx, sentence) : ctx.whisper(sentence))
  if (isUnasked) await preferences.set(channelKey(conversation), noticeKey, denial)
  return false
}
