import { describe, expect, test } from 'vitest'
import type { ChatEvent, Platform } from '#bridge/port/platform.ts'
import { createLogSink } from '../support/fakes/log.ts'
import { createFakePlatform } from '../support/fakes/platform.ts'
import { platformFailure } from '../support/fakes/switchboard.ts'

const file = (name: string, text = 'The ferry takes 47 minutes.') => ({
  name,
  mimeType: 'text/markdown',
  bytes: new Blob([text]),
})

async function ask(platform: Platform, signal?: AbortSignal): Promise<readonly ChatEvent[]> {
  const request = { model: 'm', messages: [{ role: 'user', content: 'hi' }] } as const
  return Array.fromAsync(platform.chat.stream(request, signal === undefined ? {} : { signal }))
}

async function codeOf(call: Promise<unknown>): Promise<unknown> {
  const [outcome] = await Promise.allSettled([call])
  return outcome.status === 'rejected' ? (outcome.reason as { code?: unknown }).code : 'none'
}

describe('the platform in memory', () => {
  test('keeps collections and files by the rules of the port', async () => {
    const { collections, files, script } = createFakePlatform()
    expect(await collections.create('c1')).toEqual({ id: 'owner/c1', name: 'c1' })
    expect(await codeOf(collections.create('c1'))).toBe('conflict')
    expect(await codeOf(collections.get('c2'))).toBe('not-found')
    expect(await codeOf(files.replace('c1', file('a.md')))).toBe('not-found')
    await files.upload('owner/c1', file('a.md'))
    expect(await codeOf(files.upload('c1', file('a.md')))).toBe('conflict')
    expect(await files.list('c1')).toMatchObject([{ name: 'a.md', sizeBytes: 27, index: null }])
    await files.replace('c1', file('a.md', 'New.'))
    expect(Buffer.from(script.stored('c1')[0]?.bytes ?? []).toString()).toBe('New.')
    await files.delete('c1', 'a.md')
    expect(await codeOf(files.delete('c1', 'a.md'))).toBe('not-found')
  })

  test('indexes at once, or when told, and tells which file it could not', async () => {
    const { collections, files, script } = createFakePlatform()
    await collections.create('c1')
    await files.upload('c1', file('a.md'))
    expect(await collections.generateIndex('c1')).toBe('done')
    script.slowIndex()
    script.breakFile('b.pdf', 'not a PDF')
    await files.upload('c1', file('b.pdf'))
    expect(await collections.generateIndex('c1')).toBe('accepted')
    expect(await collections.generateIndex('c1')).toBe('running')
    expect((await files.list('c1')).map((each) => each.index?.status)).toEqual(['PROCESSING', 'PROCESSING'])
    script.finishIndex('c1')
    expect((await files.list('c1')).map((each) => each.index)).toEqual([
      { status: 'INDEXED', chunks: 1 },
      { status: 'ERROR', chunks: 0, error: 'not a PDF' },
    ])
  })

  test('answers, breaks off and stops as scripted', async () => {
    const platform = createFakePlatform()
    const { script } = platform
    expect(await ask(platform)).toEqual([
      { type: 'text', text: 'You said: hi' },
      { type: 'finish', reason: 'stop' },
    ])
    script.answer([{ type: 'text', text: 'half' }, platformFailure('cut')])
    expect(await codeOf(ask(platform))).toBe('cut')
    script.fail('chat.stream', platformFailure('rate-limited'))
    expect(await codeOf(ask(platform))).toBe('rate-limited')
    const stop = new AbortController()
    const { promise } = Promise.withResolvers<void>()
    script.answer([{ type: 'text', text: 'half' }, promise])
    const stopped = codeOf(ask(platform, stop.signal))
    stop.abort()
    expect(await stopped).toBe('aborted')
    expect(await codeOf(ask(platform, AbortSignal.abort()))).toBe('aborted')
    // The stopped and the failed calls never reached the model.
    expect(script.requests).toHaveLength(3)
  })

  test('carries out a call whose answer is lost', async () => {
    const { collections, script } = createFakePlatform()
    script.fail('collections.create', platformFailure('timeout'), { after: true })
    expect(await codeOf(collections.create('c1'))).toBe('timeout')
    expect(script.collections()).toEqual(['c1'])
  })

  test('transcribes and converts', async () => {
    const { voice, documents, script } = createFakePlatform()
    script.transcribe('how long is the ferry')
    const memo = { ...file('memo.ogg'), prompt: 'ferry' }
    expect(await voice.transcribe(memo)).toEqual({ text: 'how long is the ferry' })
    expect(script.recordings).toEqual([{ name: 'memo.ogg', prompt: 'ferry' }])
    expect((await documents.convert(file('a.docx'))).markdown).toContain('The ferry takes 47 minutes.')
  })
})

describe('the log sink', () => {
  test('keeps entries and shows all of an error', () => {
    const log = createLogSink()
    log.warn({ err: new Error('outer', { cause: new Error('inner') }) }, 'It failed.')
    log.info({}, 'started')
    expect(log.at('warn')).toHaveLength(1)
    for (const part of ['It failed.', 'outer', 'inner', 'started']) expect(log.dump()).toContain(part)
  })
})
