import { toFormat } from '../office/word-number-formats.ts'

/** How a level of a list is numbered: `\x00` to `\x08` in its text are the numbers of the levels. */
interface Level {
  format: number
  start: number
  text: string
}

/** Formats of numbers by the value of `\levelnfc`, in the words of Word; 23 is a bullet. */
const FORMATS: Readonly<Record<number, string>> = {
  0: 'decimal',
  1: 'upperRoman',
  2: 'lowerRoman',
  3: 'upperLetter',
  4: 'lowerLetter',
  5: 'ordinal',
  22: 'decimalZero',
}
const [BULLET, NOTHING] = [23, 255]
const MAX_LISTS = 10_000
const MAX_LEVELS = 9
const MAX_TEXT = 100

// oxlint-disable-next-line no-control-regex -- they are the signs of the levels
const NUMBER_OF_LEVEL = /[\0-\x08]/g

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
  const lists = new Map<number, readonly Level[]>()
  /** Lists by the number that paragraphs name. */
  const used = new Map<number, number>()
  const counts = new Map<number, number[]>()
  let levels: Level[] = []
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
  function set(part: Partial<Level>): void {
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
      const all = key === undefined ? [] : (lists.get(key) ?? [])
      const own = all[level]
      if (key === undefined || own === undefined || own.format === NOTHING) return ''
      if (own.format === BULLET) return '•'
      const reached = counts.get(key) ?? []
      counts.set(key, reached)
      reached[level] = (reached[level] ?? own.start - 1) + 1
      reached.length = level + 1
      // The first letter of the text is its length.
      const shown = own.text.slice(1, 1 + own.text.charCodeAt(0)).replace(NUMBER_OF_LEVEL, (sign) => {
        const at = sign.charCodeAt(0)
        const { start = 1, format = 0 } = all[at] ?? {}
        return toFormat(reached[at] ?? start, FORMATS[format] ?? 'decimal') ?? ''
      })
      return shown.trim()
    },
  }
}
