import { type ComponentChild, h, type VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import type { WebMessage } from '#adapters/web/protocol.ts'
import { Icon } from '../parts/icons.tsx'
import { renderMarkdown } from './markdown.ts'
import { texts } from '../texts.ts'
import type { MessageTools } from './actions.tsx'

/** A message of Footbridge: markdown, citation marks that open their passage, and the list of references. */
export function Answer({ message, tools }: { message: WebMessage; tools: MessageTools }): VNode {
  const { text, references, streaming } = message
  const { openReference, onReference } = tools
  const openNumber = openReference?.message === message.id ? openReference.number : undefined
  const body = useMemo(() => {
    const cite = (number: number) => {
      const reference = references.find((known) => known.number === number)
      if (!reference) return streaming ? <span class="cite waiting">{number}</span> : undefined
      return (
        <button
          type="button"
          class="cite"
          data-testid="cite"
          aria-label={texts.reference(number, reference.file, reference.place ?? '')}
          aria-expanded={openNumber === number}
          onClick={() => onReference({ message: message.id, number, references })}
        >
          {number}
        </button>
      )
    }
    return renderMarkdown<ComponentChild>(text, { element: h, cite, codeBlock, table })
  }, [text, references, streaming, openNumber, message.id, onReference])
  return (
    <>
      <div class="prose" aria-live={streaming ? 'off' : undefined} data-testid="answer-text">
        {body}
        {streaming && <span class="caret" aria-hidden="true" />}
      </div>
      {references.length > 0 && <References message={message} tools={tools} openNumber={openNumber} />}
      {streaming && (
        <div class="answer-tools">
          <button type="button" class="button small" onClick={() => void tools.actions.stop(message).catch(() => {})}>
            <Icon name="stop" />
            {texts.stop}
          </button>
        </div>
      )}
    </>
  )
}

interface ReferencesProps {
  readonly message: WebMessage
  readonly tools: MessageTools
  readonly openNumber: number | undefined
}

function References({ message, tools, openNumber }: ReferencesProps): VNode {
  const { references } = message
  return (
    <div role="group" class="references" aria-label={texts.references} data-testid="references">
      <ul>
        {references.map(({ number, file, place, version = 1 }) => (
          <li key={number}>
            <button
              type="button"
              class="reference"
              data-testid="reference"
              aria-expanded={openNumber === number}
              onClick={() => tools.onReference({ message: message.id, number, references })}
            >
              <span class="reference-number">{number}</span>
              <span class="file-name">{file}</span>
              {place && <span class="quiet-word">{place}</span>}
              {version > 1 && <span class="quiet-word">v{version}</span>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Wide code and tables scroll in their own box, by keyboard too; the page never scrolls sideways. */
function codeBlock(code: string, language: string): VNode {
  return (
    <pre class="code" tabIndex={0} aria-label={language ? `${texts.code}: ${language}` : texts.code} role="region">
      <code>{code}</code>
    </pre>
  )
}

function table(children: readonly ComponentChild[]): VNode {
  return (
    <div class="table" tabIndex={0} role="region" aria-label={texts.table}>
      <table>{children}</table>
    </div>
  )
}
