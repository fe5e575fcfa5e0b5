import { execFileSync } from 'node:child_process'
import { readdirSync, readlinkSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openContent } from '#platform/engine/api/content.ts'
import type { Blobs } from '#platform/engine/storage/types.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footbridge-content-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const descriptorsOf = (path: string) =>
  readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === path
    } catch {
      return false
    }
  }).length

it('keeps its file open while a piece is read, also when the reader leaves: its number may be another file by then', async () => {
  // A read from a pipe takes as long as the test wants.
  const path = join(folder, 'pipe')
  execFileSync('/usr/bin/mkfifo', [path])
  const blobs = { local: async () => ({ path, done: async () => undefined }) } as Partial<Blobs> as Blobs
  const opened = openContent(blobs, 'pipe', 8)
  const writer = await open(path, 'w')
  await writer.write('four')
  const reader = (await opened).getReader()
  expect((await reader.read()).value).toHaveLength(4)
  const rest = reader.read()
  const left = reader.cancel()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(descriptorsOf(path)).toBe(2)
  await writer.write('more')
  await writer.close()
  await left
  expect((await rest).done).toBe(true)
  expect(descriptorsOf(path)).toBe(0)
})
