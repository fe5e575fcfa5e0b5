import type { SettingsFile } from './settings-file.ts'
import type { Prompt } from './terminal-prompt.ts'

/** The means of one step of `footbridge init`. */
export interface Step {
  readonly prompt: Prompt
  readonly file: SettingsFile
  /** A setting as the next start would read it; empty counts as unset. */
  readonly setting: (name: string) => string | undefined
  /** Opens an address in the browser of this machine, where there is one. */
  readonly open: (url: string) => void
}

interface Finding {
  readonly ok: boolean
  readonly text: string
}

/** Shows the findings; true: nothing is wrong. */
export function show(prompt: Prompt, findings: readonly Finding[]): boolean {
  for (const { ok, text } of findings) prompt.say(`  ${ok ? '✓' : '✗'} ${text}`)
  return findings.every(({ ok }) => ok)
}
