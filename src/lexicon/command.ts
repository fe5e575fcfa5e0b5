import type { CommandName } from './lexicon.ts'
import { oneOf, allPhrases } from './match.ts'

/**
 * A whole text that is this command, in any language.
 *
 * @param rest source of a pattern for the text that may follow the words of the command
 */
export const command = (name: CommandName, rest = ''): RegExp =>
  new RegExp(`^${oneOf(allPhrases('commands', name))}${rest}$`, 'iu')
