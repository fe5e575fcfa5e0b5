import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openIndexWriter } from '#platform/engine/storage/sqlite/index/database.ts'
import { createReader, ReaderDied } from '#platform/engine/storage/sqlite/index/read/reader.ts'
import { putFiles } from '#platform/engine/storage/sqlite/index/write.ts'

const folder = await mkdtemp(join(tmpdir(), 'footbridge-reader-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Reads a file a call, dies over one with this name, and says of another how many groups it knows. */
const mortal = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    const groups = new Map()
    parentPort.on('message', (call) => {
      if (call === 'close') return parentPort.close()
      if (call.files !== undefined) groups.set(call.group, [...call.files])
      const group = groups.get(call.group)
      const next = group?.shift()
      if (next !== undefined) parentPort.postMessage({ id: call.id, working: true, about: next.call })
      if (next?.file.name === 'fatal.md') throw new Error('out of memory')
      if (call.isOver) groups.delete(call.group)
      const read = next?.file.name === 'groups.md' ? groups.size : next?.file.name
      const result = group === undefined ? 'gone' : next === undefined ? null : [{ read }]
      parentPort.postMessage({ id: call.id, result })
    })`)}`,
)

async function filesOf(names: readonly string[], firstCall: number) {
  const path = join(folder, 'large.md')
  await writeFile(path, 'a'.repeat(1024 * 1024))
  return names.map((name, at) => ({
    call: firstCall + at,
    bytes: 1024 * 1024,
    file: { id: at, revision: 1, name, source: { kind: 'markdown', path } as const },
  }))
}

async function read(reader: ReturnType<typeof createReader>, files: Awaited<ReturnType<typeof filesOf>>) {
  const parts: unknown[] = []
  for await (const part of reader.read(files).parts) parts.push(part)
  return parts
}

test('the file over which the reading thread died is named; the others can be read again, and other groups go on', async () => {
  const reader = createReader(mortal)
  const group = await filesOf(['good.md', 'fatal.md', 'later.md'], 10)
  const other = await filesOf(['other.md'], 20)
  const [died, others] = await Promise.allSettled([read(reader, group), read(reader, other)])
  expect(died).toMatchObject({ status: 'rejected', reason: expect.any(ReaderDied) })
  expect(died).toMatchObject({ reason: { call: 11, message: expect.stringContaining('out of memory') } })
  expect(others).toMatchObject({ value: [{ read: 'other.md' }] })
  const again = group.filter(({ call }) => call !== 11)
  expect(await read(reader, again)).toEqual([{ read: 'good.md' }, { read: 'later.md' }])
  await reader.close()
})

test('the reading thread forgets files whose transaction could not begin', async () => {
  const reader = createReader(mortal)
  const database = openIndexWriter(join(folder, 'busy.sqlite'))
  if (database === 'stale') throw new Error('A new index is not stale.')
  database.writer.exec('BEGIN')
  const called = await filesOf(['unwritten.md'], 30)
  const files = called.map(({ file }) => file)
  await expect(putFiles(database, files, reader.read(called))).rejects.toThrow('transaction')
  expect(await read(reader, await filesOf(['groups.md'], 40))).toEqual([{ read: 1 }])
  database.close()
  await reader.close()
})
