import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Limits } from '#bridge/port/adapter.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import { createStreamedAnswer } from '#bridge/delivery/streamed-answer.ts'
import { createSender } from '#bridge/delivery/outbox-sender.ts'
import { openStore, type OpenStore } from '#store/store.ts'
import { createFakeAdapter, type FakeAdapterOptions } from '#test/support/fakes/adapter.ts'
import { ANNA } from '#test/support/fakes/chat.ts'
import { createLogSink } from '#test/support/fakes/log.ts'

let directory: string
let store: OpenStore
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'footbridge-reply-'))
  store = openStore(directory)
})
afterEach(() => {
  store.close()
  rmSync(directory, { recursive: true })
})

const conversation = { adapter: 'fake', workspace: 'W1', channel: 'C1', direct: false }
const reference = { number: 1, file: 'handbook.pdf', place: 'p.2', passage: 'Verbatim.' }

async function states() {
  return (await store.outbox.ofJob('job')).map(({ slot, state }) => `${slot} ${state}`)
}

/** @param limits as the delivery sees them */
async function setUp(options: FakeAdapterOptions = {}, limits: Partial<Limits> = {}) {
  const fake = createFakeAdapter(options)
  const adapter = { ...fake, limits: { ...fake.limits, ...limits } }
  await adapter.start(async () => {})
  const begin = async () => {
    const sender = createSender({
      jobId: 'job',
      adapter,
      conversation,
      replyTo: 'm0',
      outbox: store.outbox,
      clock: Date.now,
    })
    const rows = await sender.rows()
    const reply = createStreamedAnswer({
      adapter,
      sender,
      asker: ANNA,
      clock: Date.now,
      log: createLogSink(),
      resumed: rows,
    })
    return { sender, reply }
  }
  const { reply } = await begin()
  const seen = () => adapter.chat.visible().map(({ text }) => text)
  const verbs = () => adapter.chat.transcript.map(({ verb }) => verb)
  return { adapter, reply, begin, seen, verbs }
}

const LONG = Array.from({ length: 60 }, (_, index) => `Paragraph ${index} says a thing or two about it.`).join('\n\n')

describe('a reply', () => {
  it('of 20,000 pieces is measured by its pieces', async () => {
    let steps = 0
    const look = (markdown: string) => {
      steps += markdown.length
      return markdown.length
    }
    const meter = () => {
      let length = 0
      return { add: (piece: string) => (length += look(piece)) }
    }
    const { reply } = await setUp({}, { measure: look, meter })
    for (const character of 'word '.repeat(4000)) {
      reply.push(character)
      await new Promise(setImmediate)
    }
    await reply.settle()
    expect(steps).toBeLessThanOrEqual(3 * 20_000)
  })

  it('streams natively where the service can, and ends with the references', async () => {
    const { adapter, reply, seen, verbs } = await setUp()
    reply.push('Every full-time employee ')
    reply.push('has 30 days [1].')
    const refs = await reply.finish({ kind: 'answer', text: reply.text, references: [reference] })
    expect(seen()).toEqual(['Every full-time employee has 30 days [1].'])
    expect(adapter.chat.visible()[0]).toMatchObject({ finished: true, outgoing: { references: [reference] } })
    expect(verbs()).not.toContain('edit')
    expect(refs).toHaveLength(1)
    expect(await states()).toEqual(['answer.0 closed'])
  })

  it('posts and edits where there are no streams, and posts once where there are no edits either', async () => {
    const edits = await setUp({ without: ['stream'] })
    edits.reply.push('One ')
    edits.reply.push('two')
    await edits.reply.finish({ kind: 'answer', text: 'One two', references: [reference] })
    expect(edits.seen()).toEqual(['One two'])
    expect(edits.verbs()[0]).toBe('post')
    expect(edits.adapter.chat.visible()[0]?.outgoing.references).toEqual([reference])
    await store.outbox.drop((await store.outbox.ofJob('job'))[0]?.sendId ?? '')
    const posts = await setUp({ without: ['stream', 'edit'] })
    posts.reply.push('One ')
    posts.reply.push('two')
    await posts.reply.finish({ kind: 'answer', text: 'One two' })
    expect(posts.verbs()).toEqual(['post'])
    expect(posts.seen()).toEqual(['One two'])
  })

  it.each([['native streams'], ['edits']])('goes on in the next message when one is full: %s', async (way) => {
    const { adapter, reply, seen } = await setUp({
      without: way === 'edits' ? ['stream'] : [],
      limits: { textLength: 500, stream: { textLength: 500, lifetimeMs: 300_000 } },
    })
    for (let at = 0; at < LONG.length; at += 37) reply.push(LONG.slice(at, at + 37))
    await reply.finish({ kind: 'answer', text: LONG, references: [reference] })
    expect(seen().length).toBeGreaterThan(5)
    expect(seen().every((text) => text.length <= 500)).toBe(true)
    expect(seen().join('\n\n').replace(/\s+/g, ' ')).toBe(LONG.replace(/\s+/g, ' '))
    const shown = adapter.chat.visible()
    expect(shown.map(({ outgoing }) => outgoing.references?.length ?? 0)).toEqual([...shown.slice(1).map(() => 0), 1])
    expect((await states()).every((state) => state.endsWith('closed'))).toBe(true)
  })

  it('goes on by edits in the same message when the service ends a stream', async () => {
    const { adapter, reply, seen } = await setUp()
    reply.push('First. ')
    await reply.settle()
    adapter.chat.fail('append', new AdapterError('stream-closed', 'The stream is over.'))
    reply.push('Second. ')
    reply.push('Third.')
    await reply.finish({ kind: 'answer', text: 'First. Second. Third.' })
    expect(seen()).toEqual(['First. Second. Third.'])
  })

  it('leaves no stream open when it is abandoned, nor in a message that the final text does not need', async () => {
    const abandoned = await setUp()
    abandoned.reply.push('Half of ')
    await abandoned.reply.settle()
    expect(abandoned.verbs()).toEqual(['stream'])
    await abandoned.reply.abandon()
    expect([abandoned.verbs().at(-1), abandoned.seen()]).toEqual(['finish', ['Half of ']])

    await store.outbox.drop((await store.outbox.ofJob('job'))[0]?.sendId ?? '')
    const { reply, verbs, seen } = await setUp({
      limits: { textLength: 500, stream: { textLength: 500, lifetimeMs: 300_000 } },
    })
    reply.push(LONG.slice(0, 900))
    await reply.settle()
    await reply.finish({ kind: 'answer', text: 'Not in these files.' })
    expect(seen()).toEqual(['Not in these files.'])
    const count = (wanted: string) => verbs().filter((verb) => verb === wanted).length
    expect(count('finish')).toBe(count('stream'))
  })

  it('goes on with a posted message when no stream can be opened', async () => {
    const { adapter, reply, seen } = await setUp()
    adapter.chat.fail('stream', new AdapterError('forbidden', 'No agent here.'))
    reply.push('Hello')
    await reply.finish({ kind: 'answer', text: 'Hello' })
    expect(seen()).toEqual(['Hello'])
  })

  it('corrects what was streamed when the final text differs', async () => {
    const { reply, seen } = await setUp()
    reply.push('It is so [7].')
    await reply.finish({ kind: 'answer', text: 'It is so.' })
    expect(seen()).toEqual(['It is so.'])
  })

  it('writes over the messages of a run that was cut off, and doubles nothing', async () => {
    const { adapter, reply, begin, seen, verbs } = await setUp({
      limits: { textLength: 500, stream: { textLength: 500, lifetimeMs: 300_000 } },
    })
    reply.push(LONG)
    await reply.settle()
    const before = seen().length
    expect(before).toBeGreaterThan(5)
    const again = await begin()
    const calls = verbs().length
    again.reply.push('A shorter ')
    again.reply.push('answer.')
    await again.reply.settle()
    expect(verbs()).toHaveLength(calls)
    await again.reply.finish({ kind: 'answer', text: 'A shorter answer.' })
    expect(seen()).toEqual(['A shorter answer.'])
    expect(adapter.chat.visible()).toHaveLength(1)
    expect(await states()).toEqual(['answer.0 closed'])
  })

  it('finds the message again when only the answer to its sending was lost', async () => {
    const { adapter, reply, seen } = await setUp({ without: ['stream'] })
    adapter.chat.fail('post', new AdapterError('ambiguous', 'The connection broke.'), { after: true })
    reply.push('Hello')
    await reply.finish({ kind: 'answer', text: 'Hello there' })
    expect(seen()).toEqual(['Hello there'])
  })

  it('rejects when the service refuses, so that the job can be tried again', async () => {
    const { adapter, reply } = await setUp({ without: ['stream'] })
    adapter.chat.fail('post', new AdapterError('network', 'Not reached.'))
    reply.push('Hello')
    await expect(reply.finish({ kind: 'answer', text: 'Hello' })).rejects.toThrow('Not reached')
    expect(await states()).toEqual([])
  })
})
