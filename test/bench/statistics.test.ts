import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startProgram } from '#bench/process.ts'
import { formatValue, runRow, verdict } from '#bench/row.ts'
import { median, quantile } from '#bench/statistics.ts'
import { createProse } from '#bench/words.ts'
import { inLong } from '#test/support/forms.ts'

describe('quantile', () => {
  it('is the middle of odd counts and between the middles of even ones, in any order', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([4, 1, 3, 2])).toBe(2.5)
  })

  it('goes from the least to the most', () => {
    const samples = Array.from({ length: 101 }, (_, index) => 100 - index)
    expect([0, 0.05, 0.95, 1].map((part) => quantile(samples, part))).toEqual([0, 5, 95, 100])
  })

  it('refuses no samples', () => {
    expect(() => median([])).toThrow('no samples')
  })
})

describe('a row', () => {
  it('says ok up to its goal and from its least, over and under beyond them, and nothing without one', () => {
    const figure = { name: 'start', unit: 'ms' as const }
    expect(verdict({ ...figure, value: 1500, goal: 1500 })).toBe('ok')
    expect(verdict({ ...figure, value: 1501, goal: 1500 })).toBe('over')
    expect(verdict({ ...figure, value: 1 })).toBe('-')
    const rate = { name: 'build', unit: 'chunks/s' as const, least: 8000 }
    expect([8000, 7999].map((value) => verdict({ ...rate, value }))).toEqual(['ok', 'under'])
  })

  it('shows as many digits as mean something', () => {
    expect(formatValue({ value: 7.456, unit: 'ms' })).toBe('7.46 ms')
    expect(formatValue({ value: 1234.5, unit: 'ms' })).toBe('1235 ms')
    expect(formatValue({ value: 2.345, unit: '×' })).toBe('2.35 ×')
  })

  it('is cleaned up, and told of, when its time is over', async () => {
    const closed: string[] = []
    const late = runRow(
      {
        name: 'endless',
        run(scope) {
          scope.defer(() => void closed.push('folder'))
          return new Promise(() => {})
        },
      },
      10,
    )
    await expect(late).rejects.toThrow('The row endless took longer')
    expect(closed).toEqual(['folder'])
  })
})

const run = (code: string, then: (pid: number) => Promise<never>, options: { readonly endsWhenReady?: boolean } = {}) =>
  runRow({
    name: 'short-lived',
    async run(scope) {
      const nodeOptions = ['--input-type=module', '--eval', `console.log('ready'); ${code}`]
      return then(scope.use(await startProgram({ script: '', nodeOptions, ready: /^ready$/, ...options })).pid)
    },
  })

async function over(): Promise<never> {
  await sleep(200)
  throw new Error('of the row')
}

describe('a program of a row', () => {
  it('ends the row with its last lines when it dies', async () => {
    const row = run(
      "setTimeout(() => { console.error('no memory left'); process.exit(7) }, 50)",
      () => new Promise(() => {}),
    )
    await expect(row).rejects.toThrow(/ended with 7 while it was used:\n(.*\n)*no memory left/)
  })

  it('is named also where the row fails by its death', async () => {
    const row = run('setTimeout(() => process.kill(process.pid, "SIGKILL"), 50)', async () => {
      await sleep(200)
      throw new Error('no such process')
    })
    await expect(row).rejects.toThrow('ended with SIGKILL')
  })

  it('may end behind its result where it says so, and only without an error', inLong, async () => {
    await expect(run('', over, { endsWhenReady: true })).rejects.toThrow('of the row')
    await expect(run('process.exit(7)', over, { endsWhenReady: true })).rejects.toThrow('ended with 7')
    await expect(run('', over)).rejects.toThrow('ended with 0')
  })

  it('may end when the row does', async () => {
    const row = run('setInterval(() => {}, 1000)', () => Promise.reject(new Error('of the row')))
    await expect(row).rejects.toThrow('of the row')
  })
})

describe('the prose of the bench', () => {
  it('is the same for the same seed and asks with words of the sentence', () => {
    const [one, same, other] = [createProse(7), createProse(7), createProse(8)]
    const sentence = one.sentence()
    expect(same.sentence()).toBe(sentence)
    expect(other.sentence()).not.toBe(sentence)
    const asked = /^What about (.+)\?$/.exec(one.questionFor(sentence))?.[1]?.split(' ') ?? []
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.length).toBeLessThanOrEqual(8)
    for (const word of asked) expect(sentence.toLowerCase()).toContain(word.toLowerCase())
  })

  it('says few words often and most of them seldom, and says again what was said', () => {
    const prose = createProse(3)
    const counts = new Map<string, number>()
    for (let at = 0; at < 4_000; at += 1) {
      for (const word of prose
        .sentence()
        .toLowerCase()
        .match(/[a-z]{5,}/g) ?? []) {
        counts.set(word, (counts.get(word) ?? 0) + 1)
      }
    }
    const sorted = [...counts.values()].toSorted((one, other) => other - one)
    const all = sorted.reduce((sum, count) => sum + count, 0)
    const part = (most: number) => sorted.slice(0, most).reduce((sum, count) => sum + count, 0) / all
    expect(part(10)).toBeGreaterThan(0.04)
    expect(part(10)).toBeLessThan(0.1)
    expect(part(1000)).toBeGreaterThan(0.6)
    expect(sorted.length).toBeGreaterThan(4_000)
  })
})
