import { texts } from '../texts.ts'

export interface Recording {
  /** Ends it and gives the memo. */
  readonly finish: () => Promise<{ readonly bytes: Blob; readonly name: string; readonly durationMs: number }>
  readonly cancel: () => void
}

/** Why there is no recording, as a sentence. */
export class RecorderError extends Error {
  override readonly name = 'RecorderError'
}

const TYPES = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4']

/** Asks for the microphone and records until `finish` or `cancel`. */
export async function startRecording(): Promise<Recording> {
  // Browsers hide both over plain http beyond localhost.
  if (!('mediaDevices' in navigator) || typeof MediaRecorder === 'undefined') {
    throw new RecorderError(texts.noRecorder)
  }
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch((error: unknown) => {
    throw new RecorderError(sentenceFor(error))
  })
  const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type))
  const recorder = new MediaRecorder(stream, mimeType ? { mimeType } : {})
  const pieces: Blob[] = []
  recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data))
  const beganAt = performance.now()
  recorder.start(1000)

  const end = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  return {
    async finish() {
      const durationMs = performance.now() - beganAt
      const { promise, resolve } = Promise.withResolvers<void>()
      recorder.addEventListener('stop', () => resolve(), { once: true })
      if (recorder.state === 'inactive') resolve()
      else recorder.stop()
      await promise
      end()
      // The plain type: some services take the codec parameter for a part of the name.
      const type = (recorder.mimeType.split(';', 1)[0] ?? '') || 'audio/webm'
      const bytes = new Blob(pieces, { type })
      if (bytes.size === 0) throw new RecorderError(texts.memoEmpty)
      return { bytes, name: memoName(type), durationMs }
    },
    cancel() {
      if (recorder.state !== 'inactive') recorder.stop()
      end()
    },
  }
}

function memoName(type: string): string {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(/[:T]/g, '-')
  const ending = type === 'audio/mp4' ? 'm4a' : (type.split('/')[1] ?? 'webm')
  return `memo-${stamp}.${ending}`
}

function sentenceFor(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotFoundError') return texts.noMicrophone
  if (name === 'NotAllowedError' || name === 'SecurityError') return texts.microphoneDenied
  return texts.microphoneFailed
}
