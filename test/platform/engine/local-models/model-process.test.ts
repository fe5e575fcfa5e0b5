import { afterEach, describe, expect, it } from 'vitest'
import { createModelProcess, type ModelProcess } from '#platform/engine/local-models/model-process.ts'
import type { LocalCall, LocalResult } from '#platform/engine/voice/local/child.ts'
import { SPEECH_PROCESS } from '#platform/engine/voice/local/hear.ts'
import { createLogSink } from '#test/platform/server/platform.ts'

const sink = createLogSink()
let speech: ModelProcess<LocalCall, LocalResult>
afterEach(() => speech.close())

function open(timeoutMs: number) {
  speech = createModelProcess({
    ...SPEECH_PROCESS,
    timeoutMs,
    log: sink.log,
    child: new URL('./model-child.ts', import.meta.url),
  })
  return (model: string, signal?: AbortSignal) =>
    speech.call({ model, pcm: 'memo', language: 'auto', translate: false }, { signal })
}

describe('the process of the speech model', () => {
  it('is kept between two recordings', async () => {
    const hear = open(30_000)
    const [one, two] = [await hear('echo'), await hear('echo')]
    expect(one.text).toMatch(/^memo by \d+$/)
    expect(two).toEqual(one)
  })

  it('is ended when it does not get to an end, and the next recording is heard', async () => {
    const hear = open(5000)
    const [hung, next] = await Promise.allSettled([hear('hang'), hear('echo')])
    expect(hung).toMatchObject({
      reason: { code: 'upstream-timeout', message: expect.stringContaining('longer than 5 seconds') },
    })
    expect(next).toMatchObject({ status: 'fulfilled' })
  })

  it('is ended when the caller leaves', async () => {
    const hear = open(30_000)
    const caller = new AbortController()
    const hung = hear('hang', caller.signal)
    caller.abort()
    await expect(hung).rejects.toMatchObject({ code: 'aborted' })
    await expect(hear('echo', caller.signal)).rejects.toMatchObject({ code: 'aborted' })
    expect((await hear('echo')).text).toContain('memo')
  })

  it('is started anew after a crash', async () => {
    const hear = open(30_000)
    await expect(hear('crash')).rejects.toMatchObject({ code: 'upstream' })
    expect((await hear('echo')).text).toContain('memo')
  })

  it('fails at once where it cannot be started, and is started with the next recording', async () => {
    const hear = open(5000)
    const { execPath } = process
    process.execPath = '/nowhere/node'
    const unstarted = hear('echo').finally(() => (process.execPath = execPath))
    await expect(unstarted).rejects.toMatchObject({ code: 'upstream' })
    expect((await hear('echo')).text).toContain('memo')
  })

  it.each([
    ['broken', 'cannot be loaded: TRANSCRIPTION_MODEL_FILE'],
    ['absent', 'npm i --no-save @fugood/whisper.node'],
  ])('says what to do when its model is %s', async (model, sentence) => {
    await expect(open(30_000)(model)).rejects.toMatchObject({
      code: 'not-configured',
      message: expect.stringContaining(sentence),
    })
  })

  it('hears nothing any more when it is closed', async () => {
    const hear = open(30_000)
    const hung = hear('hang').catch((error: unknown) => error)
    await new Promise((resolve) => setImmediate(resolve))
    await speech.close()
    expect(await hung).toMatchObject({ code: 'upstream', message: expect.stringContaining('process ended') })
    await expect(hear('echo')).rejects.toMatchObject({ code: 'closed' })
  })
})
