import type { Outgoing } from '#bridge/port/message.ts'
import type { Log } from '#bridge/port/platform.ts'
import { slackCode } from '../errors.ts'
import { renderAnswer, renderFoot, renderText } from './blocks.ts'
import type { Blocks } from './buttons.ts'
import { FOLDS } from './references.ts'
import { hasChart, hasDataTable } from './tables.ts'

type Show<T> = (foot: Blocks, text: typeof renderText) => Promise<T>

export interface Fallback {
  /** Shows passages in the best fold that Slack takes, or the lines only; and tables as blocks, where it takes them. */
  readonly withFoot: <T>(outgoing: Outgoing, room: number, show: Show<T>) => Promise<T>
  /** Whether this message will have a table as a block, which no stream can show. */
  readonly showsTable: (outgoing: Outgoing) => boolean
}

/** A table is refused for one odd cell, too (getnao/nao#1143): only refusals in a row are of the workspace. */
const MAX_REFUSED = 2

/** Texts of an answer, from the richest. */
const LOOKS = { chart: renderAnswer, table: (text: string) => renderAnswer(text, false), plain: renderText } as const
type Look = keyof typeof LOOKS

/** Leaves out blocks until Slack takes the message: first the chart, then the table, then the fold of the passages. */
export function createFallback(log: Log): Fallback {
  let best = 0
  const refused = { chart: 0, table: 0 }
  const showsTable: Fallback['showsTable'] = ({ kind, isGrowing, text }) =>
    refused.table < MAX_REFUSED && kind === 'answer' && isGrowing !== true && hasDataTable(text)

  function richest(outgoing: Outgoing): Look {
    if (!showsTable(outgoing)) return 'plain'
    return refused.chart < MAX_REFUSED && hasChart(outgoing.text) ? 'chart' : 'table'
  }

  /** Counts a refusal of the chart or the table. Once Slack takes one, its refusals are counted anew. */
  function note(tried: Look, taken: Look, error: unknown): void {
    if (taken !== 'plain') refused.table = 0
    if (taken === 'chart') refused.chart = 0
    if (tried === taken) return
    const part = taken === 'table' ? 'chart' : 'table'
    refused[part] += 1
    log.warn({ err: error }, `Slack refused the ${part} of an answer, which is shown without it`)
  }

  return {
    showsTable,
    async withFoot(outgoing, room, show) {
      const tried = richest(outgoing)
      let look = tried
      let failure: unknown
      for (let at = best; ;) {
        try {
          const answer = await show(renderFoot(outgoing, room, FOLDS[at] ?? 'none'), LOOKS[look])
          // The table is left out before the fold: it was the cause only if the fold could stay.
          if (at === best) note(tried, look, failure)
          best = at
          return answer
        } catch (error) {
          const isLast = at >= FOLDS.length - 1 || outgoing.references === undefined
          if (slackCode(error) !== 'invalid_blocks' || (isLast && look === 'plain')) throw error
          failure = error
          if (look === 'plain') at += 1
          else look = look === 'chart' ? 'table' : 'plain'
        }
      }
    },
  }
}
