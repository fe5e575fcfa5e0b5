import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSourceCache } from '#store/sources.ts'

function setUp(mostBytes?: number) {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-sources-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const path = join(directory, 'sources')
  return { path, room: createSourceCache(path, mostBytes) }
}

test('a text is there until it is removed, also for the next process', async () => {
  const { path, room } = setUp()
  expect(await room.get('a')).toBeUndefined()
  await room.put('a', 'Größe 三')
  await room.put('b', '')
  expect(await createSourceCache(path).get('a')).toBe('Größe 三')
  expect(await room.get('b')).toBe('')
  await room.put('a', 'another')
  expect(await room.get('a')).toBe('another')
  await room.remove('a')
  await room.remove('a')
  expect(await room.get('a')).toBeUndefined()
  expect(readdirSync(path)).toHaveLength(1)
})

test('what was not used for longest makes room', async () => {
  const { path, room } = setUp(100)
  for (const key of ['a', 'b', 'c']) {
    await room.put(key, key.repeat(30))
    for (const name of readdirSync(path)) utimesSync(join(path, name), 1000, 1000)
  }
  await room.get('a')
  await room.put('d', 'd'.repeat(30))
  expect(await room.get('a')).toBe('a'.repeat(30))
  expect(await room.get('d')).toBe('d'.repeat(30))
  expect(readdirSync(path).length).toBeLessThan(4)
})
