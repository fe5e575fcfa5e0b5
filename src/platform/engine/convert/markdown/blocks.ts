interface Container {
  /** Prefix of the first line: `- `, `> `. */
  readonly marker: string
  /** Prefix of every further line. */
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

/** Deeper containers are flattened: their prefixes would outgrow the text. */
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

export type Attributes = Readonly<Record<string, string>>

/** Collects code with its lines unchanged. */
export interface CodeBlock {
  readonly parts: string[]
  /** The last character, kept apart: reading it from a long concatenated string would copy the string. */
  endsLine: boolean
  language: string
}

export const startCode = (attributes: Attributes): CodeBlock => ({
  parts: [],
  endsLine: false,
  language: languageOf(attributes),
})

export function addCode(block: CodeBlock, text: string): void {
  if (text === '') return
  block.parts.push(text)
  block.endsLine = text.endsWith('\n')
}

/** The code without the first line end and the white space after it. */
export const codeOf = ({ parts }: CodeBlock): string =>
  parts.join('').replaceAll('\r\n', '\n').replace(/^\n/, '').trimEnd()

/** The language named in an element's class, as pandoc and highlighters write it. */
export function languageOf(attributes: Attributes): string {
  const names = `${attributes['class'] ?? ''} ${attributes['data-lang'] ?? ''}`
  const named = /(?:^|\s)(?:language-|lang-|sourceCode\s+)(?<name>[\w+#-]{1,20})/.exec(names)
  return (named?.groups?.['name'] ?? attributes['data-lang'] ?? '').replace(/[^\w+#-]/g, '').slice(0, 20)
}

/** A fenced block of code; the fence is longer than any run of backticks in it. */
export function toFence(code: string, language: string): string {
  let longest = 2
  for (const [run] of code.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${code}\n${fence}`
}
