import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runKeys } from '#keys/command.ts'
import { createEngine } from '#platform/engine/engine.ts'
import { createLogSink } from '../platform/server/platform.ts'

describe('the keys command', () => {
  let dataDir: string
  let now: number
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'footbridge-keys-'))
    now = Date.UTC(2026, 10, 21, 12)
  })
  afterEach(() => rm(dataDir, { recursive: true, force: true }))

  const keys = (...words: string[]) => runKeys(dataDir, words, () => now)
  const lines = async (...words: string[]) => (await keys(...words)).split('\n')
  const add = async (...words: string[]) => (await lines('add', ...words))[0] ?? ''

  it('says how it is used', async () => {
    expect(await keys()).toMatch(/^Usage: footbridge keys <command>.*\n {2}add /)
    await expect(keys('steal')).rejects.toThrow(/^There is no command steal\.\nUsage/)
    await expect(keys('constructor')).rejects.toThrow(/^There is no command constructor/)
  })

  it('shows a key once, with its number, owner, end and limits, and keeps no more than its hash', async () => {
    const [key = '', blank, who, how] = await lines('add', 'anna', '--label', 'laptop')
    expect(key).toMatch(/^fb-[\w-]{43}$/)
    expect([blank, who, how]).toEqual([
      '',
      'This is key 1, for anna. It is shown only this once and kept nowhere: note it now.',
      'Key 1 of anna ends on 2027-05-21 at 12:00 UTC. Requests a minute/hour/day/month: 30/200/1000/3000.',
    ])
    for (const file of ['platform.sqlite', 'platform.sqlite-wal']) {
      const bytes = await readFile(join(dataDir, 'platform', file), 'latin1').catch(() => '')
      expect(bytes).not.toContain(key)
    }
  })

  it('makes a key for agents only, for collections that are there and tools that there are', async () => {
    await keys('add', 'anna')
    const refused = keys('add', 'anna', '--collections', 'plans')
    await expect(refused).rejects.toThrow('There is no collection anna/plans: make it first.')
    await expect(keys('add', 'anna', '--tools', 'search,delete')).rejects.toThrow(
      'There is no tool delete. Tools: search,',
    )
    await expect(keys('add', 'anna', '--tools', ' ,')).rejects.toThrow('--tools: write at least one')
    const engine = await createEngine({ log: createLogSink().log, dataDir })
    const local = await engine.identify(engine.firstKey.key)
    for (const name of ['plans', 'Pläne 2027'])
      if (local !== undefined) await engine.collections.create(local.user, name)
    await engine.close()
    await expect(keys('add', 'anna', '--collections', 'x/local/plans')).rejects.toThrow(
      'x/local/plans names no collection: write <owner>/<name>, or the name alone.',
    )
    const made = await lines('add', 'anna', '--collections', 'local/plans', '--tools', 'search, fetch')
    expect(made.at(-1)).toMatch(/ For agents only \(\/mcp\): local\/plans; search, fetch\.$/)
    // Terminals may send a letter and its dots apart.
    const spaced = await lines('add', 'anna', '--collections', 'local/plans, local/Pläne 2027'.normalize('NFD'))
    expect(spaced.at(-1)).toContain(' local/plans, local/Pläne 2027; all tools.')
    expect((await lines('add', 'anna', '--tools', 'ask')).at(-1)).toMatch(/: all collections; ask\.$/)
  })

  it('lists keys without showing them', async () => {
    expect(await keys('list')).toBe('There are no keys yet: the first one is made when the platform starts.')
    const key = await add('anna', '--label', 'laptop', '--expires', '30d')
    await add('berta', '--expires', 'never', '--minute', 'none', '--hour', '7')
    const list = await lines('list')
    expect(list.map((line) => line.split(/ {2,}/))).toEqual([
      ['id', 'user', 'key', 'label', 'made', 'ends', 'minute/hour/day/month', 'used this month'],
      ['1', 'anna', `${key.slice(0, 8)}…`, 'laptop', '2026-11-21', '2026-12-21', '30/200/1000/3000', '0'],
      ['2', 'berta', expect.any(String), '–', '2026-11-21', 'never', 'none/7/1000/3000', '0'],
    ])
    expect(list.join('\n')).not.toContain(key)
  })

  it('makes a user once, with an address and a name where they are given', async () => {
    await add('anna', '--email', 'anna@example.org', '--name', 'Anna Maria Lund')
    await add('anna')
    await expect(keys('add', 'anna', '--email', 'other@example.org')).rejects.toThrow('is there already')
    const database = new DatabaseSync(join(dataDir, 'platform', 'platform.sqlite'))
    expect(database.prepare('SELECT name, email, first_name, surname FROM fb_user').all()).toEqual([
      { name: 'anna', email: 'anna@example.org', first_name: 'Anna', surname: 'Maria Lund' },
    ])
    database.close()
  })

  it('limits all keys of a user together', async () => {
    await add('anna')
    expect(await keys('limit', 'anna', '--day', '500')).toBe(
      'All keys of anna together: requests a minute/hour/day/month: none/none/500/none.',
    )
    expect(await keys('limit', 'anna', '--minute', '60')).toContain('60/none/500/none')
    expect((await lines('list'))[1]).toContain('30/200/1000/3000, together 60/none/500/none')
    expect(await keys('limit', 'anna', '--default')).toBe(
      'All keys of anna together have no limit; each key has its own.',
    )
    await expect(keys('limit', 'anna')).rejects.toThrow('Say at least one limit')
    await expect(keys('limit', 'nobody', '--day', '5')).rejects.toThrow('There is no user nobody')
  })

  it.each(['', 'a/b', 'a b', '-a', 'a\u0000', 'ü', 'x'.repeat(65)])('takes no user named %j', async (name) => {
    await expect(keys('add', '--', name)).rejects.toThrow(/^A user name has 1 to 64 letters/)
  })

  it('understands days, months of the calendar, dates, now and never, and nothing else', async () => {
    await add('anna')
    const end = async (when: string) =>
      /(?:ends on (\S+ at \S+)|(has no end|has ended))/
        .exec(await keys('expire', '1', when))
        ?.slice(1)
        .join('')
    now = Date.UTC(2026, 7, 31, 8)
    expect(await end('6m')).toBe('2027-02-28 at 08:00')
    expect(await end('90d')).toBe('2026-11-29 at 08:00')
    expect(await end('2030-01-02')).toBe('2030-01-02 at 00:00')
    expect(await end('never')).toBe('has no end')
    expect(await end('now')).toBe('has ended')
    for (const word of ['', 'soon', '1w', '2026-13-01', '-1d', '2026-1-1']) {
      await expect(keys('expire', '--', '1', word)).rejects.toThrow(/is not a date: write /)
    }
    await expect(keys('add', 'anna', '--expires', '2020-01-01')).rejects.toThrow('end is in the past')
    await expect(keys('add', 'anna', '--expires', '2027-02-31')).rejects.toThrow('is not a date')
  })

  it('revokes for good', async () => {
    await add('anna')
    expect(await keys('revoke', '1')).toBe('Key 1 of anna is revoked: the next request with it is refused.')
    now += 86_400_000
    await keys('revoke', '1')
    expect(await keys('list')).toContain('revoked 2026-11-21')
    await expect(keys('expire', '1', 'never')).rejects.toThrow('Key 1 was revoked, for good: add another one.')
  })

  it('sets limits window by window, and takes them back', async () => {
    await add('anna', '--minute', '60')
    expect(await keys('limit', '1', '--day', 'none')).toContain(': 60/200/none/3000.')
    expect(await keys('limit', '1', '--minute', '5')).toContain(': 5/200/none/3000.')
    expect(await keys('limit', '1', '--default')).toContain(': 30/200/1000/3000.')
    for (const word of ['0', '-1', '1.5', 'many', '']) {
      await expect(keys('limit', '1', `--minute=${word}`)).rejects.toThrow('write a number of requests from 1 on')
    }
    await expect(keys('limit', '1')).rejects.toThrow('Say at least one limit')
  })

  it('answers what it cannot do with a sentence', async () => {
    await expect(keys('revoke', '9')).rejects.toThrow('There is no key 9: the list shows which there are.')
    await expect(keys('revoke', 'anna')).rejects.toThrow('anna is not the number of a key')
    await expect(keys('revoke')).rejects.toThrow(/^keys revoke takes one word\.\nUsage/)
    await expect(keys('list', '--label', 'x')).rejects.toThrow(/^keys list takes no --label\./)
    await expect(keys('add', 'anna', '--colour')).rejects.toThrow(/^Unknown option '--colour'\.\nUsage/)
  })

  it('leaves the first key to the platform, but for its limits', async () => {
    const engine = await createEngine({ dataDir, log: createLogSink().log })
    await expect(keys('revoke', '1')).rejects.toThrow(/is the first key.*delete the file platform-key/)
    await expect(keys('expire', '1', '1d')).rejects.toThrow('is the first key')
    expect(await keys('limit', '1', '--minute', '9')).toContain('9/100000/1000000/10000000')
    await engine.close()
  })

  it('leaves the schema alone while a process of another version runs', async () => {
    const engine = await createEngine({ dataDir, log: createLogSink().log })
    const database = new DatabaseSync(join(dataDir, 'platform', 'platform.sqlite'))
    database.exec('PRAGMA user_version = 0')
    database.close()
    await expect(keys('list')).rejects.toThrow(/already running on/)
    await engine.close()
  })
})
