import type { Message } from '../port/message.ts'

/** Commands that are German words. */
const COMMANDS =
  /^(?:dateien|vergiss|herunterladen|wiederhole|hilfe|lücken|offene fragen|kontingente?|modelle?|neu indizieren|wieder aufbauen|behalte?|frag (?:in|gruppe))(?!\p{L})/iu

const WORDS: Readonly<Record<string, RegExp>> = {
  de: /(?<!\p{L})(?:der|das|ist|sind|und|nicht|wie|wann|welche[rsnm]?|warum|wieso|wo|wer|ich|wir|eine?[nm]?|für|mit|zum|zur|gibt|kann|können|muss|hat|haben|bitte|hallo|danke)(?!\p{L})/giu,
  en: /(?<!\p{L})(?:the|is|are|and|not|how|when|which|why|where|who|what|i|we|an?|for|with|to|of|can|must|has|have|does|do|please|hello|thanks)(?!\p{L})/giu,
}

/**
 * The language in which somebody is spoken to: what the service tells, else what the small words of the message are of.
 * Undefined where neither tells.
 */
export function languageOf({ author, text }: Pick<Message, 'author' | 'text'>): string | undefined {
  if (author.language !== undefined) return author.language
  const count = (pattern: RegExp | undefined) => (pattern && text.match(pattern)?.length) ?? 0
  const german = count(WORDS['de']) + count(COMMANDS)
  const english = count(WORDS['en'])
  if (german === english) return undefined
  return german > english ? 'de' : 'en'
}
