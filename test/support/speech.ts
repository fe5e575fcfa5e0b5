import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const folder = new URL('../fixtures/speech/', import.meta.url)

const read = (path: string) => new Uint8Array(readFileSync(new URL(path, folder)))

/** Path of the tiny model that knows the sentences of the memos, and no other. */
export const tinyModel = new URL('tiny-closed-set.bin', folder).pathname

/** The words of each memo. */
export const transcripts = JSON.parse(readFileSync(new URL('transcripts.json', folder), 'utf8')) as Readonly<
  Record<string, string>
>

/** Where a memo lies. */
export const memoPath = (name: string): string => new URL(`memos/${name}`, folder).pathname

/** A memo that a chat service recorded. */
export const readMemo = (name: string) => read(`memos/${name}`)

/** The same words in another container. */
export const readContainer = (name: string) => read(`containers/${name}`)

/** Missing parts for the tests that hear with a real model; `.ci/run` installs both. */
export function findMissingSpeechParts(): readonly string[] {
  const require = createRequire(import.meta.url)
  const missing: string[] = []
  try {
    require.resolve('@fugood/whisper.node')
  } catch {
    missing.push('@fugood/whisper.node (npm i --no-save @fugood/whisper.node@1.1.3)')
  }
  if (spawnSync('ffmpeg', ['-version']).error !== undefined) {
    missing.push('ffmpeg (Debian: apt-get install ffmpeg)')
  }
  return missing
}
