import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './statistics.ts'

const syncs = 50
const page = Buffer.alloc(4096)

/** Median time of an fsync on the disk of the bench's data folders, milliseconds. */
export function measureSync(): number {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-bench-'))
  const file = openSync(join(folder, 'page'), 'w')
  const samples = Array.from({ length: syncs }, () => {
    writeSync(file, page)
    const at = performance.now()
    fsyncSync(file)
    return performance.now() - at
  })
  closeSync(file)
  rmSync(folder, { recursive: true })
  return median(samples)
}
