import { Worker } from 'node:worker_threads'
import { AUDIO_LIMITS } from '#platform/wire/voice.ts'
import { EngineError } from '../errors.ts'
import { threadEnvironment } from '../storage/thread.ts'
import {
  soundPathOf,
  type Container,
  type Inspection,
  type InspectionAnswer,
  type ReadRecording,
  type Recording,
} from './recording.ts'

/** Time limit of one inspection; a good recording takes milliseconds. */
const DEFAULT_TIMEOUT_MS = 10_000
/** Time that the idle thread is kept. */
const IDLE_MS = 60_000

/** The thread; a test has its own. */
const SCRIPT = new URL('./inspect-worker.ts', import.meta.url)

export interface Inspector {
  /**
   * Inspects a recording: container, length, sound. The content decides: a wrong name or type is corrected, and a video
   * is reduced to its sound.
   *
   * @throws {EngineError} `invalid` (empty, cut off, broken, silent), `unsupported` (no recording), `too-large`
   */
  inspect(recording: Recording): Promise<ReadRecording>
  close(): Promise<void>
}

/** Extensions that model servers know, the usual one first, and the type. */
const CONTAINER_NAMES: Readonly<Record<Container, { readonly extensions: readonly string[]; readonly type: string }>> =
  {
    ogg: { extensions: ['ogg', 'oga'], type: 'audio/ogg' },
    mp4: { extensions: ['m4a', 'mp4'], type: 'audio/mp4' },
    webm: { extensions: ['webm'], type: 'audio/webm' },
    wav: { extensions: ['wav'], type: 'audio/wav' },
    mp3: { extensions: ['mp3', 'mpga', 'mpeg'], type: 'audio/mpeg' },
    flac: { extensions: ['flac'], type: 'audio/flac' },
  }

function toName(name: string, container: Container, remade: boolean): string {
  const { extensions } = CONTAINER_NAMES[container]
  const dot = name.lastIndexOf('.')
  const extension = dot < 0 ? '' : name.slice(dot + 1).toLowerCase()
  if (!remade && extensions.includes(extension)) return name
  return `${dot <= 0 ? name : name.slice(0, dot)}.${extensions[0]}`
}

const toMinutes = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

function refuse(kind: Exclude<Inspection['kind'], 'read'>, name: string): EngineError {
  switch (kind) {
    case 'unknown':
      return new EngineError(
        'unsupported',
        `${name} is no recording that can be read: send m4a, ogg, webm, mp3, wav or flac.`,
        { reason: 'unsupported_audio' },
      )
    case 'cut-off':
      return new EngineError('invalid', `${name} breaks off: the end is missing. Send it again.`, {
        reason: 'audio_cut_off',
      })
    case 'silent':
      return new EngineError('invalid', `There is no sound in ${name}: record it again.`, { reason: 'no_audio' })
    case 'broken':
    default:
      return new EngineError('invalid', `${name} is damaged and cannot be heard: record it again.`, {
        reason: 'audio_broken',
      })
  }
}

function checkSize({ name, sizeBytes }: Recording): void {
  if (sizeBytes === 0) {
    throw new EngineError('invalid', 'The recording is empty: record it again.', { reason: 'empty_file' })
  }
  if (sizeBytes > AUDIO_LIMITS.bytes) {
    const most = Math.round(AUDIO_LIMITS.bytes / (1024 * 1024))
    throw new EngineError('too-large', `${name} is larger than ${most} MB: send a shorter recording.`, {
      reason: 'recording_too_large',
    })
  }
}

function toRead(recording: Recording, inspection: Extract<Inspection, { kind: 'read' }>): ReadRecording {
  const { container, seconds, isRemade } = inspection
  if (seconds > AUDIO_LIMITS.seconds) {
    throw new EngineError(
      'too-large',
      `${recording.name} is ${toMinutes(seconds)} long, and ${toMinutes(AUDIO_LIMITS.seconds)} is the most: send it in parts.`,
      { reason: 'recording_too_long' },
    )
  }
  return {
    name: toName(recording.name, container, isRemade),
    mimeType: CONTAINER_NAMES[container].type,
    path: isRemade ? soundPathOf(recording.path) : recording.path,
    container,
    seconds,
  }
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createInspector(timeoutMs: number = DEFAULT_TIMEOUT_MS, script: URL = SCRIPT): Inspector {
  let worker: Worker | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined
  let lastId = 0
  let closed = false

  const stop = async () => {
    clearTimeout(idle)
    const ending = worker
    worker = undefined
    await ending?.terminate()
  }

  function use(): Worker {
    clearTimeout(idle)
    // The thread must not inherit the flags of the process (debugger, test runner).
    if (worker !== undefined) return worker
    const started = new Worker(script, {
      execArgv: [],
      // It reads hostile bytes: it sees no keys.
      env: threadEnvironment(),
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      // The reader prints warnings without a remedy.
      stdout: true,
      stderr: true,
    })
    started.stdout.resume()
    started.stderr.resume()
    // A recording may still do harm when its answer is out: the next one gets a new thread.
    started
      .on('error', () => undefined)
      .on('exit', () => {
        if (worker === started) worker = undefined
      })
    worker = started
    return started
  }

  async function ask(path: string): Promise<Inspection> {
    const thread = use()
    lastId += 1
    const id = lastId
    let settle: ((inspection: Inspection) => void) | undefined
    const answered = new Promise<Inspection>((resolve) => (settle = resolve))
    const giveUp = () => {
      // Out of memory, a crash and a timeout all mean a bad recording.
      if (worker === thread) worker = undefined
      void thread.terminate()
      settle?.({ kind: 'broken' })
    }
    let timer: NodeJS.Timeout | undefined
    const onMessage = (answer: InspectionAnswer) => {
      if (answer.id !== id) return
      // The clock starts when the thread has started: a busy machine is no fault of the recording.
      if (answer.inspection === undefined) timer = setTimeout(giveUp, timeoutMs)
      else settle?.(answer.inspection)
    }
    thread.on('message', onMessage).once('error', giveUp).once('exit', giveUp)
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage({ id, path })
      return await answered
    } finally {
      clearTimeout(timer)
      thread.off('message', onMessage).off('error', giveUp).off('exit', giveUp)
      idle = setTimeout(() => void stop(), IDLE_MS)
      idle.unref()
      worker?.unref()
    }
  }

  return {
    async inspect(recording) {
      checkSize(recording)
      const result = queue.then(() => (closed ? undefined : ask(recording.path)))
      queue = result.catch(() => undefined)
      const inspection = await result
      // A thread that was ended says nothing about its recording.
      if (closed || inspection === undefined) {
        throw new EngineError('closed', 'Footbridge is stopping: try again in a moment.')
      }
      if (inspection.kind === 'read') return toRead(recording, inspection)
      throw refuse(inspection.kind, recording.name)
    },
    async close() {
      closed = true
      await stop()
      await queue
    },
  }
}
