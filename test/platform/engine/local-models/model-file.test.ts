import { createHash } from 'node:crypto'
import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createModelFile } from '#platform/engine/local-models/model-file.ts'
import { SPEECH_MODEL, toPcm } from '#platform/engine/voice/local/hear.ts'
import { breakOff } from '#test/support/break-off.ts'
import { createLogSink } from '#test/platform/server/platform.ts'

const closing: (() => Promise<unknown>)[] = []
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footbridge-model-'))
  closing.push(() => rm(folder, { recursive: true }))
})
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  )
  return `http://user:pass@127.0.0.1:${(server.address() as AddressInfo).port}/models/ggml.bin?key=secret`
}

function open(source: string, waitMs = 30_000) {
  const sink = createLogSink()
  const file = createModelFile({
    kind: SPEECH_MODEL,
    source,
    folder: join(folder, 'models'),
    log: sink.log,
    waitMs,
    idleMs: 5000,
  })
  closing.push(() => file.close())
  return { file, entries: sink.entries }
}

describe('a model by its path', () => {
  it('is taken when it is one', async () => {
    const path = join(folder, 'own.bin')
    await writeFile(path, 'lmgg and the rest')
    expect(await open(path).file.path()).toBe(path)
  })

  it('is refused with a sentence when it is not there or something else', async () => {
    const path = join(folder, 'page.bin')
    await writeFile(path, '<html>')
    await expect(open(path).file.path()).rejects.toThrow('page.bin is no speech model in the format of whisper.cpp')
    await expect(open(join(folder, 'gone.bin')).file.path()).rejects.toThrow(
      'gone.bin is not there: set TRANSCRIPTION_MODEL_FILE to the path or address of one.',
    )
  })
})

describe('a model by its address', () => {
  it.each([
    [
      'is not there',
      (_: unknown, response: Parameters<RequestListener>[1]) => response.writeHead(404).end(),
      'status 404',
    ],
    [
      'breaks off',
      (_: unknown, response: Parameters<RequestListener>[1]) => {
        response.writeHead(200, { 'content-length': 1000 })
        response.write('lmgg')
        setImmediate(() => response.destroy())
      },
      'cannot be downloaded',
    ],
    [
      'is a page',
      (_: unknown, response: Parameters<RequestListener>[1]) => response.end('<html>sign in</html>'),
      'is no speech model',
    ],
  ])('that %s is refused, leaves nothing behind, and is tried anew', async (_, answer, sentence) => {
    const answers: RequestListener[] = [answer, (_request, response) => response.end('lmgg whole')]
    const { file, entries } = open(await serve((request, response) => answers.shift()?.(request, response)))
    const refused = await file.path().catch((error: Error) => error.message)
    expect(refused).toContain(sentence)
    expect(refused).not.toMatch(/secret|pass/)
    expect(await readdir(join(folder, 'models'))).toEqual([])
    expect(await file.path()).toMatch(/-ggml\.bin$/)
    expect(JSON.stringify(entries)).not.toMatch(/secret|pass/)
  })

  it('with a checksum is taken only when it fits', async () => {
    const source = await serve((_, response) => response.end('lmgg whole'))
    const sum = createHash('sha256').update('lmgg whole').digest('hex')
    await expect(
      open(`${source}#sha256=${sum.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))}`).file.path(),
    ).rejects.toThrow(`its SHA-256 is ${sum}`)
    expect(await readdir(join(folder, 'models'))).toEqual([])
    expect(await open(`${source}#sha256=${sum.toUpperCase()}`).file.path()).toMatch(/-ggml\.bin$/)
  })

  it('that breaks off is continued where the server has the same bytes, and from the beginning where it has others', async () => {
    const ranges: (string | undefined)[] = []
    let etag = '"one"'
    const whole = 'lmgg and the rest'
    const source = await serve((request, response) => {
      const { range } = request.headers
      ranges.push(range)
      const from = range !== undefined && request.headers['if-range'] === etag ? Number(/\d+/.exec(range)?.[0]) : 0
      response.writeHead(from > 0 ? 206 : 200, { etag, 'content-length': whole.length - from })
      response.write(whole.slice(from, from + 6))
      // Each answer holds six bytes, except the last.
      if (from + 6 < whole.length && ranges.length !== 5) void breakOff(response, folder, from + 6)
      else response.end(whole.slice(from + 6))
    })
    const { file } = open(source)
    const failures: string[] = []
    const attempt = () => file.path().catch((error: Error) => failures.push(error.message))
    await attempt()
    await attempt()
    etag = '"another"'
    await attempt()
    await attempt()
    expect(await readFile(String(await attempt()), 'utf8')).toBe(whole)
    expect(ranges).toEqual([undefined, 'bytes=6-', 'bytes=12-', 'bytes=6-', 'bytes=12-'])
    expect(failures).toHaveLength(4)
    expect(await readdir(join(folder, 'models'))).toHaveLength(1)
  })

  it('is followed to the store of a model hub, whose stated checksum holds', async () => {
    let stated = createHash('sha256').update('lmgg whole').digest('hex')
    const source = await serve((request, response) => {
      if (request.url?.startsWith('/store') === true) return response.end('lmgg whole')
      return response.writeHead(302, { location: '/store/1', 'x-linked-etag': `"${stated}"` }).end()
    })
    expect(await readFile(await open(source).file.path(), 'utf8')).toBe('lmgg whole')
    stated = '0'.repeat(64)
    await rm(join(folder, 'models'), { recursive: true })
    await expect(open(source).file.path()).rejects.toThrow(`not ${stated}`)
  })

  it('that leads in a circle is given up', async () => {
    const source = await serve((_, response) => response.writeHead(302, { location: '/again' }).end())
    await expect(open(source).file.path()).rejects.toThrow('more than 5 other addresses')
  })

  it.each([
    ['http://models.example/ggml.bin', 'use https, or add #sha256='],
    ['https://models.example/ggml.bin#sha256=12', 'is no SHA-256'],
  ])('%s is refused before it is asked', async (source, sentence) => {
    await expect(open(source).file.path()).rejects.toThrow(sentence)
  })

  it('that nobody answers at is told, with what to do', async () => {
    await expect(open('http://127.0.0.1:1/ggml.bin').file.path()).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(
        /cannot be downloaded from http:\/\/127\.0\.0\.1:1\/ggml\.bin .*by hand and name its path/,
      ),
    })
  })

  it('that takes long lets the memo come back later, and goes on meanwhile', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<() => void>()
    const source = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 8 })
      response.write('lmgg')
      resolve(() => response.end('rest'))
    })
    const { file } = open(source, 1500)
    await expect(file.path()).rejects.toMatchObject({
      status: 503,
      retryAfterMs: 60_000,
      message: expect.stringMatching(/still being downloaded \((0|50) %\)/),
    })
    const finish = await asked
    finish()
    expect(await file.path()).toMatch(/-ggml\.bin$/)
  })

  it('is given up when the engine closes', async () => {
    const { file } = open(await serve((_, response) => void response.writeHead(200).write('lmgg')), 100)
    await expect(file.path()).rejects.toMatchObject({ reason: 'speech_model_loading' })
    await file.close()
    expect(await readdir(join(folder, 'models'))).toEqual([])
  })
})

describe('decoding', () => {
  it('shows ffmpeg no secret of the process', async () => {
    const [spy, to] = [join(folder, 'spy'), join(folder, 'seen')]
    await writeFile(spy, `#!/bin/sh\nenv > ${to}\n`)
    await chmod(spy, 0o700)
    vi.stubEnv('SLACK_BOT_TOKEN', 'xoxb-secret')
    await toPcm({ from: to, to, container: 'ogg', timeoutMs: 5000, ffmpeg: spy })
    vi.unstubAllEnvs()
    expect(await readFile(to, 'utf8')).not.toMatch(/xoxb|TOKEN|KEY/)
  })

  it('says what to install when there is no ffmpeg', async () => {
    const to = join(folder, 'memo.pcm')
    const asked = toPcm({ from: to, to, container: 'ogg', timeoutMs: 5000, ffmpeg: join(folder, 'none') })
    await expect(asked).rejects.toMatchObject({
      code: 'not-configured',
      message: expect.stringContaining('apt-get install ffmpeg'),
    })
  })

  it('does not call the recording damaged where ffmpeg cannot be started', async () => {
    const to = join(folder, 'memo.pcm')
    const locked = join(folder, 'ffmpeg')
    await writeFile(locked, '', { mode: 0o600 })
    const asked = toPcm({ from: to, to, container: 'ogg', timeoutMs: 5000, ffmpeg: locked })
    await expect(asked).rejects.toMatchObject({ code: 'no-resources', message: expect.stringContaining('ffmpeg') })
  })
})
