import { createLevelCounter, type Level } from '../office/level-counter.ts'

/** A level while its control words are read. */
type Declared = { -readonly [Key in keyof Level]: Level[Key] }

const MAX_LISTS = 10_000
const MAX_LEVELS = 9
const MAX_TEXT = 100

/** The lists that a document declares, which number its paragraphs. */
export interface RtfLists {
  /** Takes a control word of the tables of lists. */
  word(name: string, value: number | undefined): void
  /** Takes text of the level that is declared. */
  text(text: string): void
  /** Counts a paragraph, and gives its number or bullet as it is shown; empty where the list is not declared. */
  count(list: number, level: number): string
}

export function createRtfLists(): RtfLists {
  const lists = new Map<number, readonly Declared[]>()
  /** Lists by the number that paragraphs name. */
  const used = new Map<number, number>()
  const count = createLevelCounter()
  let levels: Declared[] = []
  let isUse = false
  let id = 0

  const WORDS: Readonly<Record<string, (value: number) => void>> = {
    list() {
      levels = []
      isUse = false
    },
    listoverride: () => void (isUse = true),
    listlevel() {
      if (!isUse && levels.length < MAX_LEVELS) levels.push({ format: 0, start: 1, text: '' })
    },
    levelnfc: (value) => set({ format: value }),
    levelnfcn: (value) => set({ format: value }),
    levelstartat: (value) => set({ start: value }),
    listid(value) {
      id = value
      if (!isUse && lists.size < MAX_LISTS) lists.set(id, levels)
    },
    ls(value) {
      if (isUse && used.size < MAX_LISTS) used.set(value, id)
    },
  }
  function set(part: Partial<Declared>): void {
    if (!isUse) Object.assign(levels.at(-1) ?? {}, part)
  }

  return {
    word: (name, value = 0) => WORDS[name]?.(value),
    text(text) {
      const last = levels.at(-1)
      if (!isUse && last !== undefined) last.text = `${last.text}${text}`.slice(0, MAX_TEXT)
    },
    count(list, level) {
      const key = used.get(list)
      const all = key === undefined ? undefined : lists.get(key)
      if (key === undefined || all === undefined) return ''
      // The first letter of a text is its length.
      const shown = all.map((one) => ({ ...one, text: one.text.slice(1, 1 + one.text.charCodeAt(0)) }))
      return count({ key, levels: shown, level })
    },
  }
}
