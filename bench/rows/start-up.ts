import { openFolder, startFootbridge } from '../footbridge.ts'
import type { Figure, Row } from '../row.ts'
import { openDiscord, openSlack } from '../stage.ts'
import { median } from '../statistics.ts'

const starts = 3
const goalMs = 1500

type Environment = Readonly<Record<string, string>>

/** Starts on a fresh folder, then again on the same, several times; milliseconds from spawn to the ready line. */
async function measure(outer: AsyncDisposableStack, env: Environment) {
  const fresh: number[] = []
  const again: number[] = []
  for (let start = 0; start < starts; start += 1) {
    const folder = openFolder(outer)
    for (const samples of [fresh, again]) {
      // A row after its time limit must stop.
      if (outer.disposed) throw new Error('The row was ended.')
      await using once = new AsyncDisposableStack()
      samples.push((await startFootbridge(once, folder, env)).readyMs)
    }
  }
  return { fresh, again }
}

const toFigure = (name: string, samples: readonly number[]): Figure => ({
  name: `start-up, ${name}`,
  value: median(samples),
  unit: 'ms',
  goal: goalMs,
  detail: `${Math.min(...samples).toFixed(0)} to ${Math.max(...samples).toFixed(0)} ms in ${samples.length} starts`,
})

/** From spawn to the ready line. */
export const startUpRow: Row = {
  name: 'start-up',
  async run(scope) {
    const [slack, discord] = [scope.use(await openSlack()), scope.use(await openDiscord())]
    const web = await measure(scope, {})
    const all = await measure(scope, { ...slack.env, ...discord.env })
    return [
      toFigure('web page and embedded platform, fresh folder', web.fresh),
      toFigure('web page and embedded platform, existing folder', web.again),
      toFigure('all three adapters and embedded platform, fresh folder', all.fresh),
      toFigure('all three adapters and embedded platform, existing folder', all.again),
    ]
  },
}
