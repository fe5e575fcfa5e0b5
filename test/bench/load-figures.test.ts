import { describe, expect, it } from 'vitest'
import { type Contender, memoryFigures, noSamples, type Samples, toFigures } from '#bench/rows/load-figures.ts'

const BOTS: readonly Contender[] = ['alone', 'whole', 'peer', 'sdk']
/** Every choice of some bots. */
const CHOICES = Array.from({ length: 2 ** BOTS.length - 1 }, (_, index) =>
  BOTS.filter((_bot, place) => ((index + 1) >> place) % 2 === 1),
)
const asked = { service: 'Slack', characters: 6000, atOnce: 100, goals: [1.7, 2.5] } as const

const round = (ms: number, isAcked = true): Samples => {
  const times = [ms, 2 * ms]
  const ack = isAcked ? times : []
  const counts = { cpuMs: ms, calls: 7, answers: 2, whole: 2 }
  return { ...noSamples(), delay: times, wayIn: times, sign: times, tail: times, ack, ...counts }
}

describe('the figures of bots under load', () => {
  it.each(CHOICES.map((bots) => [bots.join(','), bots] as const))('are there for --bots %s', (_, bots) => {
    const figures = toFigures(asked, new Map(bots.map((bot, place) => [bot, [round(10 + place), round(20)]])))
    expect(figures.length).toBeGreaterThan(0)
    for (const { name, value, detail = '' } of figures) expect([name, value, detail].join(' ')).not.toMatch(/NaN|undef/)
    const memory = memoryFigures(asked, new Map(bots.map((bot) => [bot, 200])))
    for (const { value } of memory) expect(value).toBeGreaterThan(0)
  })

  it('are ratios beside the smallest bot, and milliseconds without it', () => {
    const rounds = [round(20)]
    const beside = toFigures(
      asked,
      new Map([
        ['alone', rounds],
        ['peer', [round(10)]],
      ] as const),
    )
    expect(beside[0]).toMatchObject({ value: 2, unit: '×', goal: 1.7 })
    expect(beside[0]?.name).toContain('processor time an answer, Slack, 6000 characters, 100 at once, bridge alone')
    const [cpu, delay] = toFigures(asked, new Map([['alone', rounds]]))
    expect(cpu).toMatchObject({ value: 20, unit: 'ms' })
    expect(delay).toMatchObject({ value: 30, unit: 'ms' })
  })

  it('go without acknowledgements where a bot has none', () => {
    const rounds = new Map([
      ['alone', [round(20)]],
      ['peer', [round(10, false)]],
    ] as const)
    expect(
      toFigures(asked, rounds)
        .map(({ name }) => name)
        .join(),
    ).not.toContain('acknowledgement')
  })
})
