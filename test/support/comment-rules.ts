import type { TreeRule } from './tree-rules.ts'

/** Forms of a foreign word order, each with the usual ones. */
const BANNED: readonly (readonly [form: RegExp, instead: string])[] = [
  [/\b(?:is|are) none\b/, 'say “is not …” or “has no …”'],
  [/\bof (?:ours|theirs)\b/, 'say “our …”, “their …” or the name'],
  [/\bbut for\b/, 'say “except”'],
  [/\bst(?:ands?|ood)\b/, 'say “is”, or the verb that fits'],
  [/\bbeside\b/, 'say “next to”, “in addition to”, “while … runs”'],
  [/\bbehind\b/, 'say “after”'],
  [/\bso (?:many|long)\b/, 'say “this many”, “for this long”'],
  [/\b(?:thereby|hereby|to be had)\b/, 'say it with a plain verb'],
  [/[.;:] what\b|\b(?:for|of) what\b/i, 'say the noun: “late messages”, not “what comes late”'],
]

/** Rightful uses: “one chunk stands out”, “lags behind”, “so long that …”, names of parameters, and code. */
const ALLOWED =
  /\bstands? (?:out|by)\b|\blags behind\b|\bbehind (?:a|the) (?:proxy|gateway)\b|\bso (?:many|long)\b(?=[^.;:]*\bthat\b)|@param beside\b|`[^`]*`/g

const COMMENT = /(?<=^|[\s{(])\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*(?:\n\s*\/\/ .*)*/gm

const violationsIn = (path: string, source: string): readonly string[] =>
  Array.from(source.matchAll(COMMENT), ([comment]) =>
    comment.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' '),
  ).flatMap((comment) => {
    const text = comment.replaceAll(ALLOWED, '')
    return BANNED.filter(([form]) => form.test(text)).map(
      ([form, instead]) => `${path}: “${comment.slice(0, 80)}” has “${form.exec(text)?.[0]}”: ${instead}`,
    )
  })

/** By path and text: the tree is read for each planted violation. */
const known = new Map<string, readonly string[]>()

/** Comments are plain English: none has one of the banned forms. */
export const plainComments: TreeRule = (tree) =>
  tree.paths
    .filter((path) => /^(?:src|adapters)\/.*\.(?:tsx?|js)$/.test(path))
    .flatMap((path) => {
      const source = tree.read(path)
      const found = known.get(`${path}\n${source}`) ?? violationsIn(path, source)
      known.set(`${path}\n${source}`, found)
      return found
    })
