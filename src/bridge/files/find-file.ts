import type { FileRecord } from '../port/records.ts'
import type { Store } from '../port/store.ts'
import { isListed, isLive } from './file-records.ts'

/**
 * Files of a collection as people know them, newest first: one per name, and a failed one beside the live one that it
 * did not replace.
 */
export async function listFiles(
  { store }: { readonly store: Pick<Store, 'files'> },
  collection: string,
): Promise<readonly FileRecord[]> {
  const seen = new Set<string>()
  return (await store.files.ofCollection(collection)).filter((file) => {
    if (!isListed(file)) return false
    const key = `${file.fileName}/${isLive(file) ? 'live' : file.state}`
    const isNews = !seen.has(key) && !(file.state === 'failed' && seen.has(`${file.fileName}/live`))
    seen.add(key)
    return isNews
  })
}

export type Found =
  | { readonly kind: 'one'; readonly file: FileRecord }
  | { readonly kind: 'several'; readonly names: readonly string[] }
  | { readonly kind: 'none'; readonly closest: readonly string[] }

const MOST_CLOSE = 3
const FARTHEST = 0.5

/** Finds a file by its name, case-insensitive; the extension may be left out. */
export function findFile(asked: string, files: readonly FileRecord[]): Found {
  const wanted = fold(asked)
  const whole = files.filter(({ displayName, fileName }) =>
    [displayName, fileName].some((name) => fold(name) === wanted),
  )
  const fitting = whole.length > 0 ? whole : files.filter(({ displayName }) => fold(stem(displayName)) === wanted)
  const names = [...new Set(fitting.map(({ displayName }) => displayName))]
  const [file] = fitting
  if (file !== undefined && names.length === 1) return { kind: 'one', file }
  if (names.length > 1) return { kind: 'several', names: names.slice(0, 10) }
  return { kind: 'none', closest: closestTo(wanted, files) }
}

function closestTo(wanted: string, files: readonly FileRecord[]): readonly string[] {
  const names = [...new Set(files.map(({ displayName }) => displayName))]
  return names
    .map((name) => ({ name, far: Math.min(...[name, stem(name)].map((it) => distance(wanted, fold(it)))) }))
    .filter(({ far }) => far <= FARTHEST)
    .toSorted((one, other) => one.far - other.far)
    .slice(0, MOST_CLOSE)
    .map(({ name }) => name)
}

const fold = (name: string) =>
  name
    .normalize('NFKC')
    .trim()
    .replace(/^[`"'“„«]+|[`"'”“»]+$/g, '')
    .toLowerCase()
const stem = (name: string) => name.replace(/(.)\.[^.]*$/, '$1')

/** Edit distance divided by the longer length: 0 equal, 1 nothing in common. A part of the name counts as 0.1. */
function distance(one: string, other: string): number {
  if (one.length >= 3 && other.includes(one)) return 0.1
  const longest = Math.max(one.length, other.length)
  // Skips names too different in length, so that very long names cost nothing.
  if (longest === 0 || Math.abs(one.length - other.length) > longest * FARTHEST) return 1
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at]
    for (let index = 1; index <= other.length; index += 1) {
      const isSame = one[at - 1] === other[index - 1]
      const replaced = (row[index - 1] ?? 0) + (isSame ? 0 : 1)
      next.push(Math.min(replaced, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1))
    }
    row = next
  }
  return (row[other.length] ?? longest) / longest
}
