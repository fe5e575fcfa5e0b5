import { inflateRawSync } from 'node:zlib'
import { ConvertError } from '../reader.ts'

/** The parts of a zip document (DOCX, ODT, EPUB …), unpacked one by one, never beyond the declared size. */
export interface Archive {
  readonly names: readonly string[]
  /** Undefined when there is no such part, or it is damaged, and so lost. @throws {ConvertError} `too-big` */
  read(name: string): Buffer | undefined
  /** Reads a part that another one names: it is lost where it is missing, too. */
  need(name: string | undefined): Buffer | undefined
  /** Says that the content of a part is damaged. */
  lose(name: string): void
}

/** Takes the name of a part that is damaged or missing. */
export type OnLost = (name: string) => void

interface Entry {
  readonly name: string
  readonly method: number
  readonly packed: number
  readonly size: number
  readonly offset: number
}

const MAX_ENTRIES = 20_000
/** Most unpacked bytes for one packed byte, above `HARMLESS_BYTES`. Office files stay below 50. */
const MAX_RATIO = 150
const HARMLESS_BYTES = 64 * 1024 * 1024

const END_SIGNATURE = 0x06054b50
const ENTRY_SIGNATURE = 0x02014b50
const LOCAL_SIGNATURE = 0x04034b50

/** Small pieces of a large part would be held twice while they are joined. */
const chunkFor = (size: number) => Math.min(Math.max(size + 1, 16_384), 64 * 1024 * 1024)

const broken = (cause?: unknown) => new ConvertError('broken', { cause })

function findEnd(bytes: Buffer): number {
  // The record is 22 bytes and a comment of at most 65,535.
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 0xffff); at -= 1) {
    if (bytes.readUInt32LE(at) === END_SIGNATURE) return at
  }
  throw broken()
}

function readDirectory(bytes: Buffer): Entry[] {
  const end = findEnd(bytes)
  const count = bytes.readUInt16LE(end + 10)
  if (count > MAX_ENTRIES) throw new ConvertError('too-big')
  const entries: Entry[] = []
  let at = bytes.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY_SIGNATURE) throw broken()
    if ((bytes.readUInt16LE(at + 8) & 1) === 1) throw new ConvertError('encrypted')
    const nameLength = bytes.readUInt16LE(at + 28)
    const packed = bytes.readUInt32LE(at + 20)
    const size = bytes.readUInt32LE(at + 24)
    // Zip64: no document below 100 MB needs it.
    if (packed === 0xffffffff || size === 0xffffffff) throw new ConvertError('too-big')
    entries.push({
      // Some programs write the folders of Windows.
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength).replaceAll('\\', '/'),
      method: bytes.readUInt16LE(at + 10),
      packed,
      size,
      offset: bytes.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return entries
}

function unpack(bytes: Buffer, entry: Entry): Buffer {
  const { offset } = entry
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== LOCAL_SIGNATURE) throw broken()
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  const packed = bytes.subarray(start, start + entry.packed)
  if (packed.length !== entry.packed) throw broken()
  if (entry.method === 0 && entry.packed === entry.size) return packed
  if (entry.method !== 8) throw broken()
  try {
    // One byte more, so that an entry larger than declared is detected.
    const content = inflateRawSync(packed, { maxOutputLength: entry.size + 1, chunkSize: chunkFor(entry.size) })
    if (content.length === entry.size) return content
  } catch (error) {
    const isLarger = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw isLarger ? new ConvertError('too-big', { cause: error }) : broken(error)
  }
  throw broken()
}

/** Leaves out damaged entries. */
function unpackOrLose(bytes: Buffer, entry: Entry, lose: OnLost): Buffer | undefined {
  try {
    return unpack(bytes, entry)
  } catch (error) {
    if (!(error instanceof ConvertError) || error.failure !== 'broken') throw error
    lose(entry.name)
    return undefined
  }
}

interface OpenOptions {
  readonly unpackedBytes: number
  readonly verify?: boolean
  readonly onLost?: OnLost | undefined
}

/**
 * Opens a zip file after checking its directory: number of parts, total size, compression ratio. `verify` unpacks each
 * part once, for parsers that trust the directory.
 *
 * @throws {ConvertError} `broken`, `encrypted`, `too-big`
 */
export function openArchive(
  bytes: Buffer,
  { unpackedBytes, verify = false, onLost = () => undefined }: OpenOptions,
): Archive {
  const entries = readDirectory(bytes)
  const total = entries.reduce((sum, { size }) => sum + size, 0)
  if (total > unpackedBytes || (total > HARMLESS_BYTES && total > bytes.length * MAX_RATIO)) {
    throw new ConvertError('too-big')
  }
  if (verify) for (const entry of entries) unpackOrLose(bytes, entry, onLost)
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  // Capitals do not count in names of Office files ([ECMA-376] part 2, 6.3.5).
  const byLowerName = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]))
  const find = (name: string) => byName.get(name) ?? byLowerName.get(name.toLowerCase())
  const read = (name: string) => {
    const entry = find(name)
    return entry === undefined ? undefined : unpackOrLose(bytes, entry, onLost)
  }
  return {
    names: [...byName.keys()],
    read,
    need(name) {
      // Addresses outside of the document are no parts of it.
      if (name === undefined || name === '' || /^[a-z]+:/i.test(name)) return undefined
      if (find(name) === undefined) onLost(name)
      return read(name)
    },
    lose: onLost,
  }
}

/** Path of `target` as a relation of the part `from` writes it; an absolute one starts at the root of the archive. */
export function resolvePart(from: string, target: string): string {
  const path = target.startsWith('/') ? target : `${from.slice(0, from.lastIndexOf('/') + 1)}${target}`
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
