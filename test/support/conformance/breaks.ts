import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { mutations, type Mutation } from './mutations.ts'
import { startOurServer } from './our-server.ts'
import type { Row } from './row.ts'
import { rows } from './rows.ts'
import { createSession } from './session.ts'
import type { Target } from './target.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
/** A broken server may never answer; that is broken, too. */
const ROW_MS = 20_000

export interface Break {
  readonly mutation: Mutation
  /** Ids of the statements that should be broken and are not shown so. */
  readonly unseen: readonly string[]
}

/** Mulberry32: the same seed, the same places. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** `count` different mutations, drawn by the seed. */
export function drawMutations(seed: number, count: number): readonly Mutation[] {
  const random = createRandom(seed)
  const left = [...mutations]
  const drawn: Mutation[] = []
  while (drawn.length < count && left.length > 0) {
    drawn.push(...left.splice(Math.floor(random() * left.length), 1))
  }
  return drawn
}

/**
 * The broken text of a file.
 *
 * @throws {Error} when the place is not there, or there twice: the list has to follow the source
 */
export async function mutate({ file, find, put }: Mutation): Promise<string> {
  const text = await readFile(join(repository, 'src/platform', file), 'utf8')
  const parts = text.split(find)
  if (parts.length === 2) return parts.join(put)
  throw new Error(
    `test/support/conformance/mutations.ts: ${JSON.stringify(find)} stands ${parts.length - 1} times in ${file}.`,
  )
}

async function passes(target: Target, row: Row): Promise<boolean> {
  const session = createSession(target)
  const giveUp = new AbortController()
  const late = delay(ROW_MS, false, { signal: giveUp.signal }).catch(() => false)
  const run = row.run(session).then(
    () => true,
    () => false,
  )
  const passed = await Promise.race([run, late])
  giveUp.abort()
  await session.end()
  return passed
}

/** Breaks a copy of the source, starts the server from it, and runs the tests of the broken part. */
export async function breakOnce(mutation: Mutation): Promise<Break> {
  const root = await mkdtemp(join(tmpdir(), 'footbridge-broken-'))
  try {
    await cp(join(repository, 'src'), join(root, 'src'), { recursive: true })
    await cp(join(repository, 'package.json'), join(root, 'package.json'))
    await symlink(join(repository, 'node_modules'), join(root, 'node_modules'))
    await writeFile(join(root, 'src/platform', mutation.file), await mutate(mutation))
    const target = await startOurServer({ root })
    try {
      const outcomes = new Map<Row, boolean>()
      const unseen: string[] = []
      for (const number of mutation.breaks) {
        const id = `C-${String(number).padStart(3, '0')}`
        let isShown = false
        for (const row of rows.filter((one) => one.ids.includes(id))) {
          const passed = outcomes.get(row) ?? (await passes(target, row))
          outcomes.set(row, passed)
          isShown ||= !passed
          if (isShown) break
        }
        if (!isShown) unseen.push(id)
      }
      return { mutation, unseen }
    } finally {
      await target.close()
    }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}
