import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished } from 'vitest'
import { type InitOptions, type InitOutcome, runInit } from '#init/init.ts'

export const CTRL_C = '\u0003'

/** A person at a terminal who waits for each question and types what follows it. */
export interface Person {
  /** Waits until the terminal shows `question` after what was answered before, then types. */
  answer(question: string, typed: string): Promise<void>
  readonly said: () => string
  readonly ended: Promise<InitOutcome>
}

/** An empty folder for `.env`; gone after the test. */
export function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-init-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function sitDown(options: Omit<InitOptions, 'input' | 'output'>): Person {
  const input = new PassThrough()
  const output = new PassThrough()
  let said = ''
  let seen = 0
  output.setEncoding('utf8').on('data', (piece: string) => (said += piece))
  const ended = runInit({ open: () => undefined, servers: [], ...options, input, output })
  onTestFinished(() => void input.destroy())
  return {
    said: () => said,
    ended,
    async answer(question, typed) {
      await expect.poll(() => said.slice(seen)).toContain(question)
      seen = said.indexOf(question, seen) + question.length
      input.write(typed === CTRL_C ? typed : `${typed}\r`)
    },
  }
}
