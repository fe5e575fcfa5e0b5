import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { env } from 'node:process'

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

const FFMPEG = '@ffmpeg-installer/ffmpeg'

/** The ffmpeg from npm, or else, but not in CI, the one on PATH; undefined when there is none. */
export function findFfmpeg(): string | undefined {
  try {
    const { path } = createRequire(import.meta.url)(FFMPEG) as { readonly path: string }
    // Its install script would have done it.
    chmodSync(path, 0o755)
    return path
  } catch {
    return env['CI'] || spawnSync('ffmpeg', ['-version']).error !== undefined ? undefined : 'ffmpeg'
  }
}

/** Packages that are missing for the tests that hear with a real model; `.ci/run` installs both. */
export function findMissingSpeechParts(): readonly string[] {
  const missing = findFfmpeg() === undefined ? [`${FFMPEG}@1.1.0`] : []
  try {
    createRequire(import.meta.url).resolve('@fugood/whisper.node')
    return missing
  } catch {
    return ['@fugood/whisper.node@1.1.3', ...missing]
  }
}
