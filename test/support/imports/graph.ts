import { existsSync, globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, posix } from 'node:path'
import { parseSync } from 'oxc-parser'
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

/** `import()` of values and of types, which the parser does not list. */
const CALLED = /\bimport\(\s*'([^']+)'/g

function specifiersOf(path: string, text: string): readonly string[] {
  const { module, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} can't be read: ${errors[0]?.message}`)
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...[...text.matchAll(CALLED)].map(([, name = '']) => name),
  ]
}

/** `#lib/lru.ts` as a path from the root. */
function locate(specifier: string, from: string, { imports }: Manifest): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  if (!specifier.startsWith('#')) return undefined
  const slash = specifier.indexOf('/') + 1
  return posix.normalize((imports[`${specifier.slice(0, slash)}*`] ?? '').replace('*', specifier.slice(slash)))
}

function resolve(root: string, from: string, specifier: string, manifest: Manifest): Import {
  if (isBuiltin(specifier)) return { from, to: specifier, kind: 'core' }
  const path = locate(specifier, from, manifest)
  if (path !== undefined) return { from, to: path, kind: existsSync(join(root, path)) ? 'file' : 'nowhere' }
  const name = /^(?:@[^/]+[/])?[^/]+/.exec(specifier)?.[0] ?? specifier
  const to = `node_modules/${name}/${specifier.slice(name.length + 1)}`
  if (!existsSync(join(root, 'node_modules', name))) return { from, to, kind: 'nowhere' }
  return { from, to, kind: Object.hasOwn(manifest.dependencies, name) ? 'package' : 'development' }
}

/** All imports of the product, those of types included. */
export function readGraph(root: string): Graph {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
  const files = globSync('{src,adapters}/**/*.{ts,tsx,js,mjs}', { cwd: root }).toSorted()
  const imports = files.flatMap((from) =>
    specifiersOf(from, readFileSync(join(root, from), 'utf8')).map((name) => resolve(root, from, name, manifest)),
  )
  return { files, imports }
}
