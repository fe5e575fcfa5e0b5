import { setTimeout as sleep } from 'node:timers/promises'
import { openFolder, startFootbridge } from '../footbridge.ts'
import { modelName, questionText, startModel } from '../model.ts'
import { makePdf } from '../pdf.ts'
import { residentOf, type Resident } from '../process.ts'
import type { Figure, Row } from '../row.ts'
import { openDiscord, openSlack } from '../stage.ts'
import { openWebPage } from '../web-page.ts'

const goalMegabytes = 200
const idleMs = 10_000
const pages = 3

const list = (processes: readonly Resident[]) =>
  processes.map(({ name, megabytes }) => `${name} ${megabytes.toFixed(0)} MB`).join(', ') || 'none'

const toFigure = (name: string, [process, ...children]: readonly Resident[]): Figure => ({
  name: `memory, all three adapters and embedded platform, ${name}`,
  value: process?.megabytes ?? Number.NaN,
  unit: 'MB',
  goal: goalMegabytes,
  detail: `children: ${list(children)}`,
})

/** Node keeps its compiled code for the next start; the very first start also holds the code that strips types. */
async function startOnce(env: Readonly<Record<string, string>>): Promise<void> {
  await using scope = new AsyncDisposableStack()
  const { url } = await startFootbridge(scope, openFolder(scope), env)
  const page = await openWebPage(url)
  await page.drop('harbour.pdf', 'application/pdf', await makePdf(pages, 0))
}

/** Resident memory with everything connected: as started, and idle after one drop and one question each. */
export const memoryRow: Row = {
  name: 'memory',
  async run(scope) {
    const [slack, discord] = [scope.use(await openSlack()), scope.use(await openDiscord())]
    const model = scope.use(await startModel())
    const env = {
      ...slack.env,
      ...discord.env,
      UPSTREAM_BASE_URL: model.baseUrl,
      UPSTREAM_CHAT_MODEL: modelName,
      PLATFORM_MODEL: modelName,
    }
    await startOnce(env)
    const { pid, url } = await startFootbridge(scope, openFolder(scope), env)
    await sleep(idleMs)
    const started = residentOf(pid)
    const page = await openWebPage(url)
    const pdf = await makePdf(pages, 0)
    await slack.drop(0, 'harbour.pdf', 'application/pdf', pdf)
    await discord.drop(0, 'harbour.pdf', 'application/pdf', pdf)
    await page.drop('harbour.pdf', 'application/pdf', pdf)
    await slack.ask(0, 1, questionText(1)).answered
    await discord.ask(0, 2, questionText(2)).answered
    await page.ask(questionText(3))
    await sleep(idleMs)
    const used = residentOf(pid)
    return [toFigure('10 s after the start', started), toFigure('idle 10 s after a drop and a question each', used)]
  },
}
