import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createEngine } from '#platform/engine/engine.ts'
import { startUpstreamDouble } from '#test/doubles/upstream/double.ts'
import { createLogSink } from '#test/platform/server/platform.ts'

const THINGS = ['ferry', 'garden', 'library', 'bakery', 'museum', 'harbour', 'school', 'theatre', 'chapel', 'market']
const PLACES = ['Aldene', 'Borvik', 'Cresta', 'Dunmore']
const NAMES = THINGS.flatMap((thing) => PLACES.map((place) => [thing, place] as const))
const DIMENSIONS = 64

/** A direction of its own for each number, the same each time. */
const direction = (seed: number) =>
  Array.from({ length: DIMENSIONS }, (_, at) => Math.sin((seed + 1) * 12.9898 * (at + 1) + at * 78.233))

const WAYS: Readonly<Record<string, (own: number) => readonly number[]>> = {
  right: (own) => direction(own),
  useless: (own) => direction(1000 + own * 7),
  inverted: (own) => direction(own).map((value) => -value),
  'of another file': (own) => direction((own + 13) % NAMES.length),
}

const numberOf = (text: string) => NAMES.findIndex((words) => words.every((word) => text.includes(word)))

async function countFirst(way?: (own: number) => readonly number[]): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'footbridge-scripted-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const server = await startUpstreamDouble()
  onTestFinished(() => server.close())
  server.embedBy((text) => (text.includes('?') ? (way ?? direction)(numberOf(text)) : direction(numberOf(text))))
  const upstream = { baseUrl: server.baseUrl, ...(way && { embeddingModel: 'double-embed' }) }
  const engine = await createEngine({ dataDir, log: createLogSink().log, upstream })
  onTestFinished(() => engine.close())
  const user = (await engine.identify(engine.firstKey.key))?.user
  if (user === undefined) throw new Error('the first key is not known')
  await engine.collections.create(user, 'notes')
  for (const [at, [thing, place]] of NAMES.entries()) {
    const content = await engine.files.receive([new TextEncoder().encode(`The ${thing} of ${place} opens at ${at}.`)])
    await engine.files.upload(user, 'notes', { name: `${at}.md`, content })
  }
  await engine.collections.generateIndex(user, 'notes')
  const collection = await engine.collections.require(user, 'notes')
  let first = 0
  for (const [at, [thing, place]] of NAMES.entries()) {
    const { passages } = await engine.retrieve([collection], {
      question: `When does the ${thing} of ${place} open?`,
      limit: 3,
    })
    if (passages[0]?.file === `${at}.md`) first += 1
  }
  return first
}

test.each(Object.keys(WAYS))('vectors that are %s leave first what the words have found', async (name) => {
  expect(await countFirst(WAYS[name])).toBeGreaterThanOrEqual(await countFirst())
})
