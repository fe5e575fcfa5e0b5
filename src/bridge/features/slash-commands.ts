import { isCollected } from '../channels/collecting.ts'
import { EXTRACTIVE } from '../channels/models.ts'
import type { MessageContext } from '../delivery/job-context.ts'
import { showWhole } from '../delivery/outbox-sender.ts'
import { splitMarkdown } from '../delivery/split.ts'
import { filesSavedFrom } from '../files/saved-messages/save-note.ts'
import { channelKey, conversationQueue, messageKey } from '../port/keys.ts'
import type { CommandCall, CommandName, ConversationRef } from '../port/message.ts'
import type { FileRecord } from '../port/records.ts'
import { languageOf, textsFor } from '../texts/texts.ts'
import { translateText } from '../voice/translate-transcript.ts'
import { connect, disconnect } from './connect.ts'
import type { JobServices } from './feature.ts'
import { confirmForgetting } from './files/forget.ts'
import type { Registry } from './registry.ts'

/** Runs each slash command and each command on a message, mostly by calling a text command. */
export type SlashCommands = Readonly<Record<CommandName, (ctx: MessageContext, call: CommandCall) => Promise<void>>>

type Commands = Pick<Registry, 'find' | 'command'>

/** @param services of the features that the commands share with text commands and buttons */
export function createSlashCommands(services: JobServices, registry: Commands): SlashCommands {
  const asText =
    (name: string): SlashCommands[CommandName] =>
    async (ctx, { argument, name: called }) => {
      const command = registry.find(name)
      if (command === undefined) return ctx.reply(ctx.texts.commands.notHere(called))
      return command.run(ctx, argument)
    }
  return {
    ask: (ctx, call) => ask(services, ctx, call),
    async add(ctx, { attachments = [] }) {
      const { addWhat, adding, addingOwn } = ctx.texts.commands
      if (attachments.length === 0) return ctx.reply(addWhat)
      if (await leavesFiles(services, ctx)) return undefined
      // The receipt is for everybody, like that of a drop.
      await ctx.reply((ctx.conversation.direct ? addingOwn : adding)(attachments.length))
      return services.files.onDrop(ctx, attachments)
    },
    files: asText('files'),
    forget: (ctx, call) =>
      call.target === undefined ? forgetByName(registry, ctx, call) : forgetOfMessage(services, ctx, call.target.id),
    retry: asText('retry'),
    collection: (ctx, call) => collection(registry, ctx, call),
    async model(ctx, call) {
      await asText('model')({ ...ctx, queue: await queueOfModel(services, ctx.conversation) }, call)
    },
    usage: asText('budget'),
    language: asText('language'),
    settings: asText('settings'),
    help: (ctx, call) => asText(call.argument === '' ? 'help' : 'help-more')(ctx, call),
    async save(ctx, { target }) {
      if (target === undefined) return ctx.reply(ctx.texts.conversation.nothingToKeep)
      if (await leavesFiles(services, ctx)) return undefined
      // The receipt is for everybody, like that of a message marked with 📌; but not where Footbridge can't write.
      const isHere = channelKey(target.conversation) === channelKey(ctx.conversation)
      await ctx.reply(isHere ? ctx.texts.commands.saving : ctx.texts.commands.savingElsewhere)
      const sender = isHere ? ctx.senderFor(ctx.conversation, target.id) : ctx.sender
      return services.files.saveMessage({ ...ctx, sender }, target, target)
    },
    translate: (ctx, call) => translate(services, ctx, call),
    connect: (ctx, { argument }) => connect(services, ctx, argument),
    disconnect: (ctx, { argument }) => disconnect(services, ctx, argument),
  }
}

/** Whether no files are collected here; then the person is told so. */
async function leavesFiles({ store, channels }: JobServices, ctx: MessageContext): Promise<boolean> {
  const { conversation, texts } = ctx
  if (await isCollected(store, ctx, await channels.of(conversation))) return false
  await ctx.reply(conversation.direct ? texts.commands.notCollectingOwn : texts.notCollecting)
  return true
}

async function ask(services: JobServices, ctx: MessageContext, { argument, target }: CommandCall): Promise<void> {
  const question = argument.trim() || (target?.text.trim() ?? '')
  if (question === '') return ctx.reply(ctx.texts.commands.askWhat)
  const message = { ...ctx.message, text: question }
  // As for a mention: the question may be in another language than the profile.
  const texts = textsFor(languageOf(message))
  await services.answers.answer({ ...ctx, texts, message }, { question })
}

const forgetByName = (registry: Commands, ctx: MessageContext, { argument }: CommandCall) =>
  argument === '' ? ctx.reply(ctx.texts.commands.forgetWhat) : registry.command('forget').run(ctx, argument)

/** Files that were dropped with a message or saved from it. */
async function forgetOfMessage(services: JobServices, ctx: MessageContext, id: string): Promise<void> {
  const { store } = services
  const { conversation } = ctx
  const job = await store.inbox.ofMessage(messageKey(conversation, id))
  const dropped = job === undefined ? [] : await store.files.ofJob(job.id)
  const answered = await store.outbox.byMessage(conversation, id)
  const received = answered === undefined ? [] : await store.files.ofJob(answered.jobId)
  const all = [...dropped, ...received, ...(await filesSavedFrom(store, conversation, id))]
  const files = new Map<string, FileRecord>()
  for (const file of all) if (file.state !== 'removed' && !files.has(file.fileName)) files.set(file.fileName, file)
  if (files.size === 0) return ctx.reply(ctx.texts.commands.nothingToForget)
  return confirmForgetting(services, ctx, [...files.values()])
}

/** Without an argument: which files are used here. With a channel, or an address in it: uses its files; with `own`: its own again. */
async function collection(registry: Commands, ctx: MessageContext, { argument, channel }: CommandCall): Promise<void> {
  if (argument === '') return registry.command('links').run(ctx, '')
  if (argument === OWN) return registry.command('unlink').run(ctx, '')
  if (URL.canParse(argument)) return registry.command('link').run(ctx, argument)
  return channel === undefined
    ? ctx.reply(ctx.texts.commands.noCollection)
    : registry.command('link').run(ctx, `#${channel.name}`)
}

/** A command has no conversation of its own: its model is for the thread, the direct conversation, or the whole channel. */
async function queueOfModel({ store }: JobServices, conversation: ConversationRef): Promise<string> {
  const { direct, thread } = conversation
  if (direct) return conversationQueue(conversation)
  if (thread === undefined) return channelKey(conversation)
  return (await store.history.queueOf(channelKey(conversation), thread)) ?? conversationQueue(conversation)
}

/** Argument of `collection`: the channel's own files. */
export const OWN = 'own'

/** Translates the message into the language of the person who called. */
async function translate(services: JobServices, ctx: MessageContext, { target }: CommandCall): Promise<void> {
  const { texts, signal, author, log } = ctx
  const text = target?.text.trim() ?? ''
  if (text === '') return ctx.reply(texts.commands.nothingToTranslate)
  const language = author.language ?? languageOf(ctx.message) ?? 'en'
  try {
    const model = await services.models.pick(signal)
    const words = model === EXTRACTIVE ? '' : await translateText(services, model, text, language, signal)
    if (words === '') return await ctx.reply(texts.commands.noTranslator)
    const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
    return await showLong(ctx, `${texts.commands.translated(name)}\n\n${words}`)
  } catch (error) {
    if (signal.aborted) throw error
    log.warn({ err: error }, 'A message could not be translated; whoever asked was told to try again')
    return ctx.reply(texts.commands.noTranslator)
  }
}

async function showLong(ctx: MessageContext, text: string): Promise<void> {
  const { limits } = ctx.adapter
  for (const [index, piece] of splitMarkdown(text, { limit: limits.textLength, measure: limits.measure }).entries()) {
    const slot = index === 0 ? 'command' : `command.${index}`
    await showWhole(ctx.sender, slot, { kind: 'notice', text: piece })
  }
}
