import { openFolder, startFootbridge } from '../footbridge.ts'
import { longAnswer, modelName, questionText, startModel } from '../model.ts'
import { peakOf } from '../process.ts'
import type { Row } from '../row.ts'
import { openSlack, type Asking } from '../stage.ts'
import { median, quantile } from '../statistics.ts'

/** A thousand answers open in one process, and a fresh question meanwhile. */
export const openAnswersRow: Row = {
  name: 'load-slack-1000',
  isLarge: true,
  limitMs: 600_000,
  async run(scope) {
    const [count, fresh, characters] = [1000, 20, 20_000]
    const model = scope.use(await startModel(longAnswer(characters)))
    const stage = scope.use(await openSlack(count + fresh))
    const env = {
      PLATFORM_BASE_URL: model.baseUrl,
      PLATFORM_API_KEY: 'bench-key-0123456789',
      PLATFORM_MODEL: modelName,
    }
    const { pid } = await startFootbridge(scope, openFolder(scope), { ...stage.env, ...env })
    const ask = (channel: number) => {
      return stage.ask(channel, channel + 1, questionText(channel + 1))
    }
    const asked = Array.from({ length: count }, (_, channel) => ask(channel))
    await new Promise((resolve) => setTimeout(resolve, 5000))
    const later: Asking[] = []
    for (let index = 0; index < fresh; index += 1) {
      later.push(ask(count + index))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await Promise.all([...asked, ...later].map(({ answered }) => answered))
    await new Promise((resolve) => setTimeout(resolve, 500))
    const whole = [...asked, ...later].filter((asking) => asking.characters() >= 0.98 * characters).length
    const delays = later.map((asking) => asking.firstVisibleAt() - asking.at - model.ownMs(asking.id))
    const where = `Slack, ${characters} characters, 1,000 open`
    return [
      {
        name: `answers whole, ${where}`,
        value: (100 * whole) / (count + fresh),
        unit: '%',
        least: 100,
        detail: `peak ${peakOf(pid).toFixed(0)} MB`,
      },
      {
        name: `added delay of a fresh question, p95, ${where}`,
        value: quantile(delays, 0.95),
        unit: 'ms',
        goal: 2000,
        detail: `p50 ${median(delays).toFixed(0)} ms`,
      },
    ]
  },
}
