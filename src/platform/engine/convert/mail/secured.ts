/** A part of ASN.1 in BER: mails are written in pieces of unknown length, too (X.690 section 8.1.3). */
interface Part {
  readonly tag: number
  /** Where its content begins and ends, and where the next part begins. */
  readonly from: number
  readonly to: number
  readonly next: number
}

const [SEQUENCE, OBJECT_ID, OCTETS, OCTETS_IN_PIECES, EXPLICIT] = [0x30, 0x06, 0x04, 0x24, 0xa0]
const MAX_DEPTH = 20
/** Pieces are read once for each of eight levels: a mail of 50 MB in pieces of 1 kB takes 400,000. */
const MAX_PARTS = 500_000

/** The state of reading one file. */
interface Reading {
  readonly bytes: Buffer
  partsLeft: number
}

/** @returns undefined where the bytes are damaged, nested too deeply, or in too many parts */
function readPart(reading: Reading, at: number, end: number, depth = 0): Part | undefined {
  const { bytes } = reading
  reading.partsLeft -= 1
  if (reading.partsLeft < 0) return undefined
  const [tag, first] = [bytes[at], bytes[at + 1]]
  if (tag === undefined || first === undefined || at + 2 > end || depth > MAX_DEPTH) return undefined
  if (first === 0x80) return readOpen(reading, { tag, from: at + 2 }, end, depth)
  const count = first > 0x80 ? first - 0x80 : 0
  if (count > 4 || at + 2 + count > end) return undefined
  const size = count === 0 ? first : bytes.readUIntBE(at + 2, count)
  const from = at + 2 + count
  return from + size > end ? undefined : { tag, from, to: from + size, next: from + size }
}

/** A part without a length ends with two zero bytes. */
function readOpen(reading: Reading, { tag, from }: Pick<Part, 'tag' | 'from'>, end: number, depth: number) {
  const { bytes } = reading
  for (let at = from; at + 2 <= end;) {
    if (bytes[at] === 0 && bytes[at + 1] === 0) return { tag, from, to: at, next: at + 2 }
    const inner = readPart(reading, at, end, depth + 1)
    if (inner === undefined) return undefined
    at = inner.next
  }
  return undefined
}

function partsOf(reading: Reading, { from, to }: Part): readonly Part[] {
  const parts: Part[] = []
  for (let at = from; at < to;) {
    const part = readPart(reading, at, to)
    if (part === undefined) break
    parts.push(part)
    at = part.next
  }
  return parts
}

/** The first part of this kind within another. */
const within = (reading: Reading, part: Part | undefined, tag: number) =>
  part && partsOf(reading, part).find((one) => one.tag === tag)

function octetsOf(reading: Reading, part: Part): Buffer {
  const { bytes } = reading
  if (part.tag === OCTETS) return bytes.subarray(part.from, part.to)
  return Buffer.concat(partsOf(reading, part).map((one) => bytes.subarray(one.from, one.to)))
}

/** Object identifiers in hex (RFC 5652, RFC 3274, RFC 5083). */
const KINDS: ReadonlyMap<string, 'signed' | 'locked'> = new Map([
  ['2a864886f70d010702', 'signed'],
  ['2a864886f70d010703', 'locked'],
  ['2a864886f70d010706', 'locked'],
  ['2a864886f70d0109100117', 'locked'],
])

/** Mails locked with PGP, and by rights management of Outlook. */
const LOCKED_TYPES = new Set(['application/pgp-encrypted', 'application/x-microsoft-rpmsg-message'])

/** A mail that is signed or encrypted as a whole. */
export type Secured = { readonly kind: 'locked' } | { readonly kind: 'signed'; readonly mail: Buffer }

const isPkcs7 = (type: string, name: string) =>
  /^application\/(?:x-)?pkcs7-mime$/.test(type) || (/^application\/octet-stream$/.test(type) && /\.p7[mz]$/i.test(name))

/** @returns undefined for another attachment, and for one that is damaged */
export function readSecured(type: string, name: string, content: Uint8Array): Secured | undefined {
  if (LOCKED_TYPES.has(type.toLowerCase()) || /\.rpmsg$/i.test(name)) return { kind: 'locked' }
  if (!isPkcs7(type.toLowerCase(), name)) return undefined
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const reading = { bytes, partsLeft: MAX_PARTS }
  const whole = readPart(reading, 0, bytes.length)
  const id = within(reading, whole, OBJECT_ID)
  const kind = id && KINDS.get(bytes.toString('hex', id.from, id.to))
  if (kind !== 'signed') return kind && { kind }
  const signed = within(reading, within(reading, whole, EXPLICIT), SEQUENCE)
  const held = within(reading, within(reading, signed, SEQUENCE), EXPLICIT)
  const octets = held && partsOf(reading, held).find(({ tag }) => tag === OCTETS || tag === OCTETS_IN_PIECES)
  const mail = octets && octetsOf(reading, octets)
  return mail && reading.partsLeft >= 0 ? { kind, mail } : undefined
}
