import { parseArgs } from 'node:util'
import { withUpstream } from '#test/support/platforms.ts'
import { createModel } from './model.ts'
import { type Asked, type FirstQuestion, openFirstDay, readQuestions, type Verdict } from './ask.ts'

const say = (text: string) => void process.stdout.write(`${text}\n`)
const VERDICTS: readonly Verdict[] = ['right', 'wrong', 'false nothing', 'off-topic answered']

const percent = (part: number, whole: number) => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`)

function lineOf(name: string, asked: readonly Asked[]): string {
  const count = (verdict: Verdict) => asked.filter((each) => each.verdict === verdict).length
  return [name.padEnd(22), `${asked.length}`.padStart(3), ...VERDICTS.map((each) => `${count(each)}`.padStart(6))].join(
    ' ',
  )
}

/** Parts of the whole; off-topic answers of the off-topic questions. */
function shares(name: string, asked: readonly Asked[]): string {
  const part = (verdict: Verdict) => asked.filter((each) => each.verdict === verdict).length
  const offTopic = asked.filter(({ words }) => words === undefined).length
  return `${name}: right ${percent(part('right'), asked.length)}, wrong ${percent(part('wrong'), asked.length)}, false "nothing" ${percent(part('false nothing'), asked.length)}, off-topic answered ${percent(part('off-topic answered'), offTopic)}`
}

/**
 * The first day of a new user: twelve files are dropped, and the questions of both sets asked in one conversation.
 * `--show` prints the wrong answers, `--all` every answer, `--model` adds a scripted model.
 */
async function main(args: readonly string[]): Promise<void> {
  const options = {
    show: { type: 'boolean' },
    all: { type: 'boolean' },
    set: { type: 'string' },
    model: { type: 'boolean' },
  } as const
  const { values } = parseArgs({ args: [...args], options })
  const upstream =
    values.model === true
      ? await withUpstream({ answerBy: createModel([...readQuestions('tuning'), ...readQuestions('held-out')]) })
      : undefined
  const day = await openFirstDay(upstream?.env)
  const ask = async (questions: readonly FirstQuestion[]) => {
    const asked: Asked[] = []
    // oxlint-disable-next-line no-await-in-loop -- one conversation
    for (const question of questions) asked.push(await day.ask(question))
    return asked
  }
  try {
    for (const set of ['tuning', 'held-out'] as const) {
      if (values.set !== undefined && values.set !== set) continue
      // oxlint-disable-next-line no-await-in-loop -- one conversation
      const asked = await ask(readQuestions(set))
      say(`\n${set.padEnd(22)} all ${VERDICTS.map((each) => each.slice(0, 6).padStart(6)).join(' ')}`)
      for (const [group, of] of Map.groupBy(asked, (each) => each.group)) say(lineOf(group, of))
      say(shares(set, asked))
      for (const one of asked) {
        if (values.all !== true && (values.show !== true || one.verdict === 'right')) continue
        say(
          `\n${one.verdict.toUpperCase()}: ${one.question} (${one.words?.source ?? 'nothing'} in ${one.file ?? '-'})\n  ${one.text.replaceAll('\n', '\n  ').slice(0, 900)}`,
        )
      }
    }
  } finally {
    await day.close()
    await upstream?.close()
  }
}

await main(process.argv.slice(2))
