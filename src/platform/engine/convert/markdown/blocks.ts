interface Container {
  /** Stands before the first line: `- `, `> `. */
  readonly marker: string
  /** Stands before every further line. */
  readonly rest: string
  used: boolean
}

/** Blocks of markdown one after the other, inside lists and quotations. */
export interface Blocks {
  write(text: string): void
  enter(marker: string, rest: string): void
  leave(): void
  /** The next block follows on the next line, with no blank one between. */
  tight(): void
  finish(): string
}

/** Deeper containers are not shown: their prefixes would outgrow the text. */
const MAX_DEPTH = 20

export function createBlocks(): Blocks {
  const lines: string[] = []
  const containers: Container[] = []
  let hidden = 0
  let blank = false

  const prefix = (isFirst: boolean) =>
    containers.map((container) => (isFirst && !container.used ? container.marker : container.rest)).join('')

  return {
    write(text) {
      const used = containers.filter((container) => container.used)
      if (blank)
        lines.push(
          used
            .map(({ rest }) => rest)
            .join('')
            .trimEnd(),
        )
      for (const [index, line] of text.split('\n').entries()) {
        lines.push(`${prefix(index === 0)}${line}`.trimEnd())
        for (const container of containers) container.used = true
      }
      blank = true
    },
    enter(marker, rest) {
      if (containers.length >= MAX_DEPTH) hidden += 1
      else containers.push({ marker, rest, used: false })
    },
    leave() {
      if (hidden > 0) hidden -= 1
      else containers.pop()
    },
    tight() {
      blank = false
    },
    finish: () => lines.join('\n').trim(),
  }
}
