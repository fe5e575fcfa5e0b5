import { readFile, writeFile } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import {
  ADTS,
  BufferSource,
  BufferTarget,
  Conversion,
  FLAC,
  Input,
  type InputAudioTrack,
  type InputFormat,
  MATROSKA,
  MP3,
  MP4,
  Mp4OutputFormat,
  OGG,
  OggOutputFormat,
  Output,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny'
import {
  soundPathOf,
  type Container,
  type Inspection,
  type InspectionAnswer,
  type InspectionCall,
} from './recording.ts'

/** Kinds of recording by their first bytes, checked before a reader opens the file. */
export type Signature = 'ogg' | 'iso' | 'matroska' | 'wav' | 'flac' | 'mpeg'

const ascii = (bytes: Uint8Array, at: number, length: number) => String.fromCharCode(...bytes.subarray(at, at + length))

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

/** Each step moves forward by at least a header, so the loop ends with the file. */
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
      // 0: to the end of the file; 1: a 64-bit size follows the type.
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
        // Live recorders leave the length open.
        return size !== 0 && size < 0xffff_0000 && at + 8 + size > bytes.length
      }
      at += 8 + size + (size % 2)
    }
    return true
  },
  // Live recordings have an open length; the reader then reports missing data.
  matroska: (bytes) => bytes.length < 64,
  // FLAC metadata blocks must come before the sound, the last one marked: without them the reader loops for ever.
  flac(bytes, view) {
    for (let at = 4; at + 4 <= bytes.length;) {
      const head = view.getUint32(at)
      at += 4 + (head & 0xff_ffff)
      if (head >>> 31 === 1) return at >= bytes.length
    }
    return true
  },
  // Frames are independent: a missing end cannot be detected.
  mpeg: () => false,
}

/** Whether the headers announce more data than there is. */
export function isCutOff(signature: Signature, bytes: Uint8Array): boolean {
  return CUT_OFF_CHECKS[signature](bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

// Recordings are untrusted and a broken one may send the reader into an endless loop, so this thread can be terminated.

const READERS: Readonly<Record<Signature, InputFormat[]>> = {
  ogg: [OGG],
  iso: [MP4, QTFF],
  matroska: [WEBM, MATROSKA],
  wav: [WAVE],
  flac: [FLAC],
  mpeg: [MP3, ADTS, FLAC],
}

/** Formats whose header counts samples or frames. */
const EXACT_HEADS: readonly InputFormat[] = [FLAC, MP3]

/** Undefined: a container that model servers do not take. */
const toContainer = (format: InputFormat): Container | undefined => {
  if (format === OGG) return 'ogg'
  if (format === MP4 || format === QTFF) return 'mp4'
  if (format === WEBM) return 'webm'
  if (format === WAVE) return 'wav'
  if (format === MP3) return 'mp3'
  return format === FLAC ? 'flac' : undefined
}

/** The audio packets in a new container, not encoded again; undefined where no container fits the codec. */
async function toSoundAlone(input: Input, audio: InputAudioTrack) {
  const codec = await audio.getCodec()
  const container = codec === 'aac' || codec === 'mp3' ? 'mp4' : 'ogg'
  if (container === 'ogg' && codec !== 'opus' && codec !== 'vorbis') return undefined
  const target = new BufferTarget()
  const format = container === 'mp4' ? new Mp4OutputFormat({ fastStart: 'in-memory' }) : new OggOutputFormat()
  const output = new Output({ format, target })
  const conversion = await Conversion.init({
    input,
    output,
    video: { discard: true },
    audio: (track) => ({ discard: track.id !== audio.id }),
    tags: {},
    showWarnings: false,
  })
  if (!conversion.isValid) return undefined
  await conversion.execute()
  return target.buffer === null ? undefined : ({ container, bytes: new Uint8Array(target.buffer) } as const)
}

async function read(input: Input, path: string): Promise<Inspection> {
  const format = await input.getFormat()
  const audio = await input.getPrimaryAudioTrack()
  if (audio === null) return { kind: (await input.getTracks()).length === 0 ? 'broken' : 'silent' }
  const seconds = await input.computeDuration([audio])
  if (!(seconds > 0)) return { kind: 'cut-off' }
  const hasPictures = (await input.getVideoTracks()).length > 0
  // The header announces clearly more than there is. The header of a video counts its pictures, too.
  const declared = hasPictures ? seconds : ((await input.getDurationFromMetadata([audio])) ?? seconds)
  if (declared - seconds > (EXACT_HEADS.includes(format) ? 0.2 : 1)) return { kind: 'cut-off' }
  const container = toContainer(format)
  if (container !== undefined && !hasPictures) return { kind: 'read', container, seconds, isRemade: false }
  const alone = await toSoundAlone(input, audio)
  if (alone !== undefined) {
    await writeFile(soundPathOf(path), alone.bytes, { mode: 0o600 })
    return { kind: 'read', container: alone.container, seconds, isRemade: true }
  }
  return container === undefined ? { kind: 'unknown' } : { kind: 'read', container, seconds, isRemade: false }
}

async function inspect(path: string): Promise<Inspection> {
  const bytes = new Uint8Array(await readFile(path))
  const signature = readSignature(bytes)
  if (signature === undefined) return { kind: 'unknown' }
  if (isCutOff(signature, bytes)) return { kind: 'cut-off' }
  const input = new Input({ source: new BufferSource(bytes), formats: READERS[signature] })
  try {
    if (!(await input.canRead())) return { kind: 'unknown' }
    return await read(input, path)
  } catch {
    return { kind: 'broken' }
  } finally {
    input.dispose()
  }
}

async function answer({ id, path }: InspectionCall): Promise<void> {
  say({ id })
  say({ id, inspection: await inspect(path) })
}

function say(said: InspectionAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(said)
}

parentPort?.on('message', (call: InspectionCall) => void answer(call))
