import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { createInspector } from '#platform/engine/voice/inspect.ts'
import { readContainer, readMemo } from '#test/support/speech.ts'

const inspector = createInspector()
const folder = mkdtempSync(join(tmpdir(), 'footbridge-voice-'))
afterAll(async () => {
  await inspector.close()
  rmSync(folder, { recursive: true, force: true })
})

let count = 0
function stored(name: string, bytes: Uint8Array, mimeType = 'application/octet-stream') {
  const path = join(folder, String((count += 1)))
  writeFileSync(path, bytes)
  return { name, mimeType, path, sizeBytes: bytes.length }
}
const inspect = async (name: string, bytes: Uint8Array) => {
  const read = await inspector.inspect(stored(name, bytes))
  return { ...read, bytes: readFileSync(read.path) }
}

/** 16-bit samples, mono. */
function makeWav(seconds: number, rate: number): Uint8Array<ArrayBuffer> {
  const size = seconds * rate * 2
  const wav = Buffer.alloc(44 + size)
  wav.write('RIFF', 0).toString()
  wav.writeUInt32LE(36 + size, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(rate, 24)
  wav.writeUInt32LE(rate * 2, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(size, 40)
  return new Uint8Array(wav)
}

describe('a recording that is looked into', () => {
  it.each([
    ['lighthouse.ogg', readMemo('lighthouse.ogg'), 'ogg', 'audio/ogg'],
    ['safety-rules.m4a', readMemo('safety-rules.m4a'), 'mp4', 'audio/mp4'],
    ['password.webm', readMemo('password.webm'), 'webm', 'audio/webm'],
    ['yes.wav', readMemo('yes.wav'), 'wav', 'audio/wav'],
    ['lighthouse.mp3', readContainer('lighthouse.mp3'), 'mp3', 'audio/mpeg'],
    ['lighthouse.flac', readContainer('lighthouse.flac'), 'flac', 'audio/flac'],
    ['live.webm', readContainer('live.webm'), 'webm', 'audio/webm'],
    ['frag.m4a', readContainer('frag.m4a'), 'mp4', 'audio/mp4'],
  ] as const)('%s is known by its content and goes on as it came', async (name, bytes, container, mimeType) => {
    const read = await inspect(name, bytes)
    expect(read).toMatchObject({ name, container, mimeType })
    expect(read.bytes.equals(bytes)).toBe(true)
    expect(read.seconds).toBeGreaterThan(1)
    expect(read.seconds).toBeLessThan(4)
  })

  it.each([
    ['memo.opus', 'memo.ogg'],
    ['memo.m4a', 'memo.ogg'],
    ['memo', 'memo.ogg'],
    ['memo.OGA', 'memo.OGA'],
  ])('%s that is ogg is called %s for the model server', async (name, called) => {
    expect((await inspect(name, readMemo('yes.wav').slice(0, 0)).catch(() => 'empty')) as unknown).toBe('empty')
    expect(await inspect(name, readMemo('lighthouse.ogg'))).toMatchObject({ name: called })
  })

  it.each([
    ['clip.mp4', 'clip.m4a', 'mp4'],
    ['clip.webm', 'clip.ogg', 'ogg'],
    ['lighthouse.aac', 'lighthouse.m4a', 'mp4'],
    ['lighthouse.mka', 'lighthouse.ogg', 'ogg'],
  ])('%s becomes its sound alone, %s', async (name, called, container) => {
    const sent = readContainer(name)
    const read = await inspect(name, sent)
    expect(read).toMatchObject({ name: called, container })
    expect(read.bytes.length).toBeLessThan(sent.length * 1.1)
    // The sound alone is a recording like any other, as long as it was.
    const again = await inspect(called, read.bytes)
    expect(again.bytes.equals(read.bytes)).toBe(true)
    expect(again.seconds).toBeCloseTo(read.seconds, 1)
  })
})

const code = (name: string, bytes: Uint8Array<ArrayBuffer>) =>
  inspect(name, bytes).then(
    () => 'taken',
    (error: Error & { code: string; reason: string }) => [error.code, error.reason, error.message],
  )
const text = (words: string) => new TextEncoder().encode(words)

describe('a recording that is refused', () => {
  it.each([
    ['text', text('hello '.repeat(1000))],
    ['a PDF', text(`%PDF-1.7\n${'x'.repeat(5000)}`)],
    ['noughts', new Uint8Array(10_000)],
    ['three bytes', new Uint8Array([1, 2, 3])],
    ['a zip', text(`PK\u0003\u0004${'x'.repeat(5000)}`)],
  ])('%s under the name of a memo', async (_, bytes) => {
    expect(await code('memo.ogg', bytes)).toEqual([
      'unsupported',
      'unsupported_audio',
      'memo.ogg is no recording that can be read: send m4a, ogg, webm, mp3, wav or flac.',
    ])
  })

  it('nothing at all', async () => {
    expect(await code('memo.ogg', new Uint8Array())).toEqual([
      'invalid',
      'empty_file',
      'The recording is empty: record it again.',
    ])
  })

  it.each([
    ['lighthouse.ogg', readMemo('lighthouse.ogg')],
    ['safety-rules.m4a', readMemo('safety-rules.m4a')],
    ['password.webm', readMemo('password.webm')],
    ['yes.wav', readMemo('yes.wav')],
    ['lighthouse.flac', readContainer('lighthouse.flac')],
    ['lighthouse.mp3', readContainer('lighthouse.mp3')],
    ['frag.m4a', readContainer('frag.m4a')],
  ])('%s without its end', async (name, whole) => {
    expect(await code(name, whole.slice(0, Math.floor(whole.length * 0.6)))).toEqual([
      'invalid',
      'audio_cut_off',
      `${name} breaks off: the end is missing. Send it again.`,
    ])
  })

  it('a clip without sound', async () => {
    expect(await code('silent.mp4', readContainer('silent.mp4'))).toEqual([
      'invalid',
      'no_audio',
      'There is no sound in silent.mp4: record it again.',
    ])
  })

  it('one longer than ten minutes, and says how long it is', async () => {
    expect(await code('lecture.wav', makeWav(601, 8000))).toEqual([
      'too-large',
      'recording_too_long',
      'lecture.wav is 10:01 long, and 10:00 is the most: send it in parts.',
    ])
    expect((await inspect('lecture.wav', makeWav(600, 8000))).seconds).toBe(600)
  })

  it('one larger than 100 MB', async () => {
    expect(await code('lecture.wav', new Uint8Array(100 * 1024 * 1024 + 1))).toEqual([
      'too-large',
      'recording_too_large',
      'lecture.wav is larger than 100 MB: send a shorter recording.',
    ])
  })

  it('a broken one, whatever byte is wrong, and the next good one is read', async () => {
    const whole = readMemo('safety-rules.m4a')
    for (let step = 0; step < 60; step += 1) {
      const broken = whole.slice()
      for (let at = step * 7; at < broken.length; at += 1013) broken[at] = (step * 31 + at) % 256
      const said = await code('memo.m4a', broken)
      expect(said === 'taken' || ['invalid', 'unsupported', 'too-large'].includes(said[0] ?? '')).toBe(true)
    }
    expect(await code('memo.m4a', whole)).toBe('taken')
  })

  it('one over which the reader runs in circles, after a while', async () => {
    const hasty = createInspector(1000)
    // A head, blocks of facts that say they end, and no frame after them.
    const circles = Uint8Array.from([...readContainer('lighthouse.flac').slice(0, 42), ...new Uint8Array(9000)])
    circles[4] = 0x80
    const asked = hasty.inspect(stored('memo.flac', circles, 'audio/flac'))
    await expect(asked).rejects.toMatchObject({ code: 'invalid' })
    expect(await hasty.inspect(stored('m.ogg', readMemo('budget.ogg'), ''))).toMatchObject({ container: 'ogg' })
    await hasty.close()
  })
})

/** Answers, and then fails because of the recording. */
const LATE_FAILURE = `
import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ id }) => {
  parentPort.postMessage({ id })
  parentPort.postMessage({ id, inspection: { kind: 'silent' } })
  setTimeout(() => { throw new Error('late') }, 50)
})`

it('starts a new thread where one ends behind its answer', async () => {
  const late = createInspector(10_000, new URL(`data:text/javascript,${encodeURIComponent(LATE_FAILURE)}`))
  const memo = stored('m.ogg', readMemo('budget.ogg'), '')
  await expect(late.inspect(memo)).rejects.toMatchObject({ reason: 'no_audio' })
  await delay(300)
  await expect(late.inspect(memo)).rejects.toMatchObject({ reason: 'no_audio' })
  await late.close()
})

it('calls no recording damaged because it closes, and looks into none afterwards', async () => {
  const closing = createInspector()
  const memo = stored('lighthouse.ogg', readMemo('lighthouse.ogg'))
  const asked = [closing.inspect(memo), closing.inspect(memo)]
  const ended = Promise.allSettled(asked)
  await delay(1)
  await closing.close()
  expect(await ended).toMatchObject([{ reason: { code: 'closed' } }, { reason: { code: 'closed' } }])
  await expect(closing.inspect(memo)).rejects.toMatchObject({ code: 'closed' })
})
