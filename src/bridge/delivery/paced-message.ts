/** A message that tells how far something is: the newest text at a pace, the last one for certain. */
export interface PacedNotice {
  update(text: string): void
  finish(): Promise<void>
}

export function createPacedNotice(options: {
  readonly show: (text: string) => Promise<void>
  readonly intervalMs: number
  readonly onError: (error: unknown) => void
}): PacedNotice {
  const { show, intervalMs, onError } = options
  let newest: string | undefined
  let showing: Promise<void> | undefined
  let wake: (() => void) | undefined
  let isFinishing = false

  async function loop(): Promise<void> {
    while (newest !== undefined && !isFinishing) {
      const text = newest
      newest = undefined
      await show(text)
      await pause()
    }
  }

  async function pause(): Promise<void> {
    if (isFinishing) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      wake = resolve
      timer = setTimeout(resolve, intervalMs).unref()
    })
    clearTimeout(timer)
  }

  return {
    update(text) {
      newest = text
      showing ??= loop()
        .catch(onError)
        .finally(() => {
          showing = undefined
        })
    },
    async finish() {
      isFinishing = true
      wake?.()
      await showing
    },
  }
}
