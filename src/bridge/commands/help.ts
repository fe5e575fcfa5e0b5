import type { Command } from '../job-ports.ts'
import { say } from './say.ts'

export const help: Command = {
  name: 'help',
  pattern: /^(?:help|hilfe)$/i,
  run: (_, doing) => say(doing, doing.texts.help),
}
