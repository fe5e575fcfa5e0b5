import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { FileOutline, ReceiptItem } from '#adapters/web/protocol.ts'
import { api } from '../chat/api.ts'
import { isQuestion, texts } from '../texts.ts'

const MAX_QUESTIONS = 3

/** Pages of a ready file, and questions that its headings suggest. */
export function useOutline(channel: string, item: ReceiptItem, wanted: boolean): FileOutline | undefined {
  const [outline, setOutline] = useState<FileOutline>()
  const id = wanted && item.state === 'ready' ? item.fileId : undefined
  useEffect(() => {
    if (id === undefined) return
    api.outline(channel, id).then(setOutline, () => undefined)
  }, [channel, id])
  return outline
}

export function Samples({ outline, onAsk }: { outline: FileOutline; onAsk: (question: string) => void }): VNode | null {
  const questions = outline.headings.slice(0, MAX_QUESTIONS).map(toQuestion)
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

/** A heading that is a question already stays as it is. */
function toQuestion(heading: string): string {
  if (heading.endsWith('?')) return heading
  return isQuestion(heading) ? `${heading}?` : texts.sampleQuestion(heading)
}
