import { ConvertError } from '../reader.ts'

// [MS-CFB]: Compound File Binary File Format; offsets in bytes.
const HEADER_BYTES = 512
const ENTRY_BYTES = 128
/** Sectors of the allocation table that the header names; the others are in sectors that follow each other. */
const IN_HEADER = 109
const STREAM = 2
/** Larger sector numbers are marks: the end of a chain, a free sector. */
const MAX_SECTOR = 0xff_ff_ff_fa

const isCompound = (bytes: Buffer) => bytes.length > HEADER_BYTES && bytes.readUInt32BE(0) === 0xd0_cf_11_e0

interface Entry {
  readonly type: number
  readonly relatives: readonly number[]
  readonly start: number
  readonly size: number
}

const broken = () => new ConvertError('broken')

/** Follows chains of sectors; each sector is read once, whatever number of chains come to it. */
function createChains(nextOf: (sector: number) => number) {
  const ended = new Set<number>()
  /** @throws {ConvertError} where the chain comes back to itself. */
  return (start: number): readonly number[] => {
    const chain = new Set<number>()
    for (let at = start; at < MAX_SECTOR && !ended.has(at); at = nextOf(at)) {
      if (chain.has(at)) throw broken()
      chain.add(at)
    }
    for (const sector of chain) ended.add(sector)
    return [...chain]
  }
}

/** Entries of the directory that the root leads to. @throws {ConvertError} where an entry is its own relative. */
function walkEntries(entryAt: (index: number) => Entry | undefined): readonly Entry[] {
  const found = new Map<number, Entry>()
  const open = [0]
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const entry = entryAt(index)
    if (entry === undefined) continue
    if (found.has(index)) throw broken()
    found.set(index, entry)
    open.push(...entry.relatives.filter((relative) => relative < MAX_SECTOR))
  }
  return [...found.values()]
}

/**
 * Refuses a container of the old Office formats whose sectors or entries follow each other in a circle: the libraries
 * that read them follow a circle until memory ends.
 *
 * @throws {ConvertError} `broken`
 */
export function checkCompoundFile(bytes: Buffer): void {
  if (!isCompound(bytes)) return
  const sectorBytes = 2 ** Math.min(16, bytes.readUInt16LE(30))
  if (sectorBytes < ENTRY_BYTES) throw broken()
  const perSector = sectorBytes / 4
  const numberAt = (at: number) => (at + 4 <= bytes.length ? bytes.readUInt32LE(at) : MAX_SECTOR)
  const placeOf = (sector: number) => (sector + 1) * sectorBytes
  const inTable = (table: readonly number[], sector: number) =>
    numberAt(placeOf(table[Math.floor(sector / perSector)] ?? MAX_SECTOR) + (sector % perSector) * 4)

  const table = Array.from({ length: IN_HEADER }, (_, index) => numberAt(76 + index * 4))
  for (const sector of createChains((at) => numberAt(placeOf(at + 1) - 4))(numberAt(68)))
    for (let index = 0; index < perSector - 1; index += 1) table.push(numberAt(placeOf(sector) + index * 4))
  const follow = createChains((sector) => inTable(table, sector))
  const smallTable = follow(numberAt(60))
  const followSmall = createChains((sector) => inTable(smallTable, sector))
  const directory = follow(numberAt(48))
  const entries = walkEntries((index) => {
    const at = placeOf(directory[Math.floor((index * ENTRY_BYTES) / sectorBytes)] ?? MAX_SECTOR)
    const own = at + ((index * ENTRY_BYTES) % sectorBytes)
    if (own + ENTRY_BYTES > bytes.length) return undefined
    const relatives = [68, 72, 76].map((offset) => numberAt(own + offset))
    return { type: bytes.readUInt8(own + 66), relatives, start: numberAt(own + 116), size: numberAt(own + 120) }
  })
  const smallest = numberAt(56)
  for (const { type, start, size } of entries) {
    if (type === STREAM && size > bytes.length) throw broken()
    if (size > 0) (type === STREAM && size < smallest ? followSmall : follow)(start)
  }
}

/** Streams of a Word document, with the names that their reader looks for. */
const NAMES = ['Root Entry', 'WordDocument', '0Table', '1Table', 'Data']
const wide = (text: string) => Buffer.from(text, 'utf16le').toString('latin1')

/** The file with the usual letters in the names of its parts: capitals do not count there ([MS-CFB] section 2.6.4). */
export function withUsualNames(bytes: Buffer): Buffer {
  if (NAMES.slice(0, 2).every((name) => bytes.includes(Buffer.from(name, 'utf16le')))) return bytes
  const text = bytes.toString('latin1')
  const renamed = Buffer.from(bytes)
  for (const name of NAMES) {
    const pattern = new RegExp(RegExp.escape(wide(`${name}\0`)), 'gi')
    for (const { index } of text.matchAll(pattern))
      if (index % ENTRY_BYTES === 0) renamed.write(wide(name), index, 'latin1')
  }
  return renamed
}
