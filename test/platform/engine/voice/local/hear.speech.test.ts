import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFfmpeg, readContainer, readMemo, tinyModel, transcripts } from '#test/support/speech.ts'
import { openPlatform, toForm, type TestPlatform } from '#test/platform/server/platform.ts'

const path = '/v1/audio/transcriptions'
const ffmpeg = findFfmpeg()
const send = (platform: TestPlatform, name: string, bytes: Uint8Array<ArrayBuffer>, fields: object = {}, to = path) =>
  platform.call('POST', to, { body: toForm('file', name, bytes, fields), bearer: true })

describe('the speech model of this machine', () => {
  let platform: TestPlatform
  beforeAll(async () => {
    platform = await openPlatform({ speech: { modelFile: tinyModel, ffmpeg } })
  })
  afterAll(() => platform.close())

  it.each(Object.entries(transcripts))('hears %s: %s', async (name, text) => {
    const response = await send(platform, name, readMemo(name), { language: 'en' })
    expect(await response.json()).toEqual({ text })
  })

  it.each(['lighthouse.mp3', 'lighthouse.flac', 'lighthouse.aac', 'lighthouse.mka', 'live.webm', 'frag.m4a'])(
    'hears %s',
    async (name) => {
      const response = await send(platform, name, readContainer(name))
      expect(await response.json()).toEqual({ text: transcripts['lighthouse.ogg'] })
    },
  )

  it('tells times in every format that has them, and translates', async () => {
    const memo = readMemo('lighthouse.ogg')
    const verbose = await send(platform, 'm.ogg', memo, { response_format: 'verbose_json', language: 'en-GB' })
    expect(await verbose.json()).toEqual({
      task: 'transcribe',
      language: 'en',
      duration: 2.587,
      text: transcripts['lighthouse.ogg'],
      segments: [{ id: 0, start: expect.any(Number), end: expect.any(Number), text: transcripts['lighthouse.ogg'] }],
    })
    const srt = await (await send(platform, 'm.ogg', memo, { response_format: 'srt' })).text()
    expect(srt).toMatch(/^1\n00:00:0\d,\d00 --> 00:00:0\d,\d\d0\nWhen does the lighthouse open\?\n\n$/)
    const vtt = await send(platform, 'm.ogg', memo, { response_format: 'vtt' }, '/v1/audio/translations')
    expect(await vtt.text()).toMatch(/^WEBVTT\n\n00:00:0\d\.\d{3} --> .*\nWhen does the lighthouse open\?\n\n$/)
  })

  it('says in the log that it was loaded, once, and is in the list of models', async () => {
    expect(platform.entries.filter((entry) => entry.message === 'Speech model is loaded')).toHaveLength(1)
    const models = await (await platform.call('GET', '/v1/models', { bearer: true })).json()
    expect(models).toMatchObject({ data: [{ id: 'whisper-local', input: ['audio'] }, { id: 'extractive' }] })
  })

  it('leaves no file of a memo behind', async () => {
    const work = join(platform.dataDir, 'platform', 'work')
    expect(await readdir(work)).toEqual([])
  })

  it('refuses a language that is none', async () => {
    const response = await send(platform, 'm.ogg', readMemo('budget.ogg'), { language: 'englishes' })
    expect(response.status).toBe(400)
  })
})

describe('a speech model beside a model server', () => {
  it('hears when the server is down, and says so in the log', async () => {
    const platform = await openPlatform({ withUpstream: true, speech: { modelFile: tinyModel, ffmpeg } })
    platform.upstream.script({ kind: 'transcript', text: 'by the server' })
    expect(await (await send(platform, 'm.ogg', readMemo('budget.ogg'))).json()).toEqual({ text: 'by the server' })
    platform.upstream.script({ kind: 'fault', fault: 'status', status: 500, body: 'out of order' })
    expect(await (await send(platform, 'm.ogg', readMemo('budget.ogg'))).json()).toEqual({
      text: transcripts['budget.ogg'],
    })
    expect(platform.entries.filter((entry) => entry.level === 'warn')).toMatchObject([
      { message: expect.stringContaining('the speech model of this machine transcribes it') },
    ])
    await platform.close()
  })
})

describe('a speech model at an address', () => {
  let folder: string
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'footbridge-model-'))))
  afterAll(() => rm(folder, { recursive: true }))

  it('is fetched with the first memo, with its progress in the log, and not again after a restart', async () => {
    const model = readFileSync(tinyModel)
    let asked = 0
    const server = createServer((_, response) => {
      asked += 1
      response.writeHead(200, { 'content-length': model.length }).end(model)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const options = {
      dataDir: folder,
      speech: { modelFile: `http://127.0.0.1:${port}/models/tiny.bin?token=secret`, ffmpeg },
    }
    const first = await openPlatform(options)
    expect(asked).toBe(0)
    const heard = await Promise.all(
      ['budget.ogg', 'yes.wav'].map((name) => send(first, name, readMemo(name)).then((one) => one.json())),
    )
    expect(heard).toEqual([{ text: transcripts['budget.ogg'] }, { text: transcripts['yes.wav'] }])
    const progress = first.entries.filter((entry) => entry.message === 'Speech model is being downloaded')
    expect(progress.at(-1)?.fields).toMatchObject({ percent: 100 })
    expect(progress.length).toBeGreaterThan(3)
    expect(JSON.stringify(first.entries)).not.toContain('secret')
    await first.close()
    const second = await openPlatform(options)
    expect(await (await send(second, 'yes.wav', readMemo('yes.wav'))).json()).toEqual({ text: 'Yes.' })
    expect(asked).toBe(1)
    await second.close()
    await new Promise((resolve) => server.close(resolve))
  })
})
