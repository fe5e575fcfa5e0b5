import { openFolder, startFootbridge } from '../footbridge.ts'
import { makePdf } from '../pdf.ts'
import type { Figure, Row } from '../row.ts'
import { openSlack } from '../stage.ts'
import { median } from '../statistics.ts'
import { openWebPage } from '../web-page.ts'

const pages = 100
const drops = 4
const goalMs = 3000

async function measure(drop: (name: string, bytes: Buffer, round: number) => Promise<void>) {
  const samples: number[] = []
  for (let round = 0; round < drops; round += 1) {
    const bytes = await makePdf(pages, round)
    const at = performance.now()
    await drop(`harbour-${round}.pdf`, bytes, round)
    samples.push(performance.now() - at)
  }
  return samples
}

function toFigures(service: string, [first = Number.NaN, ...next]: readonly number[]): readonly Figure[] {
  return [
    {
      name: `drop to ready, ${pages}-page PDF, ${service}, first after the start`,
      value: first,
      unit: 'ms',
      goal: goalMs,
    },
    {
      name: `drop to ready, ${pages}-page PDF, ${service}, later ones`,
      value: median(next),
      unit: 'ms',
      goal: goalMs,
      detail: `median of ${next.length}`,
    },
  ]
}

/** From the post (or the event on the wire) to the receipt that says ready. */
export const ingestRow: Row = {
  name: 'ingest',
  async run(scope) {
    const slack = scope.use(await openSlack())
    await using own = new AsyncDisposableStack()
    const { url } = await startFootbridge(own, openFolder(scope))
    const page = await openWebPage(url)
    const overWeb = await measure(async (name, bytes) => {
      const { receipt } = await page.drop(name, 'application/pdf', bytes)
      const failed = receipt.find(({ state }) => state !== 'ready')
      if (failed !== undefined) throw new Error(`${name} ended as ${failed.state}.`)
    })
    await startFootbridge(scope, openFolder(scope), slack.env)
    const overSlack = await measure((name, bytes, round) => slack.drop(round, name, 'application/pdf', bytes))
    return [...toFigures('web page', overWeb), ...toFigures('Slack', overSlack)]
  },
}
