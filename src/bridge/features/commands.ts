import { keep } from './save.ts'
import { gaps } from './unanswered.ts'
import { askGroup } from './escalation/ask-group.ts'
import { model } from './model.ts'
import type { Command } from '../delivery/job-context.ts'
import { filesOff, filesOn } from './collecting.ts'
import { budget } from './budget.ts'
import { download } from './download.ts'
import { files } from './list-files.ts'
import { forget } from './forget.ts'
import { rebuild } from './rebuild.ts'
import { reindex } from './reindex.ts'
import { retry } from './retry.ts'
import { help } from './help.ts'
import { askIn } from './ask-in.ts'
import { link, links, unlink } from './link.ts'

const COMMANDS: readonly Command[] = [
  help,
  filesOn,
  filesOff,
  files,
  forget,
  retry,
  download,
  reindex,
  rebuild,
  link,
  unlink,
  links,
  askIn,
  budget,
  model,
  gaps,
  askGroup,
  keep,
]

export interface ParsedCommand {
  readonly name: string
  readonly argument: string
}

/** The command that this text is, if it is one. */
export function parseCommand(text: string): ParsedCommand | undefined {
  const trimmed = text.trim()
  for (const { name, pattern } of COMMANDS) {
    const match = pattern.exec(trimmed)
    if (match !== null) return { name, argument: match[1]?.trim() ?? '' }
  }
  return undefined
}

/** @throws {Error} for a name that `parseCommand` never gives. */
export function commandOf(name: string): Command {
  const found = COMMANDS.find((command) => command.name === name)
  if (found === undefined) throw new Error(`There is no command ${name}.`)
  return found
}
