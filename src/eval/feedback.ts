import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openAnswers } from '#store/store.ts'
import { toGolden, printGolden } from './golden.ts'

/** `feedback --help` prints it. */
export const USAGE = `Usage: footbridge feedback [--out golden.jsonl] [--collections]     (in a checkout: npm run feedback -- …)
  --out <file>    the file to write; without it the set is printed
  --collections   name the collection of each question, so that eval needs no --collection
`

/**
 * Writes the judged answers as a golden set. Works while Footbridge runs, and changes nothing.
 *
 * @returns what to print
 * @throws {Error} with a sentence for the person at the terminal
 */
export async function runFeedback(
  at: { readonly dataDir: string; readonly databaseUrl?: string },
  words: readonly string[],
): Promise<string> {
  const { out, collections } = parse(words)
  const store = await openAnswers(at)
  try {
    const voted = await store.answers.voted()
    const cases = toGolden(voted, { collections })
    if (out === undefined) return printGolden(cases).trimEnd()
    writeFileSync(out, printGolden(cases))
    const left =
      voted.length === 0
        ? 'Nothing was judged yet.'
        : `From ${voted.length} judged ${voted.length === 1 ? 'answer' : 'answers'}.`
    return `${cases.length} ${cases.length === 1 ? 'question' : 'questions'} in ${out}. ${left}`
  } finally {
    await store.close()
  }
}

function parse(words: readonly string[]): { readonly out?: string; readonly collections: boolean } {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: { out: { type: 'string' }, collections: { type: 'boolean', default: false } },
    })
    return { collections: values.collections, out: values.out }
  } catch (error) {
    const why = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new Error(`${why}.\n${USAGE.trimEnd()}`, { cause: error })
  }
}
