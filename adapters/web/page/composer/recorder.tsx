import { texts } from '../texts.ts'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { formatDuration } from '../format.ts'
import { Icon } from '../parts/icons.tsx'

export interface Recording {
  /** Ends the recording and returns the voice message. */
  readonly finish: () => Promise<{ readonly bytes: Blob; readonly name: string; readonly durationMs: number }>
  readonly cancel: () => void
}

/** Why there is no recording, as a sentence. */
class RecorderError extends Error {
  override readonly name = 'RecorderError'
}

const TYPES = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4']

/** Asks for the microphone and records until `finish` or `cancel`. */
async function startRecording(): Promise<Recording> {
  // Browsers hide both over plain http beyond localhost.
  if (!('mediaDevices' in navigator) || typeof MediaRecorder === 'undefined') {
    throw new RecorderError(texts.noRecorder)
  }
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch((error: unknown) => {
    throw new RecorderError(sentenceFor(error))
  })
  const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type))
  const recorder = new MediaRecorder(stream, { mimeType })
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
      // Without the codec parameter, which some services misread.
      const type = (recorder.mimeType.split(';', 1)[0] ?? '') || 'audio/webm'
      const bytes = new Blob(pieces, { type })
      if (bytes.size === 0) throw new RecorderError(texts.recordingEmpty)
      return { bytes, name: fileNameFor(type), durationMs }
    },
    cancel() {
      if (recorder.state !== 'inactive') recorder.stop()
      end()
    },
  }
}

function fileNameFor(type: string): string {
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

interface RecordButtonProps {
  readonly onRecorded: (recorded: { readonly bytes: Blob; readonly name: string; readonly durationMs: number }) => void
  readonly onProblem: (problem: string) => void
}

/** Asks for one microphone at a time. The browser may ask the person for minutes: who left meanwhile records nothing. */
function useRecording() {
  const recording = useRef<Recording | undefined>(undefined)
  const isAsking = useRef(false)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      recording.current?.cancel()
    }
  }, [])
  /** False: nothing was started, since the question for a microphone is open or its page is gone. */
  const begin = async (): Promise<boolean> => {
    if (isAsking.current) return false
    isAsking.current = true
    const begun = await startRecording().finally(() => (isAsking.current = false))
    if (isGone.current) {
      begun.cancel()
      return false
    }
    recording.current = begun
    return true
  }
  return { recording, begin }
}

/** Starts and ends a voice message; while it runs, shows for how long. */
export function RecordButton({ onRecorded, onProblem }: RecordButtonProps): VNode {
  const { recording, begin } = useRecording()
  const [running, setRunning] = useState(false)
  const [done, setDone] = useState(false)
  const fail = (error: unknown) => {
    setRunning(false)
    onProblem(error instanceof RecorderError ? error.message : texts.microphoneFailed)
  }
  const start = async () => {
    setDone(false)
    onProblem('')
    if (await begin()) setRunning(true)
  }
  const finish = async () => {
    const recorded = await recording.current?.finish()
    recording.current = undefined
    setRunning(false)
    setDone(true)
    if (recorded) onRecorded(recorded)
  }
  const discard = () => {
    recording.current?.cancel()
    recording.current = undefined
    setRunning(false)
  }
  return (
    <span class={`record ${running ? 'running' : ''}`}>
      <button
        type="button"
        class="icon-button"
        aria-label={running ? texts.stopRecording : texts.record}
        title={running ? texts.stopRecording : texts.record}
        onClick={() => void (running ? finish() : start()).catch(fail)}
      >
        <Icon name={running ? 'stop' : 'microphone'} />
      </button>
      {running && <Elapsed />}
      {running && (
        <button type="button" class="icon-button" aria-label={texts.discardRecording} onClick={discard}>
          <Icon name="trash" />
        </button>
      )}
      <span class="hidden" role="status">
        {running ? texts.recording : done ? texts.recorded : ''}
      </span>
    </span>
  )
}

function Elapsed(): VNode {
  const [elapsedMs, setElapsedMs] = useState(0)
  useEffect(() => {
    const beganAt = performance.now()
    const timer = setInterval(() => setElapsedMs(performance.now() - beganAt), 250)
    return () => clearInterval(timer)
  }, [])
  return (
    <span class="elapsed" aria-hidden="true">
      {formatDuration(Math.floor(elapsedMs / 1000) * 1000)}
    </span>
  )
}
