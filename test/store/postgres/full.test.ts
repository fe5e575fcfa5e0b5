/** The disk of PostgreSQL is really full: its tables lie in a small file system that is filled. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { openPostgresStore } from '#store/postgres/open-store.ts'
import { eventually } from '#test/support/eventually.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { PATIENCE_MS } from '#test/support/patience.ts'
import { startCluster } from '#test/support/postgres/cluster.ts'
import { findOwner } from '#test/support/postgres/programs.ts'
import { said } from '../contract/said.ts'

const run = (program: string, ...words: readonly string[]) => execFileSync(program, words, { stdio: 'pipe' })

/** A file system of 64 MB for the server's user; undefined: this machine does not let us mount one. */
function mountSmall(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-full-'))
  try {
    run('mount', '-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder)
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
  mkdirSync(join(folder, 'space'))
  const owner = findOwner()
  if (owner !== undefined) chownSync(join(folder, 'space'), owner.uid, owner.gid)
  return folder
}

function fill(path: string): void {
  for (const bytes of [1_000_000, 4096, 1]) {
    try {
      for (;;) appendFileSync(path, new Uint8Array(bytes))
    } catch {
      // The next smaller pieces fill what is left.
    }
  }
}

/** A database of which the tables lie on a small disk, and a store on it. */
async function openOn(small: string) {
  const cluster = await startCluster()
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-store-'))
  const client = new Client({ connectionString: cluster.url })
  onTestFinished(async () => {
    await client.end()
    await cluster.remove()
    run('umount', '-l', small)
    for (const folder of [small, directory]) rmSync(folder, { recursive: true, force: true })
  })
  await client.connect()
  await client.query(`CREATE TABLESPACE small LOCATION '${join(small, 'space')}'`)
  await client.query('CREATE DATABASE small TABLESPACE small')
  const address = new URL(cluster.url)
  address.pathname = '/small'
  const store = await openPostgresStore(address.href, directory, createLogSink())
  onTestFinished(() => store.close())
  return store
}

it(
  'PostgreSQL without space is told as such until it has space again; what waits goes on, and nothing is lost',
  async (context) => {
    const small = mountSmall()
    context.skip(small === undefined, 'a small file system cannot be mounted here: only root may')
    const folder = small ?? ''
    const { inbox, room } = await openOn(folder)
    let serial = 0
    /** Events of some size, as those of people with long questions. */
    const accept = async () => {
      const text = Buffer.from(crypto.getRandomValues(new Uint8Array(6000))).toString('base64')
      const inbound = said(`event-${(serial += 1)}`, { text })
      const { stored } = await inbox.accept(inbound, { queue: 'q', dueAt: 1, now: 1 })
      await stored
      return inbound.key
    }
    const kept: string[] = []
    const keep = async () => void kept.push(await accept())
    const filler = join(folder, 'filler')
    for (let round = 0; round < 3; round += 1) {
      fill(filler)
      const failure = await eventually(() => keep().catch((error: unknown) => error))
      expect(room.failed(failure)).toMatchObject({ message: expect.stringMatching(/The disk is full \(PostgreSQL/) })
      // Some looks later it is still so.
      for (let look = 0; look < 4; look += 1) {
        await sleep(600)
        expect(await room.trouble()).toMatch(/free some space/)
      }
      const waiting = keep().catch(keep)
      rmSync(filler)
      await eventually(async () => (await room.trouble()) === undefined)
      await waiting
    }
    const there = await inbox.list(['queued'], 10_000)
    expect(there.map(({ inbound }) => inbound.key)).toEqual(expect.arrayContaining(kept))
  },
  5 * PATIENCE_MS,
)
