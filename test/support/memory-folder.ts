import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'

const ROOM = '/dev/shm'
const PREFIX = 'footbridge-tests-'
/** Several times the bytes that the tests keep at once, with a copy of the packages (docker.test.ts). */
const FREE_BYTES = 4e9

/**
 * Makes a folder in memory the folder for temporary files of the tests and their processes: each commit of a database waits
 * for the disk, and only a power cut could tell the difference. Nothing changes where memory is short or runs no programs.
 */
export function useMemoryFolder(): void {
  if (env['TMPDIR'] !== undefined) return
  try {
    removeAbandoned()
    const { bavail, bsize } = statfsSync(ROOM)
    if (bavail * bsize < FREE_BYTES) return
    const folder = mkdtempSync(join(ROOM, `${PREFIX}${process.pid}-`))
    process.once('exit', () => remove(folder))
    // PostgreSQL and the steps of the Dockerfile run as other users.
    chmodSync(folder, 0o711)
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    execFileSync(program)
    env['TMPDIR'] = folder
  } catch {
    // No such folder here, or one without programs: the disk does as well.
  }
}

/** Of runs that were killed. */
function removeAbandoned(): void {
  for (const name of readdirSync(ROOM)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : undefined
    if (pid !== undefined && !isAlive(pid)) remove(join(ROOM, name))
  }
}

/** A server may still write into it: the next run removes the rest. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {}
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
