import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, posix } from 'node:path'
import { type Expression, parseSync, Visitor } from 'oxc-parser'
import type { Kind } from './rules.ts'

export interface Import {
  readonly from: string
  /** A path in the repository, packages below `node_modules`; of Node, and of nothing, as it is written. */
  readonly to: string
  readonly kind: Kind
}

export interface Graph {
  readonly files: readonly string[]
  readonly imports: readonly Import[]
}

interface Manifest {
  readonly imports: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
}

/** Specifiers of one file as they are written. A computed one says nothing. */
function specifiersOf(path: string, text: string): readonly string[] {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} can't be read: ${errors[0]?.message}`)
  const found: string[] = []
  const add = ({ source }: { readonly source: Expression | null }) => {
    if (source?.type === 'Literal' && typeof source.value === 'string') found.push(source.value)
    if (source?.type === 'TemplateLiteral' && source.expressions.length === 0)
      found.push(source.quasis[0]?.value.cooked ?? '')
  }
  const visitor = new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add,
  })
  visitor.visit(program)
  return found
}

/** `#lib/lru.ts` as a path from the root; the specifier itself where no line of `imports` has its beginning. */
function locate(specifier: string, from: string, { imports }: Manifest): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  if (!specifier.startsWith('#')) return undefined
  const slash = specifier.indexOf('/') + 1
  const target = imports[`${specifier.slice(0, slash)}*`]
  return target === undefined ? specifier : posix.normalize(target.replace('*', specifier.slice(slash)))
}

function resolve(root: string, from: string, specifier: string, manifest: Manifest): Import {
  if (isBuiltin(specifier)) return { from, to: specifier, kind: 'core' }
  const path = locate(specifier, from, manifest)
  if (path !== undefined) {
    const isFile = statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true
    return { from, to: path, kind: isFile ? 'file' : 'nowhere' }
  }
  const name = /^(?:@[^/]+[/])?[^/]+/.exec(specifier)?.[0] ?? specifier
  const to = `node_modules/${name}/${specifier.slice(name.length + 1)}`
  if (!existsSync(join(root, 'node_modules', name))) return { from, to, kind: 'nowhere' }
  return { from, to, kind: Object.hasOwn(manifest.dependencies, name) ? 'package' : 'development' }
}

/** All imports of these folders, those of types included; default: of the product. */
export function readGraph(root: string, folders = '{src,adapters}'): Graph {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
  const files = globSync(`${folders}/**/*.{ts,tsx,js,mjs}`, { cwd: root }).toSorted()
  const imports = files.flatMap((from) =>
    specifiersOf(from, readFileSync(join(root, from), 'utf8')).map((name) => resolve(root, from, name, manifest)),
  )
  return { files, imports }
}
