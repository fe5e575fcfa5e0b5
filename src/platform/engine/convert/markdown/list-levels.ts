import type { MarkdownWriter } from './writer.ts'

/** Builds nested lists from paragraphs that only have a level, as in slides and RTF. */
export function createLevels(writer: MarkdownWriter) {
  const open: string[] = []
  const closeLast = () => {
    writer.close('li')
    writer.close(open.pop() ?? 'ul')
  }
  return {
    /** Opens an item; the text of it follows. `level` counts from 0; `number` and `label` are what the document shows. */
    item(level: number, ordered: boolean, { number, label }: { number?: number; label?: string } = {}): void {
      const name = ordered ? 'ol' : 'ul'
      // A skipped level opens no list.
      const depth = Math.min(level, open.length) + 1
      while (open.length > depth) closeLast()
      if (open.length === depth && open.at(-1) !== name) closeLast()
      if (open.length === depth) writer.close('li')
      else {
        writer.open(name)
        open.push(name)
      }
      writer.open('li', {
        ...(number === undefined ? {} : { value: String(number) }),
        ...(label === undefined ? {} : { label }),
      })
    },
    /** Closes all open lists. */
    end(): void {
      while (open.length > 0) closeLast()
    },
  }
}
