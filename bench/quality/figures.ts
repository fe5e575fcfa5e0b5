import { halves, type Half } from './sets.ts'
import { mean } from './measures.ts'

/** Values of one measure by the half of the set that they come from. */
export interface Tally {
  /** `half` is undefined for a figure of the whole set only. */
  add(half: Half | undefined, value: number): void
  line(): string
  readonly name: string
  readonly whole: number
}

export interface Goal {
  readonly atLeast?: number
  readonly atMost?: number
}

const show = (value: number) => value.toFixed(4)

function verdict(value: number, { atLeast, atMost }: Goal): string {
  if (atLeast === undefined && atMost === undefined) return '-'
  return value >= (atLeast ?? value) && value <= (atMost ?? value) ? 'ok' : 'missed'
}

const wanted = ({ atLeast, atMost }: Goal) =>
  atLeast === undefined ? (atMost === undefined ? '' : `≤ ${atMost}`) : `≥ ${atLeast}`

export const tableHead = ['| measure | all | tuning half | held-out half | goal (all) | |', '|---|---|---|---|---|---|']

export function createTally(name: string, goal: Goal = {}): Tally {
  const values: { readonly half: Half | undefined; readonly value: number }[] = []
  const whole = () => mean(values.map(({ value }) => value))
  return {
    name,
    add: (half, value) => void values.push({ half, value }),
    get whole() {
      return whole()
    },
    line() {
      const parts = halves.map((half) => {
        const some = values.flatMap((one) => (one.half === half ? [one.value] : []))
        return some.length === 0 ? '' : `${show(mean(some))} (${some.length})`
      })
      return `| ${[name, show(whole()), ...parts, wanted(goal), verdict(whole(), goal)].join(' | ')} |`
    },
  }
}
