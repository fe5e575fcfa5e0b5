import { Parser } from 'htmlparser2'
import { ConvertError } from '../reader.ts'
import { type Archive, resolvePart } from './zip.ts'

/** An element; its name without the prefix (`p` for `w:p` and `text:p`), attributes with theirs. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (XmlElement | string)[]
}

/** Deeper than any real document; code may walk the tree recursively. */
const MAX_DEPTH = 400
const MAX_NODES = 5_000_000

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1)

const OPEN_DOCUMENT = 'urn:oasis:names:tc:opendocument:xmlns:'
/** Usual prefixes by the ends of their namespaces, of both forms of Office Open XML. Other programs name them `ns0`. */
const PREFIXES: readonly (readonly [end: string, prefix: string])[] = [
  ['/wordprocessingml/2006/main', 'w'],
  ['/ooxml/wordprocessingml/main', 'w'],
  ['/officeDocument/2006/relationships', 'r'],
  ['/ooxml/officeDocument/relationships', 'r'],
  ['/officeDocument/2006/math', 'm'],
  ['/ooxml/officeDocument/math', 'm'],
  ['/office/word/2010/wordml', 'w14'],
  ['http://www.w3.org/1999/xlink', 'xlink'],
  ...['office', 'text', 'table', 'style', 'presentation'].map((name) => [`${OPEN_DOCUMENT}${name}:1.0`, name] as const),
  [`${OPEN_DOCUMENT}drawing:1.0`, 'draw'],
  [`${OPEN_DOCUMENT}svg-compatible:1.0`, 'svg'],
  [`${OPEN_DOCUMENT}xsl-fo-compatible:1.0`, 'fo'],
]
/** Elements that declare namespaces are the outermost ones. */
const MAX_DECLARING = 3

/** Gives attributes their usual prefixes. */
function createRenaming() {
  const usual = new Map<string, string>()
  const learn = (attributes: XmlElement['attributes']) => {
    for (const [key, address] of Object.entries(attributes)) {
      const prefix = key.startsWith('xmlns:') ? key.slice(6) : undefined
      const known = prefix === undefined ? undefined : PREFIXES.find(([end]) => address.endsWith(end))?.[1]
      if (prefix !== undefined && known !== undefined && known !== prefix) usual.set(prefix, known)
    }
  }
  const rename = (attributes: XmlElement['attributes'], depth: number): XmlElement['attributes'] => {
    if (depth <= MAX_DECLARING) learn(attributes)
    if (usual.size === 0) return attributes
    return Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => {
        const colon = key.indexOf(':')
        const known = colon === -1 ? undefined : usual.get(key.slice(0, colon))
        return [known === undefined ? key : `${known}${key.slice(colon)}`, value]
      }),
    )
  }
  return rename
}

/** Takes elements as they end, in place of the tree: a part of a hundred thousand rows is never held as a whole. */
export interface Visit {
  readonly name: string
  readonly take: (element: XmlElement) => void
  /** Called for the elements around those that are taken. */
  readonly open?: (name: string, attributes: XmlElement['attributes']) => void
  readonly close?: (name: string) => void
}

/** Bytes decoded at a time. */
const CHUNK_BYTES = 64 * 1024

/** @throws {ConvertError} `broken` when it is nested too deeply, or holds no element. */
function parseXml(bytes: Buffer, visit?: Visit): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [] }
  const open = [root]
  let nodes = 0
  const rename = createRenaming()
  /** The element that will be taken, and the number of those before it. */
  let taken: { readonly element: XmlElement; readonly before: number } | undefined
  const parser = new Parser(
    {
      onopentag(name, written) {
        const attributes = rename(written, open.length)
        const element: XmlElement = { name: withoutPrefix(name), attributes, children: [] }
        if (taken === undefined && element.name === visit?.name) taken = { element, before: nodes }
        else if (taken === undefined) visit?.open?.(element.name, attributes)
        nodes += 1
        if (open.length > MAX_DEPTH) throw new ConvertError('broken')
        if (nodes > MAX_NODES) throw new ConvertError('too-big')
        open.at(-1)?.children.push(element)
        open.push(element)
      },
      ontext(text) {
        const parts = open.at(-1)?.children
        const last = parts?.at(-1)
        if (parts === undefined) return
        if (typeof last === 'string') parts[parts.length - 1] = last + text
        else parts.push(text)
      },
      onclosetag() {
        const element = open.pop()
        if (taken === undefined && element !== undefined) visit?.close?.(element.name)
        if (taken === undefined || element !== taken.element) return
        open.at(-1)?.children.pop()
        nodes = taken.before
        taken = undefined
        visit?.take(element)
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  const decoder = createXmlDecoder(bytes)
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    parser.write(decoder.decode(bytes.subarray(at, at + CHUNK_BYTES), { stream: true }))
  }
  parser.end(decoder.decode())
  const first = elements(root)[0]
  if (first === undefined) throw new ConvertError('broken')
  return first
}

/** Whether the end of a part is missing: it does not close its first element. */
function isCut(bytes: Buffer): boolean {
  const root = /<([\w:.-]+)/.exec(decodeXml(bytes.subarray(0, 4096)))?.[1]
  const end = decodeXml(bytes.subarray(-256)).trimEnd()
  return root !== undefined && !new RegExp(`(?:</${RegExp.escape(root)}\\s*|/|--|\\?)>\0*$`).test(end)
}

function toTree(archive: Archive, name: string, bytes: Buffer | undefined, visit?: Visit): XmlElement | undefined {
  if (bytes === undefined) return undefined
  if (isCut(bytes)) archive.lose(name)
  try {
    return parseXml(bytes, visit)
  } catch (error) {
    if (!(error instanceof ConvertError) || error.failure !== 'broken') throw error
    archive.lose(name)
    return undefined
  }
}

/**
 * Tree of a part that another one names; undefined, and lost, where it is missing or damaged. A cut part is lost, too.
 *
 * @param visit Elements that are taken one by one; the tree is without them.
 */
export const readTree = (archive: Archive, name: string | undefined, visit?: Visit): XmlElement | undefined =>
  name === undefined ? undefined : toTree(archive, name, archive.need(name), visit)

/** Tree of a part that need not be there. */
export const findTree = (archive: Archive, name: string): XmlElement | undefined =>
  toTree(archive, name, archive.read(name))

function createXmlDecoder(bytes: Buffer): TextDecoder {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  return new TextDecoder(isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8')
}

export const decodeXml = (bytes: Buffer): string => createXmlDecoder(bytes).decode(bytes)

export function elements(parent: XmlElement | undefined, name?: string): XmlElement[] {
  const all = parent?.children.filter((part) => typeof part !== 'string') ?? []
  return name === undefined ? all : all.filter((element) => element.name === name)
}

/** Follows a path of names: the first child of each name. */
export function child(parent: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  let at = parent
  for (const name of path) at = elements(at, name)[0]
  return at
}

/** Every element of the name below, in document order. */
export function descendants(parent: XmlElement | undefined, name: string): XmlElement[] {
  return elements(parent).flatMap((element) => [
    ...(element.name === name ? [element] : []),
    ...descendants(element, name),
  ])
}

export function textOf(parent: XmlElement | undefined): string {
  return (parent?.children ?? []).map((part) => (typeof part === 'string' ? part : textOf(part))).join('')
}

/** Targets of the relations of a part of an Office file. */
export interface Relations {
  readonly target: (id: string | undefined) => string | undefined
  /** The first relation of a type, by the end of the type's address. */
  readonly ofType: (type: string) => string | undefined
  readonly allOfType: (type: string) => readonly string[]
}

export function readRelations(archive: Archive, part: string): Relations {
  const slash = part.lastIndexOf('/') + 1
  const root = findTree(archive, `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`)
  const byId = new Map<string, string>()
  const byType = new Map<string, string[]>()
  for (const { attributes } of elements(root)) {
    const { Id: id = '', Type: type = '', Target: target, TargetMode: mode } = attributes
    if (target === undefined) continue
    const path = mode === 'External' ? target : resolvePart(part, target)
    const name = type.slice(type.lastIndexOf('/') + 1)
    if (!byId.has(id)) byId.set(id, path)
    const ofType = byType.get(name)
    if (ofType === undefined) byType.set(name, [path])
    else ofType.push(path)
  }
  return {
    target: (id) => (id === undefined ? undefined : byId.get(id)),
    ofType: (type) => byType.get(type)?.[0],
    allOfType: (type) => byType.get(type) ?? [],
  }
}
