import { de } from '#lexicon/de.ts'
import { wordsIn } from '#lexicon/match.ts'
import { parseSync } from 'oxc-parser'
import type { TreeRule } from './tree-rules.ts'

/** Rooms of words and of sentences, and Discord's list of commands with their descriptions. Everything else is logic. */
const ROOMS =
  /^src\/lexicon\/|\/texts(?:\/|\.ts$)|^adapters\/web\/page\/(?:english|german)\.ts$|\/discord\/inbound\/command-list\.ts$/
const MAX_PATTERN = 120
const MAX_GERMAN = 1

/** A string, a part of a template, a pattern or a text of JSX. */
interface Literal {
  readonly kind: 'pattern' | 'text'
  readonly text: string
}

const isNode = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function* literalsIn(node: unknown, inPattern = false): Generator<Literal> {
  if (Array.isArray(node)) for (const each of node) yield* literalsIn(each, inPattern)
  if (!isNode(node) || Array.isArray(node)) return
  const { type, regex, value, raw, callee } = node
  const kind = inPattern ? 'pattern' : 'text'
  if (isNode(regex)) yield { kind: 'pattern', text: String(regex['pattern']) }
  else if (type === 'TemplateElement' && isNode(value)) yield { kind, text: String(value['raw']) }
  else if (type === 'JSXText' || (type === 'Literal' && typeof value === 'string')) yield { kind, text: String(raw) }
  const isPattern = inPattern || (type === 'NewExpression' && isNode(callee) && callee['name'] === 'RegExp')
  for (const child of Object.values(node)) yield* literalsIn(child, isPattern)
}

const GERMAN = new Set(wordsIn(de.tells?.short))
const germanIn = (text: string) =>
  new Set(
    (text.toLowerCase().match(/(?<![\p{L}\p{N}#./-])\p{L}+(?![\p{L}\p{N}./])/gu) ?? []).filter((word) =>
      GERMAN.has(word),
    ),
  )

function violationsIn(path: string, source: string): readonly string[] {
  return [...literalsIn(parseSync(path, source).program.body)].flatMap(({ kind, text }) => {
    const shown = `${path}: “${text.slice(0, 60)}”`
    if (kind === 'pattern' && text.length > MAX_PATTERN)
      return [`${shown} has ${text.length} letters, at most ${MAX_PATTERN}; words stand in src/lexicon`]
    if (/(?!\p{ASCII})\p{L}/u.test(text)) return [`${shown} has letters beyond ASCII; words stand in src/lexicon`]
    return germanIn(text).size > MAX_GERMAN ? [`${shown} is German; words stand in src/lexicon`] : []
  })
}

/** By the text of a file: the tree is read for each planted violation. */
const known = new Map<string, readonly string[]>()

/**
 * Words of people's languages are in the lexicon, sentences in texts; a long pattern is a list of words, or several
 * parts.
 */
export const wordsInLexicon: TreeRule = (tree) =>
  tree.paths
    .filter((path) => /^(?:src|adapters)\/.*\.tsx?$/.test(path) && !ROOMS.test(path))
    .flatMap((path) => {
      const source = tree.read(path)
      const found = known.get(`${path}\n${source}`) ?? violationsIn(path, source)
      known.set(`${path}\n${source}`, found)
      return found
    })
