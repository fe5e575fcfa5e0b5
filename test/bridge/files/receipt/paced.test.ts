import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createPaced } from '#bridge/files/receipt/paced.ts'

/** Longer than any test may take. */
const HOUR_MS = 3_600_000

/** A display of the newest state. */
function display(
  options: {
    readonly intervalMs?: number | undefined
    readonly takesMs?: number
    readonly signal?: AbortSignal
    readonly clock?: () => number
  } = {},
) {
  const { takesMs = 0, signal, clock } = options
  const shown: string[] = []
  const errors: unknown[] = []
  const idle: string[] = []
  let state = ''
  let fails = false
  const paced = createPaced({
    async show() {
      const text = state
      await sleep(takesMs)
      if (fails) throw new Error('away')
      shown.push(text)
    },
    intervalMs: () => ('intervalMs' in options ? options.intervalMs : 40),
    onError: (error) => errors.push(error),
    signal,
    clock,
    onIdle: () => idle.push(shown.at(-1) ?? ''),
  })
  return {
    paced,
    shown,
    errors,
    idle,
    update: (text: string) => {
      state = text
      paced.touch()
    },
    breaks: () => (fails = true),
  }
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await sleep(1)
}

describe('a paced display', () => {
  it('shows the first state at once, and of those that follow the newest when the time has come', async () => {
    const { shown, update } = display()
    update('a')
    await until(() => shown.length === 1)
    const began = Date.now()
    update('b')
    update('c')
    await until(() => shown.length === 2)
    expect(shown).toEqual(['a', 'c'])
    expect(Date.now() - began).toBeGreaterThanOrEqual(30)
  })

  it('does not wait where the last run was long ago', async () => {
    let now = 0
    const { shown, update } = display({ intervalMs: HOUR_MS, clock: () => now })
    update('a')
    await until(() => shown.length === 1)
    now += HOUR_MS
    update('b')
    await until(() => shown.length === 2)
    expect(shown).toEqual(['a', 'b'])
  })

  it('shows one state at a time, and a flush behind the one under way', async () => {
    const { paced, shown, update } = display({ intervalMs: HOUR_MS, takesMs: 5 })
    update('a')
    update('b')
    await paced.flush()
    expect(shown.at(-1)).toBe('b')
    update('c')
    await paced.flush()
    expect(shown.at(-1)).toBe('c')
  })

  it('shows nothing by itself without a pace, and by a flush all the same', async () => {
    const { paced, shown, update } = display({ intervalMs: undefined })
    update('a')
    await sleep(5)
    expect(shown).toEqual([])
    await paced.flush()
    expect(shown).toEqual(['a'])
  })

  it('tells a failed run to onError, a failed flush to its caller, and goes on', async () => {
    const { paced, errors, update, breaks } = display({ intervalMs: 0 })
    breaks()
    update('a')
    await until(() => errors.length === 1)
    await expect(paced.flush()).rejects.toThrow('away')
    update('b')
    await until(() => errors.length === 2)
  })

  it('begins no run once ended, and waits for the one under way', async () => {
    const { paced, shown, update } = display({ takesMs: 5 })
    update('a')
    await sleep(0)
    update('b')
    await paced.end()
    expect(shown).toEqual(['a'])
    update('c')
    await paced.flush()
    expect(shown).toEqual(['a'])
  })

  it('shows nothing by itself after its signal, and by a flush all the same', async () => {
    const stop = new AbortController()
    const { paced, shown, update } = display({ signal: stop.signal })
    update('a')
    await until(() => shown.length === 1)
    update('b')
    stop.abort()
    await sleep(60)
    expect(shown).toEqual(['a'])
    await paced.flush()
    expect(shown).toEqual(['a', 'b'])
  })

  it('says when nothing is due any more', async () => {
    const { idle, update, paced } = display()
    update('a')
    await paced.flush()
    await until(() => idle.length > 0)
    expect(idle.at(-1)).toBe('a')
  })

  it('shows a change that came while a run failed', async () => {
    let state = 'a'
    const shown: string[] = []
    const paced = createPaced({
      async show() {
        const text = state
        await sleep(2)
        if (text === 'a') throw new Error('away')
        shown.push(text)
      },
      intervalMs: () => 1,
      onError: () => undefined,
    })
    paced.touch()
    await sleep(1)
    state = 'b'
    paced.touch()
    await until(() => shown.length === 1)
    expect(shown).toEqual(['b'])
  })

  it('shows a change that comes at any moment of its end', async () => {
    for (let turns = 0; turns < 12; turns += 1) {
      let state = 'a'
      const shown: string[] = []
      const change = async () => {
        for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
        state = 'b'
        paced.touch()
      }
      const paced = createPaced({
        async show() {
          shown.push(state)
          if (shown.length === 1) void change()
        },
        intervalMs: () => 0,
        onError: () => undefined,
      })
      paced.touch()
      await sleep(5)
      expect(shown, `after ${turns} turns`).toEqual(['a', 'b'])
    }
  })
})
