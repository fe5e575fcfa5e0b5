import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setInterval } from 'node:timers'
import { CONVERT_LIMITS, createConverter } from '#platform/engine/convert/converter.ts'
import { openFolder } from '../footbridge.ts'
import { makePdf } from '../pdf.ts'
import { peakOf, residentOf } from '../process.ts'
import type { Figure, Row } from '../row.ts'

const manyPages = 6_000
const fewPages = 300
const goals = { pagesPerSecond: 200, megabytes: 300 }

/** Most that a child of this process holds while `work` runs, megabytes. */
async function watchChildren<Result>(work: () => Promise<Result>) {
  let megabytes = 0
  const look = () => {
    for (const { pid } of residentOf(process.pid).slice(1)) megabytes = Math.max(megabytes, peakOf(pid))
  }
  const timer = setInterval(look, 20)
  try {
    const result = await work()
    look()
    return { result, megabytes }
  } finally {
    clearInterval(timer)
  }
}

const rate = (name: string, pages: number, ms: number, detail: string, least?: number): Figure => ({
  name: `conversion, PDF of ${pages.toLocaleString('en')} pages, ${name}`,
  value: (pages / ms) * 1000,
  unit: 'pages/s',
  least,
  detail,
})

/** PDF to pages of markdown, as an index pass converts it. */
export const conversionRow: Row = {
  name: 'conversion',
  limitMs: 240_000,
  async run(scope) {
    const folder = openFolder(scope)
    const converter = createConverter(join(folder, 'work'), CONVERT_LIMITS)
    scope.defer(() => converter.close())
    const convert = async (pages: number, name: string) => {
      const path = join(folder, name)
      writeFileSync(path, await makePdf(pages, pages))
      return async () => {
        const at = performance.now()
        const converted = await converter.convertPdf(path)
        const ms = performance.now() - at
        await converted.done()
        if (converted.pages !== pages) throw new Error(`${converted.pages} of ${pages} pages came.`)
        return ms
      }
    }
    const few = await convert(fewPages, 'few.pdf')
    const many = await convert(manyPages, 'many.pdf')
    const cold = await few()
    const warm = await few()
    const { result: all, megabytes } = await watchChildren(many)
    return [
      rate('first of all', fewPages, cold, `of ${cold.toFixed(0)} ms ${(cold - warm).toFixed(0)} start the child`),
      rate('child running', fewPages, warm, `${warm.toFixed(0)} ms`),
      rate('child running', manyPages, all, `${(all / 1000).toFixed(1)} s`, goals.pagesPerSecond),
      {
        name: `conversion, PDF of ${manyPages.toLocaleString('en')} pages, most memory of the child`,
        value: megabytes,
        unit: 'MB',
        goal: goals.megabytes,
      },
    ]
  },
}
