import { stripVTControlCharacters } from 'node:util'
import type { Look } from './discord-page.ts'
import { escapeHtml } from './discord-markup.ts'

const STYLE = `
  :root { --bg: #1e2127; --text: #d7dae0; --faint: #8b929e; --good: #7fc77f; --bad: #f0716f }
  :root.light { --bg: #fafafa; --text: #24292f; --faint: #6a737d; --good: #1a7f37; --bad: #cf222e }
  body { margin: 0; padding: 14px 18px; width: 1040px; background: var(--bg); color: var(--text) }
  pre { margin: 0; font: 13px/1.5 "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; padding-left: 5ch; text-indent: -5ch }
  .typed { font-weight: bold; margin-top: 10px } .typed span { color: var(--faint) } .good { color: var(--good) } .bad { color: var(--bad) }`

export interface Typed {
  readonly command: string
  readonly output: string
}

/** A terminal with these commands and what they printed. */
export function terminalOf(look: Look, all: readonly Typed[]): string {
  const lines = all.flatMap(({ command, output }) => [
    `<pre class="typed"><span>$</span> ${escapeHtml(command)}</pre>`,
    ...stripVTControlCharacters(output)
      .trimEnd()
      .split('\n')
      .map((line) => {
        const marked = escapeHtml(line)
          .replace(/^ok {3}/, '<b class="good">ok  </b> ')
          .replace(/^FAIL /, '<b class="bad">FAIL</b> ')
        return `<pre>${marked}</pre>`
      }),
  ])
  return `<!doctype html><html class="${look}"><meta charset="utf-8"><style>${STYLE}</style><body>${lines.join('')}</body></html>`
}
