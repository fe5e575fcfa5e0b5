import { AdapterError } from '../../port/errors.ts'
import { createTurns } from '../../../lib/keyed-mutex.ts'
import type { Clock, Log } from '../../port/platform.ts'
import type { Drawing } from './drawing.ts'

/** A drawing that is shown anew as often as the chat service likes, and each minute while work lasts. */
export interface PacedReceipt {
  begin(explain: boolean): void
  touch(): void
  settle(): Promise<void>
  /** Nothing is drawn any more; resolves when what was being drawn is. */
  end(): Promise<void>
}

export function createPacedReceipt(options: {
  readonly drawing: Drawing
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
  readonly minuteMs: number
  /** Nothing is under way any more: it may be forgotten. */
  readonly onIdle: () => void
}): PacedReceipt {
  const { drawing, clock, log, signal, minuteMs, onIdle } = options
  const inTurn = createTurns()
  let isStale = false
  let hasEnded = false
  let settling = 0
  let drawnAt: number | undefined
  let looping: Promise<void> | undefined
  let wake: (() => void) | undefined
  let minute: NodeJS.Timeout | undefined

  const isOff = () => hasEnded || signal.aborted

  /** The next look at what lasts. */
  function setMinute(isAllOver: boolean): void {
    clearTimeout(minute)
    minute = isAllOver || isOff() ? undefined : setTimeout(touch, minuteMs).unref()
  }

  async function draw(): Promise<void> {
    const isAllOver = await inTurn('', () => drawing.draw())
    drawnAt = clock()
    setMinute(isAllOver)
  }

  async function loop(): Promise<void> {
    while (isStale && !isOff()) {
      const paceMs = await drawing.paceMs()
      // Without edits there is one message, at the end.
      if (paceMs === undefined) return
      if (drawnAt !== undefined) await pause(drawnAt + paceMs - clock())
      isStale = false
      if (!isOff()) await draw()
    }
  }

  async function pause(ms: number): Promise<void> {
    if (ms <= 0 || settling > 0 || hasEnded) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      wake = resolve
      timer = setTimeout(resolve, ms)
    })
    clearTimeout(timer)
  }

  function rest(): void {
    // What was begun and not drawn yet is still to come: without edits it is drawn at the end alone.
    const isDrawn = drawnAt !== undefined
    if (isDrawn && looping === undefined && settling === 0 && minute === undefined) onIdle()
  }

  function touch(): void {
    isStale = true
    looping ??= loop()
      .catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, 'A receipt could not be brought up to date')
      })
      .finally(() => {
        looping = undefined
        rest()
      })
  }

  return {
    begin(explain) {
      drawing.begin(explain)
      touch()
    },
    touch,
    async settle() {
      settling += 1
      wake?.()
      try {
        await looping
        if (!hasEnded) await draw()
      } catch (error) {
        // Somebody took the receipt away: nobody waits for it.
        if (!(error instanceof AdapterError) || error.code !== 'not-found') throw error
        log.info({ err: error }, 'A receipt is gone')
      } finally {
        settling -= 1
        rest()
      }
    },
    async end() {
      hasEnded = true
      clearTimeout(minute)
      minute = undefined
      wake?.()
      await looping
      rest()
    },
  }
}
