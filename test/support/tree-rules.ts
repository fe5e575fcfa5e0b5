import { dirname, posix } from 'node:path'

/** A tree of source files: paths relative to the repository, and their texts. */
export interface Tree {
  readonly paths: readonly string[]
  read(path: string): string
}

/** Each rule returns one sentence for each violation. */
export type TreeRule = (tree: Tree) => readonly string[]

const isSource = (path: string) => /^(src|adapters)\/.*\.tsx?$/.test(path)
const sourcesOf = ({ paths }: Tree) => paths.filter(isSource)
const nameOf = (path: string) => posix.basename(path).replace(/\.tsx?$/, '')

/** The entries at the top; a file that a test or a command left by mistake is not one. */
const ROOT_ENTRIES = new Set(
  '.ci .dockerignore .env.example .github .gitignore .npmrc .oxfmtrc.json .oxlintrc.json ARCHITECTURE.md CHANGELOG.md CODE_OF_CONDUCT.md CONTRIBUTING.md Dockerfile LICENSE README.md SECURITY.md adapters bench compose.scale.yaml compose.yaml deploy docs knip.jsonc llms.txt package-lock.json package.json server.json src test tsconfig.json vitest.config.ts'.split(
    ' ',
  ),
)

export const rootEntries: TreeRule = ({ paths }) =>
  [...new Set(paths.map((path) => path.split('/')[0] ?? ''))]
    .filter((entry) => !ROOT_ENTRIES.has(entry))
    .map((entry) => `${entry}: not known at the top; move it into a folder, or add it to ROOT_ENTRIES`)

/** Names that say nothing to whoever has not read the file next to them. */
const BANNED = new Set(
  'here told alone given try again drive standing rooms put keep hand say nothing lane lanes memo gap gaps ledger misc util utils helpers common'.split(
    ' ',
  ),
)

export const bannedFileNames: TreeRule = (tree) =>
  sourcesOf(tree)
    .filter((path) => BANNED.has(nameOf(path)))
    .map((path) => `${path}: the name says nothing; name the file after what its main export is or does`)

const MAX_FLAT = 8

/** Files next to sub-folders are the entrance of a folder: more than eight of them hide it. */
export const flatFiles: TreeRule = (tree) => {
  const files = Map.groupBy(sourcesOf(tree), dirname)
  const hasFolders = (folder: string) => [...files.keys()].some((other) => dirname(other) === folder)
  return [...files]
    .filter(([folder, paths]) => paths.length > MAX_FLAT && hasFolders(folder) && folder !== 'src')
    .map(([folder, paths]) => `${folder}: ${paths.length} files beside sub-folders, at most ${MAX_FLAT}`)
}

const MAX_LIB_FILES = 15

export const smallLib: TreeRule = (tree) => {
  const count = sourcesOf(tree).filter((path) => path.startsWith('src/lib/')).length
  return count > MAX_LIB_FILES ? [`src/lib: ${count} files, at most ${MAX_LIB_FILES}`] : []
}

const README_LINES = 15

/** Every folder with three source files or a sub-folder has a README of at most 15 lines that names each of them. */
export const folderReadmes: TreeRule = (tree) =>
  [...entriesByFolder(tree)].flatMap(([folder, entries]) => {
    const path = `${folder}/README.md`
    if (!tree.paths.includes(path)) return entries.size >= 3 ? [`${path} is missing`] : []
    const text = tree.read(path)
    const lines = text.trimEnd().split('\n').length
    const named = new Set(Array.from(text.matchAll(/`([^`]+)`/g), ([, name = '']) => name.replace(/\/$/, '')))
    return [
      ...(lines > README_LINES ? [`${path}: ${lines} lines, at most ${README_LINES}`] : []),
      ...[...entries].filter((entry) => !named.has(entry)).map((entry) => `${path} does not name \`${entry}\``),
      ...[...named]
        .filter((name) => /^[\w.-]+\.tsx?$/.test(name) && !entries.has(name))
        .map((name) => `${path} names \`${name}\`, which is not there`),
    ]
  })

function entriesByFolder(tree: Tree): ReadonlyMap<string, ReadonlySet<string>> {
  const entries = new Map<string, Set<string>>()
  for (const path of sourcesOf(tree)) {
    let entry = path
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      entries.set(folder, (entries.get(folder) ?? new Set()).add(posix.basename(entry)))
      entry = folder
    }
  }
  return entries
}

/** Every path that a page names is in the tree. */
export const namedPaths =
  (page: string): TreeRule =>
  (tree) => {
    const known = new Set(tree.paths.flatMap((path) => [path, ...foldersOf(path)]))
    const named = Array.from(
      tree.read(page).matchAll(/`((?:src|adapters|test|docs|bench)\/[\w./-]+)`/g),
      ([, path = '']) => path.replace(/\/$/, ''),
    )
    return [
      ...(named.length < 25 ? [`${page} names ${named.length} paths: it is not read right`] : []),
      ...named.filter((path) => !known.has(path)).map((path) => `${page} names ${path}, which is not there`),
    ]
  }

function foldersOf(path: string): readonly string[] {
  const folder = dirname(path)
  return folder === '.' ? [] : [folder, ...foldersOf(folder)]
}

const ADAPTER_PORT = 'src/bridge/port/adapter.ts'
const MAX_OPTIONAL_MEMBERS = 10

export const fewOptionalMembers: TreeRule = (tree) => {
  const port = /^export interface Adapter \{$.*?^\}$/ms.exec(tree.read(ADAPTER_PORT))?.[0] ?? ''
  const optional = [...port.matchAll(/^  (?:readonly )?(\w+)\?/gm)].map(([, name = '']) => name)
  return optional.length > 0 && optional.length <= MAX_OPTIONAL_MEMBERS ? [] : [`Adapter: ${optional.join(', ')}`]
}

/** One job context in the bridge: no further shapes of it. */
export const oneJobContext: TreeRule = (tree) =>
  sourcesOf(tree)
    .filter((path) => path.startsWith('src/bridge/'))
    .flatMap((path) =>
      Array.from(
        tree.read(path).matchAll(/^export (?:interface|type) (\w+(?:Run|Doing|Ports))\b/gm),
        ([, name]) => `${path} exports ${name}: pass JobContext, and the services that are used`,
      ),
    )

/** A comment begins with its subject. */
export const commentSubjects: TreeRule = (tree) =>
  sourcesOf(tree).flatMap((path) =>
    Array.from(
      tree
        .read(path)
        .matchAll(
          /(?:\/\/|\/\*\*|\/\*\*\n *\*) +(What|Whatever|Whoever|Of|To whom|By|Under|Nor|Neither|Those|Who) .*/g,
        ),
      ([found]) => `${path}: “${found.slice(0, 60)}” begins without its subject`,
    ),
  )

/** Limits are MAX_ and MIN_, waits TIMEOUT_MS: one word for one thing. */
export const limitNames: TreeRule = (tree) =>
  sourcesOf(tree).flatMap((path) =>
    Array.from(
      tree.read(path).matchAll(/const ((?:MOST|LEAST|LONGEST|LARGEST|FEWEST|FARTHEST|PATIENCE)(?:_\w+)?) /g),
      ([, name]) => `${path}: ${name} is a limit: name it MAX_…, MIN_… or TIMEOUT_MS`,
    ),
  )

const MAX_FACTORY_LINES = 100
const FACTORY_NOTE = '// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods'

/** The lint rule holds functions to 60 lines. A factory of methods may be excused by one note, and has at most 100. */
export const excusedFactories: TreeRule = (tree) =>
  sourcesOf(tree).flatMap((path) => {
    const lines = tree.read(path).split('\n')
    return lines.flatMap((line, index) => {
      if (!line.includes('max-lines-per-function')) return []
      const head = lines[index + 1] ?? ''
      const name = /function (\w+)/.exec(head)?.[1] ?? head.trim()
      if (line.trim() !== FACTORY_NOTE || !/^(create|open)[A-Z]/.test(name))
        return [`${path}: ${name} is excused from the function length, but is no factory`]
      const indent = /^ */.exec(head)?.[0] ?? ''
      const end = lines.findIndex((other, at) => at > index + 1 && other === `${indent}}`)
      const counted = lines.slice(index + 1, end + 1).filter((text) => !/^\s*(\/\/|\/?\*|$)/.test(text)).length
      return counted > MAX_FACTORY_LINES ? [`${path}: ${name} has ${counted} lines, at most ${MAX_FACTORY_LINES}`] : []
    })
  })

/** Counted in a row for each window by SQLite, in one row by PostgreSQL (docs/adr/0017). */
const DECLARED_TWICE = new Set(['fb_quota_count'])

/** A table is declared once, by one CREATE TABLE for both databases. Steps of a release stay: `test/sql/released.test.ts`. */
export const oneSchema: TreeRule = (tree) => {
  const tables = sourcesOf(tree).flatMap((path) =>
    [...tree.read(path).matchAll(/\bCREATE TABLE (\w+) \(/g)].map(([, table = '']) => ({ path, table })),
  )
  return Map.groupBy(tables, ({ table }) => table)
    .values()
    .filter(([first, ...others]) => others.length > 0 && !DECLARED_TWICE.has(first?.table ?? ''))
    .map((all) => `${all.map(({ path }) => path).join(' and ')} declare the table ${all[0]?.table}: one does`)
    .toArray()
}

const IMPORT = /(?:\bfrom|\bimport)(?: |\()(['"])(\.\.?\/[^'"\n]+)\1/g
const ROOTS = ['src', 'adapters', 'test', 'bench']

/** The folder whose files may name each other by relative paths: `src/lib`, `adapters/slack`, `test`. */
function roomOf(path: string): string {
  const parts = path.split('/')
  const isProduct = parts[0] === 'src' || parts[0] === 'adapters'
  return parts.slice(0, isProduct && parts.length > 2 ? 2 : 1).join('/')
}

/** An import says its room (`#lib/lru.ts`) where it leaves its own, or would go up two folders. `architecture.test.ts` plants others. */
export const importForm: TreeRule = (tree) =>
  tree.paths
    .filter(
      (path) =>
        ROOTS.includes(path.split('/')[0] ?? '') && /\.tsx?$/.test(path) && !path.endsWith('architecture.test.ts'),
    )
    .flatMap((path) =>
      Array.from(tree.read(path).matchAll(IMPORT), ([, , target = '']) => target)
        .filter((target) => {
          if (!target.startsWith('../')) return false
          return target.startsWith('../../') || roomOf(posix.join(dirname(path), target)) !== roomOf(path)
        })
        .map((target) => `${path}: imports ${target}; name its room (#lib/…, #bridge/…; package.json, imports)`),
    )
