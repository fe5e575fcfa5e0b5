import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Exported = string | null | readonly Exported[] | { readonly [key: string]: Exported }

interface Manifest {
  readonly exports?: Exported
  readonly types?: string
  readonly typings?: string
  readonly main?: string
}

const FOR_NODE: ReadonlySet<string> = new Set(['import', 'module-sync', 'node', 'default'])
const FOR_TYPES: ReadonlySet<string> = new Set(['types', ...FOR_NODE])

/** Targets whose conditions hold, in their order. */
function targetsOf(exported: Exported, conditions: ReadonlySet<string>): readonly string[] {
  if (exported === null) return []
  if (typeof exported === 'string') return [exported]
  const taken = Object.entries(exported).filter(([key]) => Array.isArray(exported) || conditions.has(key))
  return taken.flatMap(([, one]) => targetsOf(one, conditions))
}

/** Targets of a part such as `.` and `./hooks`; one key may stand for many by its `*`. */
function find(exported: Exported, part: string, conditions: ReadonlySet<string>): readonly string[] {
  const isMap = exported !== null && typeof exported === 'object' && Object.keys(exported).some((key) => key[0] === '.')
  if (!isMap) return part === '.' ? targetsOf(exported, conditions) : []
  const entries = Object.entries(exported)
  const exact = entries.find(([key]) => key === part)
  if (exact !== undefined) return targetsOf(exact[1], conditions)
  for (const [key, one] of entries) {
    const [start = '', end] = key.split('*')
    if (end === undefined || !part.startsWith(start) || !part.endsWith(end)) continue
    const star = part.slice(start.length, part.length - end.length)
    return targetsOf(one, conditions).map((target) => target.replaceAll('*', star))
  }
  return []
}

/** Types without a name stand beside the program. */
const toTypes = (path: string) => (/[.]d[.][cm]?ts$/.test(path) ? path : path.replace(/[.]([cm]?)js$/, '.d.$1ts'))

/**
 * Tells whether the program and the types of an imported part of a package are missing. Node takes the first file that a
 * package names for it, the compiler the first that exists, else those of `@types`.
 *
 * @param path such as `node_modules/preact/hooks`
 */
export function findMissing(root: string, path: string): readonly string[] {
  const [, folder = '', name = '', part = ''] = /^(node_modules[/]((?:@[^/]+[/])?[^/]+))[/]?(.*)$/.exec(path) ?? []
  const isThere = (...parts: readonly string[]) => existsSync(join(root, ...parts))
  const {
    exports,
    types,
    typings,
    main = 'index.js',
  } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
  const key = part === '' ? '.' : `./${part}`
  const named = exports ?? { [key]: part === '' ? main : part }
  const [program] = find(named, key, FOR_NODE)
  const typed = [...find(named, key, FOR_TYPES), ...(part === '' ? [types, typings] : [])]
  const hasTypes =
    typed.some((one) => one !== undefined && isThere(folder, toTypes(one))) ||
    isThere('node_modules/@types', name.replace('@', '').replace('/', '__'))
  return [
    ...(program !== undefined && isThere(folder, program) ? [] : [`program of ${path}`]),
    ...(hasTypes ? [] : [`types of ${path}`]),
  ]
}
