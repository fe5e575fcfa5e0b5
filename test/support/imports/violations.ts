import type { Graph, Import } from './graph.ts'
import { type Rule, RULES } from './rules.ts'

export interface Violation {
  readonly rule: Rule
  readonly from: string
  readonly to: string
}

const fits = (path: string, patterns: readonly string[]) => patterns.some((pattern) => new RegExp(pattern).test(path))

/** Groups of the pattern for the importing file, or undefined where the rule does not concern it. */
function concerns({ path = '', pathNot = [] }: Rule['from'], file: string): readonly string[] | undefined {
  const found = new RegExp(path).exec(file)
  return found === null || fits(file, pathNot) ? undefined : [...found]
}

function forbids({ from, to }: Rule, edge: Import): boolean {
  const groups = concerns(from, edge.from)
  if (groups === undefined) return false
  const fill = (pattern: string) => pattern.replaceAll('$1', groups[1] ?? '')
  return (
    fits(edge.to, [fill(to.path ?? '')]) &&
    !fits(edge.to, (to.pathNot ?? []).map(fill)) &&
    (to.kinds?.includes(edge.kind) ?? true) &&
    !(to.kindsNot?.includes(edge.kind) ?? false)
  )
}

/** One import of each circle, from the file that comes first: a walk that meets a file that it has not left. */
function findCircles({ files, imports }: Graph): readonly Import[] {
  const edges = Map.groupBy(imports, ({ from }) => from)
  const open = new Set<string>()
  const done = new Set<string>()
  const circles: Import[] = []
  const walk = (file: string) => {
    open.add(file)
    for (const edge of edges.get(file) ?? []) {
      if (open.has(edge.to)) circles.push({ ...edge, from: edge.to, to: edge.from })
      else if (!done.has(edge.to)) walk(edge.to)
    }
    open.delete(file)
    done.add(file)
  }
  for (const file of files) if (!done.has(file)) walk(file)
  return circles
}

function findOrphans({ files, imports }: Graph): readonly string[] {
  const joined = new Set(imports.flatMap(({ from, to }) => [from, to]))
  return files.filter((file) => !joined.has(file))
}

/** What the import rule forbids in these files. */
export function findViolations(graph: Graph): readonly Violation[] {
  const circles = findCircles(graph)
  const orphans = findOrphans(graph)
  return RULES.flatMap((rule) => {
    if (rule.from.isOrphan === true)
      return orphans.filter((file) => concerns(rule.from, file)).map((from) => ({ rule, from, to: '' }))
    const edges = rule.to.isCircular === true ? circles : graph.imports
    return edges.filter((edge) => forbids(rule, edge)).map(({ from, to }) => ({ rule, from, to }))
  })
}
