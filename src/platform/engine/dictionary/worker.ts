import { readFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { serveCalls } from '../storage/thread.ts'
import { addEntries, type Entries } from './entries.ts'

/** A question to the dictionaries. */
export interface DictionaryCall {
  readonly id: number
  readonly words: readonly string[]
}

const { paths } = workerData as { readonly paths: readonly string[] }
let entries: Entries | undefined

function load(): Entries {
  const made: Entries = new Map()
  for (const path of paths) addEntries(made, readFileSync(path, 'utf8'))
  return made
}

async function answer({ words }: DictionaryCall): Promise<ReadonlyMap<string, readonly string[]>> {
  const all = (entries ??= load())
  return new Map(words.flatMap((word) => (all.has(word) ? [[word, all.get(word)?.split('\n') ?? []]] : [])))
}

serveCalls(answer, undefined, { isInOrder: true })
