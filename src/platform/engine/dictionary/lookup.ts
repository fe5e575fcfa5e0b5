import { analyse } from '../text/terms.ts'
import { addEntries, type Entries } from './entries.ts'

/** Languages of the dictionary that comes with Footbridge. */
const LANGUAGES = ['de', 'en']
/** Letters of each part of a compound. */
const MIN_PART = 3
const MAX_COMPOUND = 40
/** Letters that join the parts of a German compound. */
const JOINTS = ['', 's', 'n', 'en', 'es', 'er']

const stemsOf = (word: string) => LANGUAGES.flatMap((code) => analyse(word, code).map((stem) => `${code} ${stem}`))

type Lookup = (word: string) => readonly string[]

/** Looks words up in a small dictionary, in any of their forms; a compound that is not there, by its parts. */
export function createLookup(file: string): Lookup {
  const entries: Entries = new Map()
  addEntries(entries, file)
  const byStem = new Map<string, string[]>()
  for (const [word, others] of entries)
    for (const stem of stemsOf(word)) byStem.set(stem, [...(byStem.get(stem) ?? []), ...others.split('\n')])
  const whole: Lookup = (word) =>
    entries.get(word)?.split('\n') ?? [...new Set(stemsOf(word).flatMap((stem) => byStem.get(stem) ?? []))]
  return (word) => {
    const found = whole(word)
    return found.length > 0 ? found : ofParts(word, whole)
  }
}

/** The longest last part that is known with the part before it: `Mitglieds·beitrag`. */
function ofParts(word: string, whole: Lookup): readonly string[] {
  if (word.length > MAX_COMPOUND) return []
  for (let cut = MIN_PART; cut <= word.length - MIN_PART; cut += 1) {
    const last = whole(word.slice(cut))
    if (last.length === 0) continue
    for (const joint of JOINTS) {
      if (!word.slice(0, cut).endsWith(joint) || cut - joint.length < MIN_PART) continue
      const first = whole(word.slice(0, cut - joint.length))
      if (first.length > 0) return [...first, ...last]
    }
  }
  return []
}
