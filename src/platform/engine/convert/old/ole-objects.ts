import { CFB } from '@e965/xlsx'
import { contentExtension } from '../document-kind.ts'
import type { Source } from '../reader.ts'
import { checkCompoundFile } from './compound-file.ts'

/** A document within another one; its name has an ending. */
export interface InnerDocument {
  readonly name: string
  readonly bytes: Buffer
}

/** A container as SheetJS gives it, as far as it is used. */
interface Container {
  readonly FullPaths: readonly string[]
  readonly FileIndex: readonly { readonly type: number; readonly content?: Uint8Array }[]
}

const STREAM = 2

/** Streams by their path below the root. @throws {ConvertError} `broken` */
export function readStreams(bytes: Buffer): Map<string, Buffer> {
  checkCompoundFile(bytes)
  const { FullPaths: paths, FileIndex: entries }: Container = CFB.read(bytes, { type: 'buffer' })
  return new Map(
    paths.flatMap((path, index) => {
      const { type, content } = entries[index] ?? {}
      const below = path.slice(path.indexOf('/') + 1)
      return type !== STREAM || content === undefined ? [] : [[below, Buffer.from(content)] as const]
    }),
  )
}

/** A file that Windows packed into an object, with its name ([MS-OLEDS] section 2.3.6). */
function readPacked(bytes: Buffer): InnerDocument | undefined {
  let at = 6
  const readText = () => {
    const end = bytes.indexOf(0, at)
    const text = end === -1 ? '' : bytes.toString('latin1', at, end)
    at = end === -1 ? bytes.length : end + 1
    return text
  }
  const name = readText()
  readText()
  at += 4
  if (at + 4 > bytes.length) return undefined
  at += 4 + bytes.readUInt32LE(at)
  if (at + 4 > bytes.length) return undefined
  const start = at + 4
  return { name, bytes: bytes.subarray(start, start + bytes.readUInt32LE(at)) }
}

/** The streams by which a program's own document is known, and the ending of its name. */
const PROGRAMS = [
  ['WordDocument', 'doc'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
  ['__properties_version1.0', 'msg'],
] as const

function write(streams: ReadonlyMap<string, Buffer>): Buffer {
  const container: unknown = CFB.utils.cfb_new()
  for (const [path, bytes] of streams) CFB.utils.cfb_add(container, `/${path}`, bytes)
  return Buffer.from(CFB.write(container, { type: 'buffer' }))
}

/** The document of one object. Undefined: that of a program whose documents are not read. */
function toDocument(streams: ReadonlyMap<string, Buffer>, title: string): InnerDocument | undefined {
  const packed = streams.get('\u0001Ole10Native')
  if (packed !== undefined) return readPacked(packed)
  for (const name of ['Package', 'package', 'CONTENTS', 'EmbeddedOdf']) {
    const bytes = streams.get(name)
    const extension = bytes === undefined ? undefined : contentExtension(bytes)
    if (bytes !== undefined && extension !== undefined) return { name: `${title}.${extension}`, bytes }
  }
  const program = PROGRAMS.find(([stream]) => streams.has(stream))
  return program === undefined ? undefined : { name: `${title}.${program[1]}`, bytes: write(streams) }
}

/** The document in the container of an embedded object. @throws {ConvertError} `broken` */
export const documentOfObject = (bytes: Buffer, title: string): InnerDocument | undefined =>
  toDocument(readStreams(bytes), title)

/** Folders of embedded objects: Word's in one folder, Excel's next to its own streams. */
const FOLDER = /^(?:ObjectPool\/[^/]+|MBD[0-9A-F]{8})\//i

/** Documents embedded in a document of Word or Excel before 2007; those within them are theirs. None in a container that SheetJS refuses. */
export function embeddedIn({ bytes, readInner }: Pick<Source, 'bytes' | 'readInner'>): InnerDocument[] {
  if (readInner === undefined) return []
  try {
    return findObjects(readStreams(bytes))
  } catch {
    return []
  }
}

function findObjects(all: ReadonlyMap<string, Buffer>): InnerDocument[] {
  const objects = new Map<string, Map<string, Buffer>>()
  for (const [path, content] of all) {
    const folder = FOLDER.exec(path)?.[0]
    if (folder === undefined) continue
    const streams = objects.get(folder) ?? new Map<string, Buffer>()
    objects.set(folder, streams.set(path.slice(folder.length), content))
  }
  return [...objects.values()].flatMap((streams, index) => toDocument(streams, `object ${index + 1}`) ?? [])
}
