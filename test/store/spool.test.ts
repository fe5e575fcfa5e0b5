import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openStore } from '#store/store.ts'

it('what a process that died left half written is gone at the next start, and nothing else', () => {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-parts-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  openStore(directory).close()
  const sha = 'a'.repeat(64)
  const paths = ['spool/1.part', `originals/c/${sha}.77.part`, 'sources/2.3.part', `originals/c/${sha}`]
  for (const path of paths) {
    mkdirSync(join(directory, path, '..'), { recursive: true })
    writeFileSync(join(directory, path), 'x')
  }
  openStore(directory).close()
  expect(paths.filter((path) => existsSync(join(directory, path)))).toEqual([`originals/c/${sha}`])
})
