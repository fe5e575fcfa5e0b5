import { isMap, parseDocument } from 'yaml'

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?<yaml>[\s\S]*?)(?<=\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/

/** Longer than any real one: beyond it the rule at the top is taken for a rule. */
const MAX_LENGTH = 65_536

const KEY_LINE = /^[\w."'-][\w\s."'-]*:(?:\s|$)/m

/**
 * Length of the YAML front matter at the start of a markdown text, closing line included; 0 without one. The YAML is
 * only looked at, never run and never expanded (no aliases, no tags): a thematic break followed by prose is no front matter.
 */
export function frontMatterLength(text: string): number {
  const match = FRONT_MATTER.exec(text.slice(0, MAX_LENGTH))
  if (match === null) return 0
  const yaml = match.groups?.['yaml'] ?? ''
  if (yaml.trim() === '') return match[0].length
  const document = parseDocument(yaml, { logLevel: 'silent' })
  // Faulty YAML that has keys was still meant as front matter: showing it would be worse than leaving it out.
  const meant = isMap(document.contents) || (document.errors.length > 0 && KEY_LINE.test(yaml))
  return meant ? match[0].length : 0
}
