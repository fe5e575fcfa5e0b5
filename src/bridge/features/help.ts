import type { Command } from '../delivery/job-context.ts'
import { say } from '../delivery/reply.ts'

export const help: Command = {
  name: 'help',
  pattern: /^(?:help|hilfe)$/i,
  run: (_, doing) => say(doing, doing.texts.help),
}
