/** Kinds of recording by their first bytes, before a reader is let at them. */
export type Signature = 'ogg' | 'iso' | 'matroska' | 'wav' | 'flac' | 'mpeg'

const ascii = (bytes: Uint8Array, at: number, length: number) =>
  String.fromCharCode(...bytes.subarray(at, at + length))

export function readSignature(bytes: Uint8Array): Signature | undefined {
  const four = ascii(bytes, 0, 4)
  if (four === 'OggS') return 'ogg'
  if (four === 'fLaC') return 'flac'
  if ((four === 'RIFF' || four === 'RF64') && ascii(bytes, 8, 4) === 'WAVE') return 'wav'
  if (ascii(bytes, 4, 4) === 'ftyp') return 'iso'
  if (four === '\u001aE\u00df\u00a3') return 'matroska'
  const isFrame = bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0
  return four.startsWith('ID3') || isFrame ? 'mpeg' : undefined
}

/** Each walk goes on by at least a head a step, so none is longer than the file. */
const CUT_OFF_CHECKS: Readonly<Record<Signature, (bytes: Uint8Array, view: DataView) => boolean>> = {
  ogg(bytes, view) {
    for (let at = 0; at < bytes.length;) {
      if (at + 27 > bytes.length || ascii(bytes, at, 4) !== 'OggS') return true
      const segments = view.getUint8(at + 26)
      if (at + 27 + segments > bytes.length) return true
      let size = 27 + segments
      for (let one = 0; one < segments; one += 1) size += view.getUint8(at + 27 + one)
      at += size
      if (at > bytes.length) return true
    }
    return false
  },
  iso(bytes, view) {
    let hasIndex = false
    for (let at = 0; at < bytes.length;) {
      if (at + 8 > bytes.length) return true
      const type = ascii(bytes, at + 4, 4)
      if (type === 'moov') hasIndex = true
      let size = view.getUint32(at)
      // 0: to the end of the file; 1: the size stands in 64 bits behind the type.
      if (size === 0) return !hasIndex
      if (size === 1) {
        if (at + 16 > bytes.length) return true
        size = Number(view.getBigUint64(at + 8))
      }
      if (size < 8 || at + size > bytes.length) return true
      at += size
    }
    return !hasIndex
  },
  wav(bytes, view) {
    for (let at = 12; at + 8 <= bytes.length;) {
      const size = view.getUint32(at + 4, true)
      if (ascii(bytes, at, 4) === 'data') {
        // A recorder that does not know the length beforehand leaves it open.
        return size !== 0 && size < 0xffff_0000 && at + 8 + size > bytes.length
      }
      at += 8 + size + (size % 2)
    }
    return true
  },
  // An open length (a live recording) is usual; the reader tells what is missing then.
  matroska: (bytes) => bytes.length < 64,
  // Blocks of facts, the last of them marked, then the sound: without any, a reader runs in circles.
  flac(bytes, view) {
    for (let at = 4; at + 4 <= bytes.length;) {
      const head = view.getUint32(at)
      at += 4 + (head & 0xff_ffff)
      if (head >>> 31 === 1) return at >= bytes.length
    }
    return true
  },
  // Frames stand for themselves: a cut cannot be told.
  mpeg: () => false,
}

/** Whether the file says that there should be more of it. */
export function isCutOff(signature: Signature, bytes: Uint8Array): boolean {
  return CUT_OFF_CHECKS[signature](bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}
