/**
 * Renders the templates of a Helm chart, as far as ours uses the language: no Helm is needed, and none is proved by it.
 * Whatever else stands in a template is refused, so that nothing is rendered in another way than Helm would.
 */
import { stringify } from 'yaml'

type Value = unknown
type Scope = Readonly<Record<string, Value>>
type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'show'; readonly code: string }
  | { readonly kind: 'if'; readonly code: string; readonly body: readonly Node[]; readonly otherwise: readonly Node[] }
  | { readonly kind: 'range'; readonly names: readonly string[]; readonly code: string; readonly body: readonly Node[] }
  | { readonly kind: 'define'; readonly name: string; readonly body: readonly Node[] }

/** A piece of the template: text, or what stands between braces. */
interface Piece {
  readonly text: string
  readonly isCode: boolean
}

/** A dash beside a brace takes the white space there away. */
function split(template: string): readonly Piece[] {
  const pieces: Piece[] = []
  let rest = template
  for (let trims = false; rest !== '';) {
    const found = /\{\{(-?)\s*([\s\S]*?)\s*(-?)\}\}/.exec(rest)
    const before = rest.slice(0, found?.index ?? rest.length)
    const left = trims ? before.trimStart() : before
    pieces.push({ text: found?.[1] === '-' ? left.trimEnd() : left, isCode: false })
    if (found === null) break
    pieces.push({ text: found[2] ?? '', isCode: true })
    trims = found[3] === '-'
    rest = rest.slice(found.index + found[0].length)
  }
  return pieces
}

function parse(pieces: Piece[], isInner: boolean): { readonly nodes: readonly Node[]; readonly end: string } {
  const nodes: Node[] = []
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    const { text, isCode } = piece
    const [word = ''] = text.split(' ')
    const code = text.slice(word.length).trim()
    if (!isCode) nodes.push({ kind: 'text', text })
    else if (word === 'end' || word === 'else') return { nodes, end: word }
    else if (word === 'if') {
      const body = parse(pieces, true)
      const otherwise = body.end === 'else' ? parse(pieces, true).nodes : []
      nodes.push({ kind: 'if', code, body: body.nodes, otherwise })
    } else if (word === 'range') {
      const [names = '', over = ''] = code.split(':=')
      nodes.push({
        kind: 'range',
        names: names.split(',').map((name) => name.trim()),
        code: over.trim(),
        body: parse(pieces, true).nodes,
      })
    } else if (word === 'define')
      nodes.push({ kind: 'define', name: JSON.parse(code) as string, body: parse(pieces, true).nodes })
    else nodes.push({ kind: 'show', code: text })
  }
  if (isInner) throw new SyntaxError('An end is missing')
  return { nodes, end: '' }
}

const isTrue = (value: Value): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)
/** A list or a map in the midst of text would be written in Go's own form. */
function show(value: Value): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`
  throw new SyntaxError('A list or a map is shown by toYaml')
}
const indent = (text: string, count: number) => text.replaceAll(/^/gm, ' '.repeat(count))

/** Words of an expression; what is in brackets is one word. */
function wordsOf(code: string): readonly string[] {
  const words: string[] = []
  let rest = code.trim()
  while (rest !== '') {
    const [word = ''] = /^(?:"(?:[^"\\]|\\.)*"|\((?:[^()]|\([^()]*\))*\)|\||[^\s()|]+)/.exec(rest) ?? []
    if (word === '') throw new SyntaxError(`Not understood: ${code}`)
    words.push(word)
    rest = rest.slice(word.length).trimStart()
  }
  return words
}

export interface Chart {
  /** Texts by file name; names that begin with _ only define. */
  readonly templates: Readonly<Record<string, string>>
  readonly values: Scope
  readonly release: string
  readonly appVersion: string
}

/**
 * The documents of each template.
 *
 * @throws {Error} what `fail` says, and {SyntaxError} for what is not understood
 */
export function renderChart({ templates, values, release, appVersion }: Chart): Readonly<Record<string, string>> {
  const root: Scope = { Values: values, Release: { Name: release }, Chart: { AppVersion: appVersion } }
  const parsed = Object.entries(templates).map(([name, text]) => [name, parse([...split(text)], false).nodes] as const)
  const defined = new Map(
    parsed.flatMap(([, nodes]) =>
      nodes.flatMap((node) => (node.kind === 'define' ? [[node.name, node.body] as const] : [])),
    ),
  )
  const functions: Readonly<Record<string, (...given: readonly Value[]) => Value>> = {
    include: (name) => draw(defined.get(String(name)) ?? refuse(`No template ${String(name)}`), {}),
    quote: (value) => JSON.stringify(String(value)),
    default: (otherwise, value) => (isTrue(value) ? value : otherwise),
    toYaml: (value) => stringify(value).trimEnd(),
    nindent: (count, text) => `\n${indent(String(text), Number(count))}`,
    int: Number,
    not: (value) => !isTrue(value),
    and: (...all) => all.find((value) => !isTrue(value)) ?? all.at(-1),
    gt: (one, other) => Number(one) > Number(other),
    fail: (sentence) => refuse(String(sentence)),
  }
  const read = (word: string, variables: Scope): Value => {
    if (word === '.') return root
    if (/^\d+$/.test(word)) return Number(word)
    if (word.startsWith('"')) return JSON.parse(word) as string
    if (word.startsWith('(')) return evaluate(word.slice(1, -1), variables)
    if (word.startsWith('$')) return variables[word] ?? refuse(`No variable ${word}`)
    if (!/^(?:\.\w+)+$/.test(word)) throw new SyntaxError(`Not understood: ${word}`)
    return word
      .slice(1)
      .split('.')
      .reduce<Value>((at, key) => (at as Scope | undefined)?.[key], root)
  }
  function evaluate(code: string, variables: Scope): Value {
    const calls = wordsOf(code).reduce<string[][]>(
      (all, word) => (word === '|' ? [...all, []] : [...all.slice(0, -1), [...(all.at(-1) ?? []), word]]),
      [[]],
    )
    return calls.reduce<{ readonly value?: Value }>((piped, [name = '', ...words]) => {
      const given = [...words.map((word) => read(word, variables)), ...('value' in piped ? [piped.value] : [])]
      const call = Object.hasOwn(functions, name) ? functions[name] : undefined
      if (call !== undefined) return { value: call(...given) }
      if (given.length > 0) throw new SyntaxError(`No function ${name}`)
      return { value: read(name, variables) }
    }, {}).value
  }
  const draw = (nodes: readonly Node[], variables: Scope): string =>
    nodes.map((node) => drawNode(node, variables)).join('')
  function drawNode(node: Node, variables: Scope): string {
    if (node.kind === 'text') return node.text
    if (node.kind === 'show') return show(evaluate(node.code, variables))
    if (node.kind === 'if') return draw(isTrue(evaluate(node.code, variables)) ? node.body : node.otherwise, variables)
    if (node.kind === 'define') return ''
    const [first = '', second] = node.names
    const over = evaluate(node.code, variables) ?? {}
    const entries = Object.entries(over)
    // Helm goes through a map by the order of its keys.
    return (Array.isArray(over) ? entries : entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
      .map(([key, value]) =>
        draw(node.body, { ...variables, ...(second ? { [first]: key, [second]: value } : { [first]: value }) }),
      )
      .join('')
  }
  return Object.fromEntries(
    parsed.filter(([name]) => !name.startsWith('_')).map(([name, nodes]) => [name, draw(nodes, {})]),
  )
}

function refuse(sentence: string): never {
  throw new Error(sentence)
}
