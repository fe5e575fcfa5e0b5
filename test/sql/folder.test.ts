import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { makePrivate } from '#sql/folder.ts'

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-folder-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

it('a data folder is made with all above it, for its user alone', () => {
  const path = join(openFolder(), 'one/two')
  makePrivate(path)
  expect(statSync(path).mode & 0o777).toBe(0o700)
})

it('a file in its place is told', () => {
  const path = join(openFolder(), 'file')
  writeFileSync(path, '')
  expect(() => makePrivate(path)).toThrow(`${path} is a file: set DATA_DIR to a folder.`)
  expect(() => makePrivate(join(path, 'data'))).toThrow(/^.* (?:is|lies in) a file: set DATA_DIR to a folder\.$/)
})

it('where none can be made, a sentence comes at once', () => {
  // Only Linux has a folder in which nobody can make one.
  if (!existsSync('/proc/self')) return
  expect(() => makePrivate('/proc/nope')).toThrow(
    "The data folder /proc/nope can't be made: set DATA_DIR to another folder.",
  )
})

it('another user hears whose folder it is not, and what to do', async () => {
  const path = join(openFolder(), 'data')
  mkdirSync(path)
  chmodSync(join(path, '..'), 0o755)
  chmodSync(path, 0o500)
  const module = fileURLToPath(new URL('../../src/sql/folder.ts', import.meta.url))
  const script = `import(${JSON.stringify(module)}).then(({ makePrivate }) => makePrivate(${JSON.stringify(path)})).catch((error) => console.log(error.message))`
  const isRoot = process.getuid?.() === 0
  const said = await new Promise<string>((resolve) => {
    // Root may write everywhere.
    execFile(
      process.execPath,
      ['-e', script],
      isRoot ? { uid: 65_534, gid: 65_534, cwd: '/' } : {},
      (error, out, err) => resolve(out || err || (error?.message ?? '')),
    )
  })
  expect(said).toMatch(
    /^The data folder .*data can't be written by \S+ \(uid \d+\): chown it, or set DATA_DIR to another folder\.\n$/,
  )
})
