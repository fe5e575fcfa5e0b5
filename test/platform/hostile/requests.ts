import { chats, contents, elsewhere, forms, jsons, sharing, sources } from './in-bodies.ts'
import { collectionNames, collectionPaths, fileNames, filePaths } from './in-names.ts'
import type { Make } from './make.ts'
import { credentials, heads, methods, sizes, unfinished } from './on-the-wire.ts'
import type { Random } from './random.ts'
import type { HostileRequest } from './send.ts'

const families: readonly Make[] = [
  collectionNames,
  collectionPaths,
  filePaths,
  fileNames,
  contents,
  forms,
  sources,
  sharing,
  jsons,
  chats,
  credentials,
  heads,
  sizes,
  unfinished,
  methods,
  elsewhere,
]

/** The same requests for the same seed, every family as often as the others. `key` is a good one: it is not what is wrong. */
export function makeHostileRequests(random: Random, count: number, key: string): HostileRequest[] {
  return Array.from({ length: count }, (_, index) => {
    const make = families[index % families.length] ?? collectionNames
    return make(random, key)
  })
}
