import { type ComponentChild, h, type VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import type { WebMessage } from '#adapters/web/protocol.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Formula } from '../formulas/formula.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { renderMarkdown, toPlainText } from './markdown.ts'
import { texts } from '../texts.ts'
import type { MessageTools } from './actions.tsx'

/** A message of Footbridge: markdown, citation marks that open their passage, and the list of references. */
export function Answer({ message, tools }: { message: WebMessage; tools: MessageTools }): VNode {
  const { streaming } = message
  const { openReference } = tools
  const openNumber = openReference?.message === message.id ? openReference.number : undefined
  if (message.isUnsure && message.references.length > 0 && !streaming)
    return <Nearest message={message} tools={tools} openNumber={openNumber} />
  return <AnswerText message={message} tools={tools} openNumber={openNumber} />
}

interface AnswerTextProps {
  readonly message: WebMessage
  readonly tools: MessageTools
  readonly openNumber: number | undefined
}

/** An answer that found nothing: the nearest passages are cards in place of their list. */
function Nearest({ message, tools, openNumber }: AnswerTextProps): VNode {
  const nearest = message.references
  const [head = '', list = '', ...rest] = message.text.split('\n\n')
  const [lead, ...lines] = list.split('\n')
  const text = (words: string) => (
    <AnswerText message={{ ...message, text: words, references: [] }} tools={tools} openNumber={undefined} />
  )
  return (
    <>
      {text([head, lead].join('\n\n'))}
      <ul class="nearest" aria-label={texts.nearest} data-testid="nearest">
        {nearest.map(({ number, file, place, passage, support }, index) => (
          <li key={number}>
            <button
              type="button"
              class="near-card"
              aria-expanded={openNumber === number}
              onClick={() => tools.onReference({ message: message.id, number, references: nearest })}
            >
              <span class="file-name">{file}</span>
              {place && <span class="quiet-word">{place}</span>}
              <span class="near-passage">
                {toPlainText(lines[index] ?? support ?? passage).replaceAll(/\s+/g, ' ')}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {rest.length > 0 && text(rest.join('\n\n'))}
    </>
  )
}

function AnswerText({ message, tools, openNumber }: AnswerTextProps): VNode {
  const { text, references, streaming, kind } = message
  const { onReference } = tools
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
    return renderMarkdown<ComponentChild>(text, {
      element: h,
      cite,
      address,
      codeBlock,
      table,
      ...(kind === 'answer' ? { formula } : { sign }),
    })
  }, [text, references, streaming, openNumber, message.id, onReference, kind])
  return (
    <>
      <div
        class={streaming ? 'prose streaming' : 'prose'}
        aria-live={streaming ? 'off' : undefined}
        data-testid="answer-text"
      >
        {body}
      </div>
      {references.length > 0 && <References message={message} tools={tools} openNumber={openNumber} />}
      {message.model && <p class="answer-model">{texts.answeredBy(message.model)}</p>}
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

/** Icons in place of the signs in our own sentences. */
const SIGNS: Readonly<Record<string, IconName>> = {
  '\u2705': 'check',
  '\u26A0\uFE0F': 'alert',
  '\u{1F50E}': 'search',
  '\u{1F504}': 'again',
  '\u{1F399}\uFE0F': 'microphone',
  '\u270F\uFE0F': 'edit',
  '\u{1F4CC}': 'pin',
  '\u{1F50A}': 'speak',
}

function sign(found: string): VNode | undefined {
  const name = SIGNS[found]
  if (name === undefined) return undefined
  const says = name === 'pin' ? ({ role: 'img', 'aria-label': texts.pin } as const) : {}
  return (
    <span class="sign" {...says}>
      <Icon name={name} />
    </span>
  )
}

/** The host alone tells where an address leads; its path is no part of the sentence. */
function address(host: string, whole: string): VNode {
  return (
    <span class="address" title={whole}>
      <code>{host}</code>
      <CopyButton text={whole} label={texts.copyAddress(whole)} />
    </span>
  )
}

const formula = (source: string, isBlock: boolean): VNode => <Formula source={source} isBlock={isBlock} />

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
