import { normalized } from '#lib/unicode.ts'
import { closestNames } from '#lib/closest-names.ts'
import type { FileRecord } from '../port/records.ts'
import type { Store } from '../port/store.ts'
import { isListed, isLive } from './file-records.ts'

/**
 * Files of a collection as people know them, newest first: one per name, and in addition a failed one that did not
 * replace the live one.
 */
export async function listFiles(
  { store }: { readonly store: Pick<Store, 'files'> },
  collection: string,
): Promise<readonly FileRecord[]> {
  const seen = new Set<string>()
  return (await store.files.ofCollection(collection)).filter((file) => {
    if (!isListed(file)) return false
    const key = `${file.fileName}/${isLive(file) ? 'live' : file.state}`
    const isShown = !seen.has(key) && !(file.state === 'failed' && seen.has(`${file.fileName}/live`))
    seen.add(key)
    return isShown
  })
}

export type Found =
  | { readonly kind: 'one'; readonly file: FileRecord }
  | { readonly kind: 'several'; readonly names: readonly string[] }
  | { readonly kind: 'none'; readonly closest: readonly string[] }

const MAX_CLOSE = 3

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
  const names = new Map(
    files.flatMap(({ displayName }) => [displayName, stem(displayName)].map((name) => [fold(name), displayName])),
  )
  const near = closestNames(wanted, [...names.keys()]).map(({ name }) => names.get(name) ?? name)
  return [...new Set(near)].slice(0, MAX_CLOSE)
}

const fold = (name: string) =>
  normalized(name, 'NFKC')
    .trim()
    .replace(/^[`"'“„«]+|[`"'”“»]+$/g, '')
    .toLowerCase()
const stem = (name: string) => name.replace(/(.)\.[^.]*$/, '$1')
