import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Removes what a process that died in mid-write left below `directory`: nothing knows of it, and it may be large. Only while
 * nothing is being written there.
 */
export function removeParts(directory: string): void {
  let names: readonly string[]
  try {
    names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  } catch {
    // Nothing was ever kept there.
    return
  }
  for (const name of names) if (name.endsWith('.part')) rmSync(join(directory, name), { force: true })
}
