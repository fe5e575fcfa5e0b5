import { spawn } from 'node:child_process'
import { EngineError } from '../../errors.ts'
import type { Container } from '../recording.ts'

const DEMUXERS: Readonly<Record<Container, string>> = {
  ogg: 'ogg',
  mp4: 'mov',
  webm: 'matroska',
  wav: 'wav',
  mp3: 'mp3',
  flac: 'flac',
}

export interface ToPcm {
  readonly from: string
  readonly to: string
  readonly container: Container
  readonly timeoutMs: number
  /** Default: the one on PATH. */
  readonly ffmpeg?: string
  readonly signal?: AbortSignal | undefined
}

/**
 * Turns a recording into 16-bit samples, mono, 16 kHz, by ffmpeg. It reads the one container that the recording was
 * found to be, and nothing but files: one that names other files or addresses gets nothing.
 *
 * @throws {EngineError} `not-configured` without ffmpeg; `invalid` when it cannot read the recording
 */
export async function toPcm({
  from,
  to,
  container,
  timeoutMs,
  ffmpeg = 'ffmpeg',
  signal,
}: ToPcm): Promise<void> {
  const input = ['-f', DEMUXERS[container], '-protocol_whitelist', 'file', '-i', from]
  const output = ['-map', '0:a:0', '-ac', '1', '-ar', '16000', '-f', 's16le', '-y', to]
  const stop = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])])
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = spawn(ffmpeg, ['-nostdin', '-v', 'error', ...input, ...output], {
    stdio: 'ignore',
    signal: stop,
    killSignal: 'SIGKILL',
  })
  child.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') {
      reject(
        new EngineError(
          'not-configured',
          'TRANSCRIPTION_MODEL_FILE needs ffmpeg, which is not installed: install it (Debian: apt-get install ffmpeg), or set UPSTREAM_TRANSCRIPTION_MODEL instead.',
          { reason: 'no_ffmpeg', cause: error },
        ),
      )
    } else if (signal?.aborted === true) reject(new EngineError('aborted', 'The request was stopped.'))
    else reject(broken())
  })
  child.once('close', (code) => (code === 0 ? resolve() : reject(broken())))
  await promise
}

const broken = () =>
  new EngineError('invalid', 'The recording is damaged and cannot be heard: record it again.', {
    reason: 'audio_broken',
  })
