import { command } from '#lexicon/command.ts'
import { allPhrases } from '#lexicon/match.ts'
import { wording } from '#lexicon/wording.ts'
import { trimInvisible } from '#lib/unicode.ts'
import type { Adapter } from '../port/adapter.ts'
import { createAccess } from './channels/access.ts'
import { createAskIn } from './channels/ask-in.ts'
import { createBudgetCommand } from './channels/budget.ts'
import { createCollecting } from './files/collecting.ts'
import { createDownload } from './files/download.ts'
import { createAskPeople } from './escalation/ask-people.ts'
import { createSaveReply } from './escalation/save-reply.ts'
import type { Button, Command, Feature, JobServices } from './feature.ts'
import { createFileActions } from './files/file-actions.ts'
import { createForget } from './files/forget.ts'
import { createChannelLinking } from './channels/link.ts'
import { createSettingsFeature } from './channels/settings.ts'
import { createFileList } from './files/list-files.ts'
import { createModelChoice } from './channels/model.ts'
import { createRebuild, createReindex } from './files/renew-collection.ts'
import { createNewConversation } from './answers/new-conversation.ts'
import { createRetryJob } from './answers/retry-job.ts'
import { createRewrite } from './answers/rewrite.ts'
import { createSave } from './files/save.ts'
import { createShare } from './answers/share.ts'
import { createUnanswered } from './answers/unanswered.ts'
import { createVoiceMessages } from './answers/voice-messages.ts'
import { createPassages } from './answers/passages.ts'
import { createVote } from './answers/vote.ts'

/** All commands and buttons. */
export interface Registry {
  /** The command in this text, if it is one. */
  readonly parse: (text: string) => ParsedCommand | undefined
  /** @throws {Error} for an unknown name */
  command(name: string): Command
  find(name: string): Command | undefined
  /** Undefined: a button of an older version, or of another program. */
  button(id: string): Button | undefined
}

export interface ParsedCommand {
  readonly name: string
  readonly argument: string
}

const ASKS_FOR_HELP = wording(allPhrases('requests', 'help'))

/** A service without kinds of people has one person: nobody is mentioned or admitted there. */
const isAlone = ({ adapter }: { readonly adapter: Adapter }) => adapter.people === undefined

const HELP: Feature = {
  commands: [
    { name: 'help', pattern: ASKS_FOR_HELP, run: (ctx) => ctx.reply(ctx.texts.help(isAlone(ctx))) },
    { name: 'help-more', pattern: command('helpMore'), run: (ctx) => ctx.reply(ctx.texts.helpMore(isAlone(ctx))) },
  ],
}

export function createRegistry(services: JobServices): Registry {
  const features: readonly Feature[] = [
    HELP,
    createCollecting(services),
    createFileList(services),
    createForget(services),
    createFileActions(services),
    createDownload(services),
    createReindex(services),
    createRebuild(services),
    createAccess(services),
    createSettingsFeature(services),
    createChannelLinking(services),
    createAskIn(services),
    createBudgetCommand(services),
    createModelChoice(services),
    createUnanswered(services),
    createSave(services),
    createNewConversation(services),
    createVote(services),
    createPassages(services),
    createRewrite(services),
    createRetryJob(services),
    createShare(services),
    createVoiceMessages(services),
    createAskPeople(services),
    createSaveReply(services),
  ]
  const commands = features.flatMap((feature) => feature.commands ?? [])
  const buttons = new Map(features.flatMap((feature) => feature.buttons ?? []).map((button) => [button.id, button]))
  const find = (name: string) => commands.find((known) => known.name === name)
  return {
    parse(text) {
      const trimmed = trimInvisible(text)
      for (const { name, pattern } of commands) {
        const match = pattern.exec(trimmed)
        if (match !== null) return { name, argument: match[1]?.trim() ?? '' }
      }
      return undefined
    },
    find,
    command(name) {
      const found = find(name)
      if (found === undefined) throw new Error(`There is no command ${name}.`)
      return found
    },
    button: (id) => buttons.get(id),
  }
}
