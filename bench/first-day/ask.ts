import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { startFootbridge, type Environment } from '#test/support/footbridge.ts'
import { createPerson } from '#test/support/people/person.ts'
import { openWeb } from '#test/support/people/web.ts'
import { makeDocuments } from './documents.ts'

/** A question of a new user. */
export interface FirstQuestion {
  readonly group: string
  readonly question: string
  /** Undefined: the files do not answer it. */
  readonly words?: RegExp
  /** Undefined: the answer is about the shelf itself, and cites none. */
  readonly file?: string
}

export type Verdict = 'right' | 'wrong' | 'false nothing' | 'off-topic answered'

export interface Asked extends FirstQuestion {
  readonly verdict: Verdict
  readonly text: string
  /** It counts as an unanswered question of the channel. */
  readonly isGap: boolean
}

/** The questions in the order in which they are asked; a follow-up comes after the question it follows. */
export function readQuestions(set: 'tuning' | 'held-out'): readonly FirstQuestion[] {
  const lines = readFileSync(new URL(`${set}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => {
    const [group = '', question = '', words = '-', file = '-'] = line.split('\t')
    const [, flags = '', pattern = words] = /^\(\?(i)\)(.*)$/.exec(words) ?? []
    return {
      group,
      question,
      words: words === '-' ? undefined : new RegExp(pattern, flags),
      file: file === '-' ? undefined : file,
    }
  })
}

/** Files on the shelf, and one direct conversation in which all of it is asked. */
export async function openFirstDay(env: Environment = {}) {
  const workspace = await openWeb()
  const footbridge = await startFootbridge({ LOG_LEVEL: 'warn', ...env })
  await workspace.attach(footbridge)
  const channel = workspace.directOf('Ada')
  const person = createPerson(workspace, 'Ada', channel)
  const documents = await makeDocuments()
  await person.drops(...documents)
  await person.sees(new RegExp(documents.map(() => 'ready').join('[^]*')))
  const database = new DatabaseSync(join(footbridge.dataDir, 'bridge.sqlite'), { readOnly: true })
  const outcomeOf = database.prepare(`SELECT outcome FROM answer WHERE (answer ->> 'questionMessage') = ?`)

  /** Footbridge's messages below this one, once they grow no more. */
  async function answerTo(id: string): Promise<readonly string[]> {
    let before = ''
    for (let tries = 0; tries < 2000; tries += 1) {
      // oxlint-disable-next-line no-await-in-loop -- looks again and again
      const { messages } = await workspace.browser().history(channel.id)
      const own = messages.slice(messages.findIndex((message) => message.id === id) + 1).filter(({ ours }) => ours)
      const seen = JSON.stringify(own)
      if (own.length > 0 && own.every(({ streaming }) => !streaming) && seen === before)
        return own.map(({ text, references }) => [text, ...references.map(({ file }) => `→ ${file}`)].join('\n'))
      before = seen
      // oxlint-disable-next-line no-await-in-loop -- as above
      await sleep(15)
    }
    throw new Error(`No answer came to ${id}.`)
  }

  return {
    async ask(asked: FirstQuestion): Promise<Asked> {
      const id = await person.says(asked.question)
      const text = (await answerTo(id)).join('\n\n')
      const isGap = outcomeOf.get(id)?.['outcome'] === 'nothing'
      return { ...asked, text, isGap, verdict: judge(asked, text, isGap) }
    },
    async close() {
      database.close()
      await footbridge.close()
      await workspace.close()
    },
  }
}

function judge({ group, words, file }: FirstQuestion, text: string, isGap: boolean): Verdict {
  if (words === undefined) return isGap ? 'right' : 'off-topic answered'
  if (isGap) return 'false nothing'
  const isRight = words.test(text) && (file === undefined || text.includes(`→ ${file}`))
  return isRight || (group === 'small-talk' && words.test(text)) ? 'right' : 'wrong'
}
