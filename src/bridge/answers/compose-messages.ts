import type { ChatMessage } from '../port/platform.ts'
import type { HistoryTurn } from '../port/records.ts'
import { estimateTokens } from '#lib/tokens.ts'
import { fitHistory } from './history.ts'
import { FROM_FILES, MANNER, PLAIN, SAID_BEFORE, SEARCHED, SEEING } from './prompt.ts'
import type { Rewrite } from './question.ts'

/** Budget of the history in estimated tokens: a small model's window needs the rest for passages and answer. */
const HISTORY_TOKENS = 1500

/**
 * The messages for the model: rules, history within its budget, the question.
 *
 * Platforms retrieve by the last user message (the hosted one has no other way). So the rewritten query of a follow-up,
 * or the expanded query, is part of that message too, below the person's own words.
 *
 * @param asked.turns of this conversation, oldest first, without the question itself.
 */
export function composeMessages(asked: {
  readonly question: string
  readonly query?: string
  readonly turns: readonly HistoryTurn[]
  readonly fromFiles: boolean
  readonly rewrite?: Rewrite
  /** Pictures sent with the question, as `data:` URLs. */
  readonly images?: readonly string[]
}): readonly ChatMessage[] {
  const { question, query, turns, fromFiles, rewrite, images = [] } = asked
  const earlier = rewrite === undefined ? '' : `\n${askingForAnother(rewrite)}`
  const budget = Math.max(HISTORY_TOKENS - estimateTokens(earlier), 0)
  // Turns without text are refusals, and the later messages of a long answer.
  const fitting = fitHistory(
    turns.filter(({ text }) => text !== ''),
    budget,
  )
  const { history, unanswered } = toPairs(fitting)
  return [
    {
      role: 'system',
      content: [
        fromFiles ? FROM_FILES : PLAIN,
        query === undefined ? '' : SEARCHED,
        images.length > 0 ? SEEING : '',
        unanswered === '' ? '' : `\n${SAID_BEFORE}\n${quote(unanswered)}`,
        earlier,
      ].join(''),
    },
    ...history,
    {
      role: 'user',
      content: query === undefined ? question : `${question}\n\n${query}`,
      ...(images.length === 0 ? {} : { images }),
    },
  ]
}

/** Splits the history into turns in which user and assistant alternate, and people's messages after the last answer. */
function toPairs(turns: readonly HistoryTurn[]) {
  const history: ChatMessage[] = []
  let said: string[] = []
  for (const { role, text } of turns) {
    const last = history.at(-1)
    if (role === 'user') said.push(text)
    else if (said.length > 0) {
      history.push({ role: 'user', content: said.join('\n') }, { role: 'assistant', content: text })
      said = []
    } else if (last !== undefined) history.splice(-1, 1, { ...last, content: `${last.content}\n\n${text}` })
  }
  return { history, unanswered: said.join('\n') }
}

const quote = (text: string) => `> ${text.replaceAll('\n', '\n> ')}`

function askingForAnother({ manner, earlier }: Rewrite): string {
  // Marks in an earlier answer number the passages of another request.
  const text = earlier.text.replaceAll(/\[\d+\]/g, '')
  return `You have answered the last question before, as quoted here:\n${quote(text)}\n${MANNER[manner]}`
}
