import { promptText, type UpstreamAnswer, type UpstreamRequest } from '#test/doubles/upstream/script.ts'
import type { FirstQuestion } from './ask.ts'

/** Other words for the subject of a question, as a model knows them. */
const OTHER_WORDS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/vacation|PTO/i, 'annual leave holiday days'],
  [/doctor/i, 'medical certificate illness absence'],
  [/quit/i, 'notice period resignation'],
  [/puppy/i, 'dog dogs office'],
  [/hard disk/i, 'database disk full partitions'],
  [/home office/i, 'work from home'],
  [/speeding/i, 'fines driver rental'],
  [/retirement/i, 'pension scheme salary'],
  [/accident/i, 'emergency assistance hotline'],
  [/mothers/i, 'parental leave birth parents'],
  [/money back/i, 'expenses reimbursed receipts'],
  [/vendor/i, 'supplier changed'],
  [/meal alowance/i, 'meal allowance'],
  [/Copenhagn/i, 'Copenhagen hotels'],
  [/notise/i, 'notice period'],
  [/expences/i, 'expenses reimbursed receipts'],
  [/nicht geht/i, 'Störungen melden Durchwahl'],
  [/zwischen den jahren/i, 'Weihnachten Neujahr geschlossen'],
  [/auszahlen/i, 'Auszahlung Resturlaub'],
]

/** Forms in which models write citations. */
const FORMS = [
  (number: string) => `[RREF${number}]`,
  (number: string) => `[${number}]`,
  (number: string) => `【${number}】`,
  (number: string) => `(${number})`,
  (number: string) => `[^${number}]`,
]

/**
 * A scripted model that reads well: it says the line of a passage that has the words of the right answer, in turn in
 * each form of citation, and refuses where none has them. So what is measured is all around the model.
 */
export function createModel(questions: readonly FirstQuestion[]) {
  const byText = new Map(questions.map((question) => [question.question, question]))
  let answers = 0
  return (request: UpstreamRequest): UpstreamAnswer => {
    const prompt = promptText(request)
    if (prompt.includes('Give other words')) {
      const words = OTHER_WORDS.find(([pattern]) => pattern.test(prompt.slice(prompt.lastIndexOf('> '))))
      return { kind: 'chat', text: words?.[1] ?? 'NOT_IN_FILES' }
    }
    const [, follow] = /\n\nLast question: (.*)$/s.exec(prompt) ?? []
    if (follow !== undefined) return { kind: 'chat', text: complete(follow, questions) }
    if (prompt.startsWith('You summarise')) {
      const headings = Array.from(prompt.matchAll(/^> #+ (.*)$/gm), ([, title]) => `- ${title}`)
      return { kind: 'chat', text: headings.join('\n') }
    }
    const asked = prompt.split('The question:\n').at(-1)?.split('\n')[0] ?? ''
    const { words } = byText.get(asked) ?? {}
    const passages = [...prompt.matchAll(/^Passage \[RREF(\d+)\][^\n]*\n<<<\w+\n([\s\S]*?)\n\w+>>>/gm)]
    if (passages.length === 0 && !prompt.includes('The search found no passage'))
      return { kind: 'chat', text: /dank/i.test(prompt.slice(-20)) ? 'Gern geschehen.' : 'You are welcome.' }
    for (const [, number = '', body = ''] of passages) {
      const line = words && body.split('\n').find((each) => words.test(each))
      if (line === undefined) continue
      answers += 1
      const mark = FORMS[answers % FORMS.length]?.(number)
      return { kind: 'chat', text: `${line.replace(/^[#>|\s-]+|\|\s*$/g, '')} ${mark}.` }
    }
    return { kind: 'chat', text: 'NOT_IN_FILES' }
  }
}

/** A follow-up with the question that it follows. */
function complete(follow: string, questions: readonly FirstQuestion[]): string {
  const at = questions.findIndex(({ question }) => question === follow)
  const { group } = questions[at] ?? {}
  if (group !== 'follow-up') return follow
  const before = questions.slice(0, at).findLast((each) => each.group === 'thread')
  return `${follow.replace(/[?]$/, '')}, ${before?.question ?? ''}`
}
