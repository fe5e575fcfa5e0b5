import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createIndexPass, indexOutcome } from '#bridge/files/collection/index-pass.ts'
import { textsFor } from '#bridge/texts/texts.ts'
import type { Platform, PlatformFile } from '#bridge/port/platform.ts'
import { createLogSink } from '#test/support/fakes/log.ts'

type Status = NonNullable<PlatformFile['index']>['status']
const view = (name: string, status: Status | null): PlatformFile => ({
  name,
  sizeBytes: 1,
  updatedAt: '2026-11-21T08:00:00Z',
  index: status === null ? null : { status, chunks: status === 'INDEXED' ? 2 : 0 },
})
function failure(code: string): Error {
  return Object.assign(new Error(code), { name: 'PlatformError', code })
}

/** How much time each look at the file list takes; no other time passes. */
const LOOK_MS = 5

/** A collection whose index trigger and file list answer as told. */
function scripted(script: {
  trigger: (call: number) => Promise<'done' | 'accepted' | 'running'>
  list: (call: number) => readonly PlatformFile[]
}) {
  const calls = { trigger: 0, list: 0, atOnce: 0, mostAtOnce: 0 }
  let now = 0
  const platform = {
    collections: {
      get: async () => ({ id: 'o/c', name: 'c' }),
      async generateIndex() {
        calls.mostAtOnce = Math.max(calls.mostAtOnce, ++calls.atOnce)
        const outcome = await script.trigger(++calls.trigger)
        calls.atOnce -= 1
        return outcome
      },
    },
    files: {
      async list() {
        now += LOOK_MS
        const list = script.list(++calls.list)
        await nextTurn()
        return list
      },
    },
  } as unknown as Platform
  const pass = createIndexPass({
    platform,
    clock: () => now,
    log: createLogSink(),
    signal: new AbortController().signal,
    gatherMs: 1,
    pollMs: [1, 2],
    deadlineMs: 300,
    idleMs: 20,
  })
  return { pass, calls }
}
const { signal } = new AbortController()

function holdUp(): void {
  for (const end = performance.now() + 3; performance.now() < end;);
}

describe('an index pass', () => {
  it('gathers drops that come together into one pass', async () => {
    const { pass, calls } = scripted({
      trigger: async () => 'done',
      list: () => [view('a', 'INDEXED'), view('b', 'INDEXED')],
    })
    const [a, b] = await Promise.all([pass.ensure('c', ['a'], signal), pass.ensure('c', ['b'], signal)])
    expect(a.get('a')?.index?.chunks).toBe(2)
    expect(b.get('b')?.index?.status).toBe('INDEXED')
    expect(calls.trigger).toBe(1)
  })

  it('is looked at once for all files that came together', async () => {
    const { pass, calls } = scripted({
      trigger: async () => 'accepted',
      list: (call) => ['a', 'b', 'c'].map((name) => view(name, call < 5 ? 'PROCESSING' : 'INDEXED')),
    })
    // Each takes its time with each look: their pauses begin one after the other.
    await Promise.all(['a', 'b', 'c'].map((name) => pass.ensure('c', [name], signal, { onPoll: holdUp })))
    expect(calls.list).toBe(5)
  })

  it('runs one pass a collection at a time: who comes meanwhile waits for the next', async () => {
    const held = Promise.withResolvers<'done'>()
    const begun = Promise.withResolvers<void>()
    const { pass, calls } = scripted({
      trigger: (call) => {
        begun.resolve()
        return call === 1 ? held.promise : Promise.resolve('done')
      },
      list: () => [view('a', 'INDEXED'), view('b', 'INDEXED'), view('c', 'INDEXED')],
    })
    const first = pass.ensure('c', ['a'], signal)
    await begun.promise
    const rest = [pass.ensure('c', ['b'], signal), pass.ensure('c', ['c'], signal)]
    held.resolve('done')
    await Promise.all([first, ...rest])
    expect(calls).toMatchObject({ trigger: 2, mostAtOnce: 1 })
  })

  it('follows an accepted pass to its real end and never triggers again', async () => {
    const states: (Status | null)[] = [null, 'NOT_INDEXED', 'PENDING', 'PROCESSING', 'INDEXED']
    const { pass, calls } = scripted({
      trigger: async () => 'accepted',
      list: (call) => [view('a', states[Math.min(call - 1, states.length - 1)] ?? null)],
    })
    expect((await pass.ensure('c', ['a'], signal)).get('a')?.index?.status).toBe('INDEXED')
    expect(calls.trigger).toBe(1)
  })

  it('waits for the end of a stranger’s pass and then asks for its own', async () => {
    const { pass, calls } = scripted({
      trigger: async (call) => (call < 3 ? 'running' : 'done'),
      list: () => [view('a', 'INDEXED')],
    })
    await pass.ensure('c', ['a'], signal)
    expect(calls.trigger).toBe(3)
  })

  it('looks again when a collection that is being indexed leaves it unanswered, not when it is refused', async () => {
    const { pass } = scripted({
      trigger: async () => 'done',
      list: (call) => {
        if (call === 1) throw failure('timeout')
        if (call === 2) throw failure('locked')
        return [view('a', 'ERROR')]
      },
    })
    expect((await pass.ensure('c', ['a'], signal)).get('a')?.index?.status).toBe('ERROR')
    const refused = scripted({
      trigger: async () => 'done',
      list: () => {
        throw failure('unauthorized')
      },
    })
    await expect(refused.pass.ensure('c', ['a'], signal)).rejects.toThrow('unauthorized')
  })

  it('gives back what it knows when the time is over', async () => {
    const { pass } = scripted({ trigger: async () => 'accepted', list: () => [view('a', 'PROCESSING')] })
    expect((await pass.ensure('c', ['a'], signal)).get('a')?.index?.status).toBe('PROCESSING')
  })

  it('begins the next pass although the one before failed', async () => {
    const { pass } = scripted({
      trigger: async (call) => {
        if (call === 1) throw failure('server')
        return 'done'
      },
      list: () => [view('a', 'INDEXED')],
    })
    await expect(pass.ensure('c', ['a'], signal)).rejects.toThrow('server')
    expect((await pass.ensure('c', ['a'], signal)).size).toBe(1)
  })

  it('that may have been accepted, and of which nothing is ever seen, is asked for again', async () => {
    const { pass, calls } = scripted({
      trigger: async () => 'accepted',
      list: () => [view('a', calls.trigger < 2 ? 'NOT_INDEXED' : 'INDEXED')],
    })
    expect((await pass.ensure('c', ['a'], signal)).get('a')?.index?.status).toBe('INDEXED')
    expect(calls.trigger).toBe(2)
  })

  it('that leaves a file aside is not asked for without end', async () => {
    const { pass, calls } = scripted({ trigger: async () => 'done', list: () => [view('a', 'NOT_INDEXED')] })
    expect((await pass.ensure('c', ['a'], signal)).get('a')?.index?.status).toBe('NOT_INDEXED')
    expect(calls.trigger).toBe(3)
  })

  it('is not asked for again while the collection leaves requests unanswered', async () => {
    const { pass, calls } = scripted({
      trigger: async () => 'accepted',
      list: (call) => {
        if (call < 30) throw failure('locked')
        return [view('a', 'INDEXED')]
      },
    })
    await pass.ensure('c', ['a'], signal)
    expect(calls.trigger).toBe(1)
  })

  it('that was asked for before a restart is looked for first', async () => {
    const over = scripted({ trigger: async () => 'done', list: () => [view('a', 'INDEXED')] })
    await over.pass.ensure('c', ['a'], signal, { resumed: true })
    expect(over.calls.trigger).toBe(0)
    const running = scripted({
      trigger: async () => 'done',
      list: (call) => [view('a', call < 4 ? 'PROCESSING' : 'INDEXED')],
    })
    await running.pass.ensure('c', ['a'], signal, { resumed: true })
    expect(running.calls.trigger).toBe(0)
    const lost = scripted({
      trigger: async () => 'done',
      list: () => [view('a', lost.calls.trigger === 0 ? null : 'INDEXED')],
    })
    await lost.pass.ensure('c', ['a'], signal, { resumed: true })
    expect(lost.calls.trigger).toBe(1)
  })

  it('tells how far the whole collection is', async () => {
    const seen: string[] = []
    const { pass } = scripted({
      trigger: async () => 'accepted',
      list: (call) => [view('a', call > 1 ? 'INDEXED' : 'PROCESSING'), view('b', call > 2 ? 'INDEXED' : 'PENDING')],
    })
    await pass.ensure('c', ['b'], signal, { onPoll: ({ done, total }) => seen.push(`${done}/${total}`) })
    expect(seen).toEqual(['0/2', '1/2', '2/2'])
  })

  it('over a whole collection ends when nothing in it is under way', async () => {
    const { pass } = scripted({
      trigger: async () => 'accepted',
      list: (call) => [view('a', call > 2 ? 'INDEXED' : 'PROCESSING'), view('b', 'ERROR')],
    })
    expect(await pass.run('c', signal)).toHaveLength(2)
  })
})

it.each([
  ['The PDF is damaged and cannot be read: export it anew and send it again.', true],
  ['The PDF has too many pages: split it and upload the parts.', true],
  ['The PDF is protected by a password: save it without one and send it again.', true],
  ['The document takes too long to read: split it and upload the parts.', undefined],
  ['Indexing did not finish.', undefined],
])('trying again is offered where it can help: %s', (error, permanent) => {
  const file = { name: 'a', sizeBytes: 1, updatedAt: '', index: { status: 'ERROR', chunks: 0, error } } as const
  expect(indexOutcome(file, textsFor('en')).permanent).toBe(permanent)
})
