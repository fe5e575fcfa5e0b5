import type { Row, Slice } from './row.ts'

/** Options of the command line that choose a part of a row, as they were given. */
export type SliceOptions = Readonly<Partial<Record<'at-once' | 'bots' | 'rounds' | 'bursts' | 'seconds', string>>>

/** @throws {Error} a sentence, for a text that is not a number */
export function parseSlice(given: SliceOptions): Slice {
  const numbers = (name: keyof SliceOptions) =>
    given[name]?.split(',').map((text) => {
      const value = Number(text)
      if (Number.isInteger(value) && value > 0) return value
      throw new Error(`--${name} ${given[name]}: ${text === '' ? 'nothing' : text} is no whole number above 0.`)
    })
  const number = (name: keyof SliceOptions) => {
    const [first, second] = numbers(name) ?? []
    if (second !== undefined) throw new Error(`--${name} ${given[name]}: it takes one number.`)
    return first
  }
  return {
    atOnce: numbers('at-once'),
    bots: given.bots?.split(','),
    rounds: number('rounds'),
    bursts: number('bursts'),
    seconds: number('seconds'),
  }
}

/** @throws {Error} a sentence, for a bot that one of these rows does not have */
export function refuseUnknownBots(rows: readonly Row[], { bots = [] }: Slice): void {
  for (const row of rows) {
    const unknown = bots.filter((bot) => row.bots?.includes(bot) === false)
    if (unknown.length === 0) continue
    throw new Error(`There is no bot ${unknown.join(', ')} in ${row.name}. There are: ${row.bots?.join(', ')}.`)
  }
}
