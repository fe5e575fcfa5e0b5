import { createLevelCounter, type Level } from '../office/level-counter.ts'
import { type Properties, TABLES, tableAt } from './word-properties.ts'

/** A list as its definition says ([MS-DOC] sections 2.9.147 and 2.9.150). */
interface Definition {
  readonly levels: readonly Level[]
  /** Styles that belong to its levels. */
  readonly styles: readonly number[]
}

/** A use of a list, which paragraphs name; it may begin anew, and have levels of its own. */
interface Use {
  readonly key: number
  readonly starts: ReadonlyMap<number, number>
  readonly levels: ReadonlyMap<number, Level>
}

const [DEFINITION_BYTES, LEVEL_BYTES, USE_BYTES] = [28, 28, 16]
const MAX_LEVELS = 9
const MAX_LISTS = 10_000
const MAX_TEXT = 100
const [SIMPLE, LEGAL, SETS_START, SETS_LEVEL] = [1, 4, 16, 32]

/** The level at an offset, and where it ends. */
function readLevel(bytes: Buffer, at: number): readonly [level: Level, end: number] {
  const text = at + LEVEL_BYTES + bytes.readUInt8(at + 24) + bytes.readUInt8(at + 25)
  const letters = bytes.readUInt16LE(text)
  const end = text + 2 + letters * 2
  const level = {
    start: bytes.readInt32LE(at),
    format: bytes.readUInt8(at + 4),
    isLegal: (bytes.readUInt8(at + 5) & LEGAL) !== 0,
    text: bytes.toString('utf16le', text + 2, Math.min(end, text + 2 + MAX_TEXT * 2)),
  }
  return [level, end]
}

/** Definitions by their ids; their levels follow the table. */
function readDefinitions(document: Buffer, table: Buffer): ReadonlyMap<number, Definition> {
  const found = new Map<number, Definition>()
  const from = document.readUInt32LE(TABLES.lists)
  if (document.readUInt32LE(TABLES.lists + 4) < 2) return found
  const count = Math.min(table.readUInt16LE(from), MAX_LISTS)
  let at = from + 2 + count * DEFINITION_BYTES
  for (let index = 0; index < count; index += 1) {
    const own = from + 2 + index * DEFINITION_BYTES
    const levels: Level[] = []
    const isSimple = (table.readUInt8(own + 26) & SIMPLE) !== 0
    while (levels.length < (isSimple ? 1 : MAX_LEVELS)) {
      const [level, end] = readLevel(table, at)
      levels.push(level)
      at = end
    }
    const styles = Array.from({ length: MAX_LEVELS }, (_, level) => table.readUInt16LE(own + 8 + level * 2))
    found.set(table.readUInt32LE(own), { levels, styles })
  }
  return found
}

function readUses(uses: Buffer): Use[] {
  const count = uses.length < 4 ? 0 : Math.min(uses.readUInt32LE(0), MAX_LISTS)
  let at = 4 + count * USE_BYTES
  return Array.from({ length: count }, (_, index) => {
    const own = 4 + index * USE_BYTES
    const [starts, levels] = [new Map<number, number>(), new Map<number, Level>()]
    at += 4
    for (let changes = uses.readUInt8(own + 12); changes > 0; changes -= 1) {
      const flags = uses.readUInt32LE(at + 4)
      const level = flags & 0xf
      if ((flags & SETS_START) !== 0) starts.set(level, uses.readInt32LE(at))
      at += 8
      if ((flags & SETS_LEVEL) === 0) continue
      const [changed, end] = readLevel(uses, at)
      levels.set(level, changed)
      starts.delete(level)
      at = end
    }
    return { key: uses.readUInt32LE(own), starts, levels }
  })
}

export interface WordLists {
  /** Counts a paragraph, and gives its number or bullet; empty for one without. */
  count(paragraph: Pick<Properties, 'list' | 'level'>): string
  /** The level that a list keeps for one of the styles. */
  levelOf(list: number, styles: readonly number[]): number | undefined
}

export function readLists(document: Buffer, table: Buffer): WordLists {
  const definitions = readDefinitions(document, table)
  const uses = readUses(tableAt(document, table, TABLES.uses))
  const counter = createLevelCounter()
  const begun = new Set<string>()
  return {
    count({ list = 0, level = 0 }) {
      const use = uses[list - 1]
      const definition = use && definitions.get(use.key)
      if (use === undefined || definition === undefined) return ''
      const place = `${list} ${level}`
      const restart = begun.has(place) ? undefined : use.starts.get(level)
      begun.add(place)
      const levels = definition.levels.map((one, at) => use.levels.get(at) ?? one)
      return counter({ key: use.key, levels, level, restart })
    },
    levelOf(list, styles) {
      const use = uses[list - 1]
      const level = (use && definitions.get(use.key))?.styles.findIndex((style) => styles.includes(style)) ?? -1
      return level === -1 ? undefined : level
    },
  }
}
