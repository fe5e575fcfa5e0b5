import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { type KeyRing, openKeyRing } from '#platform/engine/api/keys.ts'
import type { KeyScope, Quota } from '#platform/engine/storage/catalog.ts'
import { LIMITS } from '#platform/wire/limits.ts'
import { RATE_LIMIT_WINDOWS } from '#platform/wire/rate-limit.ts'
import { UsageError } from '#start/terminal.ts'
import { toSentence, toTable, toUserSentence } from './print.ts'

/** `keys --help` prints it. */
export const USAGE = `Usage: footbridge keys <command>     (in a checkout: npm run keys -- <command>)
  add <user>            make a key and show it only this once; a new name makes a new user
                        --label <text>  --expires <when>  --email <address>  --name <full name>  and limits
                        --collections <ids>  --tools <names>: only for /mcp, and only for these
  list                  all keys with their users, ends and limits
  expire <id> <when>    change when a key ends
  revoke <id>           end a key now, for good
  limit <id or user>    limit a key, or all keys of a user together; --default sets the usual limits
Limits: --minute --hour --day --month <requests>, or none. A limit that you leave out does not change.
When: 2027-05-21 (from 0:00 UTC on), 90d, 6m (days, months from now), now, never. A new key ends in six months.
`

const LIMIT_OPTIONS = Object.fromEntries(
  RATE_LIMIT_WINDOWS.map((window) => [window, { type: 'string' }]),
) as ParseArgsOptionsConfig
const OPTIONS: ParseArgsOptionsConfig = {
  ...LIMIT_OPTIONS,
  label: { type: 'string' },
  expires: { type: 'string' },
  email: { type: 'string' },
  name: { type: 'string' },
  collections: { type: 'string' },
  tools: { type: 'string' },
  default: { type: 'boolean' },
}

interface Words {
  readonly positionals: readonly string[]
  readonly values: Typed
}

type Command = (ring: KeyRing, words: Words, now: number) => Promise<string>

const COMMANDS: Readonly<
  Record<string, { readonly options: readonly string[]; readonly words: number; readonly run: Command }>
> = {
  add: {
    options: ['label', 'expires', 'email', 'name', 'collections', 'tools', ...RATE_LIMIT_WINDOWS],
    words: 1,
    run: add,
  },
  list: { options: [], words: 0, run: async (ring) => toTable(await ring.list()) },
  expire: { options: [], words: 2, run: expire },
  revoke: { options: [], words: 1, run: revoke },
  limit: { options: ['default', ...RATE_LIMIT_WINDOWS], words: 1, run: limit },
}

/**
 * The `keys` command: works on the data folder or its database, also while the platform runs. Resolves to the text to
 * print.
 *
 * @throws {Error} with a sentence for the person at the terminal
 */
export async function runKeys(
  dataDir: string,
  typed: readonly string[],
  clock: () => number = Date.now,
  databaseUrl?: string,
): Promise<string> {
  const [name = '', ...rest] = typed
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) {
    if (name === '') return USAGE.trimEnd()
    throw new UsageError(`There is no command ${name}.\n${USAGE.trimEnd()}`)
  }
  const words = parse(rest)
  const stray = Object.keys(words.values).find((option) => !command.options.includes(option))
  if (stray !== undefined) throw new Error(`keys ${name} takes no --${stray}.\n${USAGE.trimEnd()}`)
  if (words.positionals.length !== command.words) {
    throw new Error(`keys ${name} takes ${toCount(command.words)}.\n${USAGE.trimEnd()}`)
  }
  const ring = await openKeyRing(dataDir, clock, databaseUrl)
  try {
    return await command.run(ring, words, clock())
  } finally {
    await ring.close()
  }
}

const toCount = (words: number) => (words === 0 ? 'nothing more' : words === 1 ? 'one word' : `${words} words`)

function parse(args: readonly string[]): Words {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS }) as Words
  } catch (error) {
    const why = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new Error(`${why}.\n${USAGE.trimEnd()}`, { cause: error })
  }
}

async function add(ring: KeyRing, { positionals, values }: Words, now: number): Promise<string> {
  const expiresAt = toTime(text(values['expires']) ?? '6m', now)
  if (expiresAt !== null && expiresAt <= now) throw new Error('This end is in the past: choose a later one.')
  const email = text(values['email'])
  const name = text(values['name'])
  const quota = toQuota(values, undefined)
  const { key, listed } = await ring.add({
    user: positionals[0] ?? '',
    label: text(values['label']) ?? '',
    expiresAt,
    about: email === undefined && name === undefined ? undefined : { email, ...(name ? toNames(name) : {}) },
    quota,
    scope: toScope(values),
  })
  return [
    key,
    '',
    `This is key ${listed.row.id}, for ${listed.row.user.name}. It is shown only this once and kept nowhere: note it now.`,
    toSentence(listed),
  ].join('\n')
}

async function expire(ring: KeyRing, { positionals }: Words, now: number): Promise<string> {
  return toSentence(await ring.expire(toId(positionals[0]), toTime(positionals[1] ?? '', now)))
}

async function revoke(ring: KeyRing, { positionals }: Words): Promise<string> {
  return toSentence(await ring.revoke(toId(positionals[0])))
}

async function limit(ring: KeyRing, { positionals, values }: Words): Promise<string> {
  const [word = ''] = positionals
  if (!/^\d+$/.test(word)) return limitUser(ring, word, values)
  const id = toId(word)
  if (values['default'] === true) return toSentence(await ring.limit(id, undefined))
  const before = (await ring.list()).find(({ row }) => row.id === id)?.quota
  const quota = toQuota(values, before)
  if (quota === undefined) throw new Error('Say at least one limit, for example --minute 60, or --default.')
  return toSentence(await ring.limit(id, quota))
}

async function limitUser(ring: KeyRing, name: string, values: Typed): Promise<string> {
  const isReset = values['default'] === true
  if (!isReset && toQuota(values, {}) === undefined)
    throw new Error('Say at least one limit, for example --minute 60, or --default.')
  return toUserSentence(await ring.limitUser(name, (before) => (isReset ? undefined : toQuota(values, before ?? {}))))
}

/** Undefined: a key for everything. */
function toScope({ collections, tools }: Typed): KeyScope | undefined {
  if (collections === undefined && tools === undefined) return undefined
  return { collections: toList('collections', collections), tools: toList('tools', tools) }
}

function toList(option: string, typed: string | boolean | undefined): readonly string[] | undefined {
  const words = text(typed)
    ?.split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  if (words?.length === 0) throw new Error(`--${option}: write at least one, with commas between them.`)
  return words
}

/** Options as they were typed. */
export type Typed = Readonly<Record<string, string | boolean | undefined>>

/** Text of an option that takes one. */
const text = (value: string | boolean | undefined) => (typeof value === 'string' ? value.trim() : undefined)

function toNames(name: string) {
  const [firstName = '', ...surname] = name.split(/\s+/)
  return { firstName, surname: surname.join(' ') }
}

function toId(word: string | undefined): number {
  if (word !== undefined && /^\d{1,9}$/.test(word)) return Number(word)
  throw new Error(`${word ?? ''} is not the number of a key: the list shows them in its first column.`)
}

/** Milliseconds since the epoch, or null for never. Months are those of the calendar. */
function toTime(word: string, now: number): number | null {
  if (word === 'never') return null
  if (word === 'now') return now
  const [, count = '', unit = ''] = /^(\d{1,4})([dm])$/.exec(word) ?? []
  if (unit === 'd') return now + Number(count) * 86_400_000
  if (unit === 'm') return addMonths(now, Number(count))
  const day = /^\d{4}-\d{2}-\d{2}$/.test(word) ? Date.parse(word) : Number.NaN
  // A day beyond the month's end would become one of the next month.
  if (!Number.isNaN(day) && new Date(day).toISOString().startsWith(word)) return day
  throw new Error(`${word} is not a date: write 2027-05-21, 90d, 6m, now or never.`)
}

/** The 31st becomes the last day of a shorter month. */
function addMonths(now: number, months: number): number {
  const date = new Date(now)
  const wanted = (date.getUTCMonth() + months) % 12
  date.setUTCMonth(date.getUTCMonth() + months)
  if (date.getUTCMonth() !== wanted) date.setUTCDate(0)
  return date.getTime()
}

/** Undefined when no limit was typed; without `before` a missing window gets the default limit. */
function toQuota(values: Typed, before: Quota | undefined): Quota | undefined {
  if (RATE_LIMIT_WINDOWS.every((window) => values[window] === undefined)) return undefined
  const quota: { -readonly [Window in keyof Quota]: Quota[Window] } = { ...(before ?? LIMITS.quota) }
  for (const window of RATE_LIMIT_WINDOWS) {
    const word = text(values[window])
    if (word === undefined) continue
    if (word === 'none') delete quota[window]
    else if (/^[1-9]\d{0,8}$/.test(word)) quota[window] = Number(word)
    else throw new Error(`--${window} ${word}: write a number of requests from 1 on, or none.`)
  }
  return quota
}
