import { parentPort } from 'node:worker_threads'
import {
  ADTS,
  BufferSource,
  BufferTarget,
  Conversion,
  FLAC,
  Input,
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
  type InputAudioTrack,
  type InputFormat,
} from 'mediabunny'
import { isCutOff, readSignature, type Signature } from './containers.ts'
import type { Inspection, InspectionAnswer, InspectionCall } from './inspection.ts'
import type { Container } from './recording.ts'

// Recordings come from strangers, and a reader may run in circles over a broken one: this thread can be ended.

const READERS: Readonly<Record<Signature, InputFormat[]>> = {
  ogg: [OGG],
  iso: [MP4, QTFF],
  matroska: [WEBM, MATROSKA],
  wav: [WAVE],
  flac: [FLAC],
  mpeg: [MP3, ADTS, FLAC],
}

/** Their heads count samples or frames. */
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

/** The packets of the sound in a container of their own, not encoded anew; undefined where none fits the codec. */
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

async function read(input: Input): Promise<Inspection> {
  const format = await input.getFormat()
  const audio = await input.getPrimaryAudioTrack()
  if (audio === null) return { kind: (await input.getTracks()).length === 0 ? 'broken' : 'silent' }
  const seconds = await input.computeDuration([audio])
  if (!(seconds > 0)) return { kind: 'cut-off' }
  const hasPictures = (await input.getVideoTracks()).length > 0
  // The head promises more than came, by more than rounding. That of a clip counts its pictures, too.
  const declared = hasPictures ? seconds : ((await input.getDurationFromMetadata([audio])) ?? seconds)
  if (declared - seconds > (EXACT_HEADS.includes(format) ? 0.2 : 1)) return { kind: 'cut-off' }
  const container = toContainer(format)
  if (container !== undefined && !hasPictures) return { kind: 'read', container, seconds }
  const alone = await toSoundAlone(input, audio)
  if (alone !== undefined) return { kind: 'read', seconds, ...alone }
  return container === undefined ? { kind: 'unknown' } : { kind: 'read', container, seconds }
}

async function inspect(bytes: Uint8Array<ArrayBuffer>): Promise<Inspection> {
  const signature = readSignature(bytes)
  if (signature === undefined) return { kind: 'unknown' }
  if (isCutOff(signature, bytes)) return { kind: 'cut-off' }
  const input = new Input({ source: new BufferSource(bytes), formats: READERS[signature] })
  try {
    if (!(await input.canRead())) return { kind: 'unknown' }
    return await read(input)
  } catch {
    return { kind: 'broken' }
  } finally {
    input.dispose()
  }
}

async function answer({ id, bytes }: InspectionCall): Promise<void> {
  say({ id })
  say({ id, inspection: await inspect(bytes) })
}

function say(said: InspectionAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(said)
}

parentPort?.on('message', (call: InspectionCall) => void answer(call))
