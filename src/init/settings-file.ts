import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

type Values = Readonly<Record<string, string>>

/** `.env`: its other lines and comments stay as they are. */
export interface SettingsFile {
  readonly path: string
  get(name: string): string | undefined
  /** Writes settings, for the user of the process alone (0600). */
  set(values: Values): void
  /** Keeps half of a pair of settings as a comment: the start does not read it. */
  keep(name: string, value: string): void
  kept(name: string): string | undefined
  /** All that `set` wrote. */
  changes(): Values
}

/** Letters that need no quotes in a `.env` file. */
const PLAIN = /^[\w.:/@%+=,~?&!-]*$/

/** @throws {Error} a sentence, when the value can't be written so that it is read again as it is */
function toLine(name: string, value: string): string {
  const forms = PLAIN.test(value) ? [value] : [`"${value}"`, `'${value}'`, `\`${value}\``]
  const line = forms.map((form) => `${name}=${form}`).find((text) => parseEnv(text)[name] === value)
  if (line === undefined) throw new Error(`${name} has characters that a .env file can't hold: set it otherwise.`)
  return line
}

const isOf = (line: string, name: string) => new RegExp(`^\\s*(?:#\\s*|export\\s+)?${name}\\s*=`).test(line)

/** Puts each line in the place of the last one about the same setting, else at the end. */
function replaceLines(text: string, changed: Values): string {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  for (const [name, line] of Object.entries(changed)) {
    const at = lines.findLastIndex((old) => isOf(old, name))
    if (at === -1) lines.push(line)
    else lines[at] = line
  }
  return `${lines.join('\n')}\n`
}

export function openSettingsFile(path: string): SettingsFile {
  const changed: Record<string, string> = {}
  const read = () => (existsSync(path) ? readFileSync(path, 'utf8') : '')
  function write(text: string): void {
    // A link stays one.
    const target = existsSync(path) ? realpathSync(path) : path
    const beside = `${target}.${process.pid}.tmp`
    try {
      writeFileSync(beside, text, { mode: 0o600, flush: true })
      renameSync(beside, target)
    } finally {
      rmSync(beside, { force: true })
    }
  }
  return {
    path,
    get: (name) => parseEnv(read())[name],
    set(values) {
      const lines = Object.entries(values).map(([name, value]) => [name, toLine(name, value)] as const)
      write(replaceLines(read(), Object.fromEntries(lines)))
      Object.assign(changed, values)
    },
    keep: (name, value) => write(replaceLines(read(), { [name]: `#${toLine(name, value)}` })),
    kept: (name) => parseEnv(read().replace(/^#(?=\w+=)/gm, ''))[name]?.trim() || undefined,
    changes: () => changed,
  }
}
