/** A restart loses at most this much of a streamed text; the bridge has it all and repairs the message. */
const SAVE_EVERY_MS = 250

/** The text of messages that are being streamed: in memory at once, on the disk a moment later. */
export interface StreamingTexts {
  start(id: string, text: string): void
  /** Length of the text before this piece; undefined when the message does not grow. */
  append(id: string, piece: string): number | undefined
  of(id: string): string | undefined
  end(id: string): void
  /** Writes what is not yet on the disk. */
  flush(): void
}

export function createStreamingTexts(save: (id: string, text: string) => void): StreamingTexts {
  const texts = new Map<string, string>()
  const unsaved = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    for (const id of unsaved) {
      const text = texts.get(id)
      if (text !== undefined) save(id, text)
    }
    unsaved.clear()
  }
  return {
    start: (id, text) => void texts.set(id, text),
    append(id, piece) {
      const before = texts.get(id)
      if (before === undefined) return undefined
      texts.set(id, before + piece)
      unsaved.add(id)
      timer ??= setTimeout(flush, SAVE_EVERY_MS).unref()
      return before.length
    },
    of: (id) => texts.get(id),
    end(id) {
      texts.delete(id)
      unsaved.delete(id)
    },
    flush,
  }
}
