import { readFileSync } from 'node:fs'

interface Locked {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly dev?: boolean
}

/** The lock file, as far as it is read here. */
export interface Lock {
  readonly packages: Readonly<Record<string, Locked>>
}

/** Every package of the lock with its licence, by name. */
export const licencesOf = ({ packages }: Lock) =>
  Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version = '', license, dev }]) => ({
      name: path.replace(/^.*node_modules\//, ''),
      version,
      licence: license ?? 'unknown',
      isForTests: dev === true,
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name))

/** `npm run licences`: the packages that run, with their licences. */
if (import.meta.main) {
  const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as Lock
  for (const { name, version, licence, isForTests } of licencesOf(lock)) {
    if (!isForTests) process.stdout.write(`${name} ${version}: ${licence}\n`)
  }
}
