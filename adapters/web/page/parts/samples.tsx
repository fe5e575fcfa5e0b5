import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { FileOutline, ReceiptItem } from '#adapters/web/protocol.ts'
import { api } from '../chat/api.ts'
import { isClause, isQuestion, texts } from '../texts.ts'

const MAX_QUESTIONS = 3
/** Files of one drop whose outlines are read: each costs the server a reading. */
const MAX_OUTLINES = 12

/** Pages and headings of the ready files, by their ids, as they come. */
export function useOutlines(
  channel: string,
  receipt: readonly ReceiptItem[],
  wanted: boolean,
): ReadonlyMap<string, FileOutline> {
  const [outlines, setOutlines] = useState<ReadonlyMap<string, FileOutline>>(new Map())
  const ready = receipt.flatMap(({ state, fileId }) => (state === 'ready' && fileId !== undefined ? [fileId] : []))
  const ids = wanted ? ready.slice(0, MAX_OUTLINES).join(' ') : ''
  useEffect(() => {
    for (const id of ids.split(' ').filter((each) => each !== '' && !outlines.has(each)))
      api.outline(channel, id).then(
        (outline) => setOutlines((known) => new Map(known).set(id, outline)),
        () => undefined,
      )
  }, [channel, ids])
  return outlines
}

interface SamplesProps {
  readonly outlines: readonly (FileOutline & { readonly file: string })[]
  readonly onAsk: (question: string) => void
}

/** Questions that headings suggest, by turns from the files that have most of them. */
export function Samples({ outlines, onAsk }: SamplesProps): VNode | null {
  const asked = outlines.map(({ headings, file }) => headings.flatMap((heading) => toQuestion(heading, file)))
  const rich = asked.toSorted((a, b) => b.length - a.length).slice(0, MAX_QUESTIONS)
  const turns = Array.from({ length: MAX_QUESTIONS }, (_, turn) => rich.flatMap((each) => each[turn] ?? []))
  const questions = [...new Set(turns.flat())].slice(0, MAX_QUESTIONS)
  if (questions.length === 0) return null
  return (
    <ul class="samples" aria-label={texts.sampleQuestions} data-testid="samples">
      {questions.map((question) => (
        <li key={question}>
          <button type="button" class="sample" onClick={() => onAsk(question)}>
            {question}
          </button>
        </li>
      ))}
    </ul>
  )
}

/**
 * A heading that is a question already stays as it is; a name becomes one, without its number; a clause gives none. The
 * file is named, since after another question “it” would mean something else.
 */
function toQuestion(heading: string, file: string): readonly string[] {
  const topic = heading.replace(/^(?:§ ?|Slide )?\d+(?:\.\d+)*[.):]?\s+/, '')
  if (topic.endsWith('?')) return [topic]
  if (isClause(topic)) return []
  return [isQuestion(topic) ? `${topic}?` : texts.sampleQuestion(topic, file)]
}
