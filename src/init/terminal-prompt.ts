import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Ctrl-C, Ctrl-D, or the end of the input. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

export interface Prompt {
  say(line: string): void
  /** The answer without the blanks around it; empty: skipped. A secret is not shown as it is typed. */
  ask(question: string, how?: { readonly secret?: boolean }): Promise<string>
  /** Yes or no; Enter takes `otherwise`. */
  confirm(question: string, otherwise: boolean): Promise<boolean>
  /** Index of the line that was chosen by its number; `undefined`: skipped. */
  choose(question: string, lines: readonly string[]): Promise<number | undefined>
  /** Waits for work; Ctrl-C ends the waiting. */
  during<Value>(what: string, work: Promise<Value>): Promise<Value>
  /** Gives the terminal back. */
  close(): void
}

/** @throws {Interrupted} from each question */
// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function openPrompt(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Prompt {
  let isMuted = false
  const shown = new Writable({
    write: (piece, _, done) => {
      if (!isMuted) output.write(piece as string)
      done()
    },
  })
  const lines = createInterface({ input, output: shown, terminal: true, historySize: 0 })
  const stopped = new AbortController()
  const stop = () => stopped.abort(new Interrupted())
  lines.on('SIGINT', stop).on('close', stop)
  const interrupted = new Promise<never>((_, reject) => {
    stopped.signal.addEventListener('abort', () => reject(new Interrupted()))
  })
  // Handled where somebody waits for it.
  interrupted.catch(() => undefined)
  const say = (line: string) => void output.write(`${line}\n`)

  async function ask(question: string, { secret = false } = {}): Promise<string> {
    const answer = lines.question(`  ${question} `, { signal: stopped.signal })
    // The question itself is written already.
    isMuted = secret
    try {
      return (await Promise.race([answer, interrupted])).trim()
    } catch {
      throw new Interrupted()
    } finally {
      isMuted = false
      if (secret) say('')
    }
  }

  return {
    say,
    ask,
    async confirm(question, otherwise) {
      const answer = await ask(`${question} ${otherwise ? '[Y/n]' : '[y/N]'}`)
      return answer === '' ? otherwise : /^y/i.test(answer)
    },
    async choose(question, choices) {
      for (const [index, line] of choices.entries()) say(`  ${index + 1}  ${line}`)
      for (;;) {
        const answer = await ask(`${question} [${choices.length === 1 ? 1 : `1-${choices.length}`}, Enter skips]`)
        if (answer === '') return undefined
        const index = Number(answer) - 1
        if (choices[index] !== undefined) return index
        say(`  Type a number from 1 to ${choices.length}.`)
      }
    },
    during(what, work) {
      say(`  ${what} …`)
      work.catch(() => undefined)
      return Promise.race([work, interrupted])
    },
    close: () => lines.close(),
  }
}
