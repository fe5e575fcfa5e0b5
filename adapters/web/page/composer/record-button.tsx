import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { formatDuration } from '../format.ts'
import { Icon } from '../shell/icons.tsx'
import { RecorderError, startRecording, type Recording } from './recorder.ts'
import { texts } from '../texts.ts'

interface RecordButtonProps {
  readonly onMemo: (memo: {
    readonly bytes: Blob
    readonly name: string
    readonly durationMs: number
  }) => void
  readonly onProblem: (problem: string) => void
}

/** Starts and ends a voice memo; while it runs, shows for how long. */
export function RecordButton({ onMemo, onProblem }: RecordButtonProps): VNode {
  const recording = useRef<Recording | undefined>(undefined)
  const [running, setRunning] = useState(false)
  const [done, setDone] = useState(false)
  useEffect(() => () => recording.current?.cancel(), [])

  const fail = (error: unknown) => {
    setRunning(false)
    onProblem(error instanceof RecorderError ? error.message : texts.microphoneFailed)
  }
  const start = async () => {
    setDone(false)
    onProblem('')
    recording.current = await startRecording()
    setRunning(true)
  }
  const finish = async () => {
    const memo = await recording.current?.finish()
    recording.current = undefined
    setRunning(false)
    setDone(true)
    if (memo) onMemo(memo)
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
