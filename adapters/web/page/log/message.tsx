import type { VNode } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Action, WebAttachment, WebMessage } from '#adapters/web/protocol.ts'
import { Actions, MessageButtons, type MessageTools } from './actions.tsx'
import { Answer } from './answer.tsx'
import { api } from '../chat/api.ts'
import { formatDuration, formatFullTime, formatSize, formatTime } from '../format.ts'
import { Icon } from '../parts/icons.tsx'
import { MeaningOffer } from './meaning-offer.tsx'
import { initial } from '../parts/name-form.tsx'
import { OwnForm, type OwnMode } from './own-message.tsx'
import { Receipt } from './receipt.tsx'
import type { Pending } from '../chat/state.ts'
import { texts } from '../texts.ts'
import type { ChatActions } from '../chat/use-chat.ts'

interface MessageViewProps {
  readonly message: WebMessage
  /** This browser is sending it again. */
  readonly sending: Pending | undefined
  readonly tools: MessageTools
}

/** Rendered again only when it changes: a streaming answer does not redraw the others. */
export function MessageView({ message, sending, tools }: MessageViewProps): VNode {
  return useMemo(() => <MessageBody message={message} sending={sending} tools={tools} />, [message, sending, tools])
}

function MessageBody({ message, sending, tools }: MessageViewProps): VNode {
  const [mode, setMode] = useState<OwnMode>()
  const search = tools.meaningOffer?.message === message.id ? tools.meaningOffer.search : undefined
  return (
    <article
      id={`m-${message.id}`}
      class={`message kind-${message.kind} ${message.ours ? 'ours' : 'theirs'}`}
      tabIndex={-1}
      aria-busy={message.streaming}
      data-testid="message"
      data-kind={message.kind}
      data-ours={message.ours}
      data-streaming={message.streaming}
    >
      <Portrait message={message} />
      <div class="message-main">
        <header class="message-head">
          <span class="author">{message.author}</span>
          {message.kind === 'error' && <span class="tag danger">{texts.error}</span>}
          <time dateTime={message.sentAt} title={formatFullTime(message.sentAt)}>
            {formatTime(message.sentAt)}
          </time>
          {message.edited && <span class="quiet-word">{texts.edited}</span>}
          {message.private && (
            <span class="tag quiet" data-testid="private">
              <Icon name="lock" />
              {texts.onlyYou}
            </span>
          )}
          {message.notifies && (
            <span class="tag calls" data-testid="notifies">
              <Icon name="mention" />
              {texts.forYou}
            </span>
          )}
          {message.accepted && !mode && <MessageButtons message={message} actions={tools.actions} onMode={setMode} />}
        </header>
        {mode !== 'editing' && <Content message={message} tools={tools} />}
        {mode && <OwnForm message={message} actions={tools.actions} mode={mode} onDone={() => setMode(undefined)} />}
        {message.attachments.length > 0 && <Attachments files={message.attachments} />}
        {search && <MeaningOffer search={search} />}
        {!mode && <Actions message={message} shown={freeActions(message)} actions={tools.actions} />}
        {!message.accepted && (
          <Undelivered
            failure={sending ? sending.failure : texts.notDelivered}
            onRetry={() => tools.actions.resend(message)}
          />
        )}
      </div>
    </article>
  )
}

/** The button that ends collecting is no first thing to do: the settings of the channel say how. */
const OFF = 'files.off'

/** Buttons that are about no single file of a receipt. */
function freeActions({ actions, receipt }: WebMessage): readonly Action[] {
  const inCards = new Set(receipt.flatMap((item) => item.actions ?? []).map(({ id, value }) => `${id} ${value}`))
  return actions.filter(({ id, value }) => id !== OFF && !inCards.has(`${id} ${value}`))
}

function Portrait({ message }: { message: WebMessage }): VNode {
  return (
    <span class="avatar" aria-hidden="true">
      {message.ours ? <Icon name="bridge" /> : initial(message.author)}
    </span>
  )
}

function Content({ message, tools }: { message: WebMessage; tools: MessageTools }): VNode | null {
  if (message.receipt.length > 0) {
    // The first paragraph repeats the list in words, so only the rest is shown.
    const rest = message.text.split('\n\n').slice(1).join('\n\n')
    return (
      <>
        <Receipt message={message} tools={tools} />
        {rest && <Answer message={{ ...message, text: rest }} tools={tools} />}
      </>
    )
  }
  if (message.ours) return <Answer message={message} tools={tools} />
  return message.text === '' ? null : <p class="said">{withMentions(message.text)}</p>
}

/** Highlights mentions. */
function withMentions(text: string) {
  return text
    .split(/(?<![\w@.])(@footbridge)(?![\w-])/iu)
    .map((piece, index) => (index % 2 === 1 ? <span class="mention">{piece}</span> : piece))
}

function Attachments({ files }: { files: readonly WebAttachment[] }): VNode {
  return (
    <ul class="attachments">
      {files.map((file) => (
        <li key={file.id}>
          {file.kind === 'voice' ? (
            <figure class="memo">
              <figcaption>
                {texts.voiceMessage}
                {file.durationMs !== undefined && ` · ${formatDuration(file.durationMs)}`}
              </figcaption>
              <audio controls preload="none" src={api.fileUrl(file.id)} aria-label={texts.voiceMessage} />
            </figure>
          ) : (
            <a class="file-chip" href={api.fileUrl(file.id)} download={file.name}>
              <Icon name="file" />
              <span class="hidden">{texts.download} </span>
              <span class="file-name">{file.name}</span>
              <span class="quiet-word">{formatSize(file.sizeBytes)}</span>
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}

export function PendingView({ pending, actions }: { pending: Pending; actions: ChatActions }): VNode {
  const { progress, failure, files, text } = pending
  const percent = Math.round((progress ?? 1) * 100)
  return (
    <article class="message theirs pending" data-testid="pending">
      <span class="avatar" aria-hidden="true">
        <Icon name={failure ? 'alert' : 'send'} />
      </span>
      <div class="message-main">
        {text && <p class="said">{withMentions(text)}</p>}
        {files.length > 0 && <p class="quiet-word">{files.map(({ name }) => name).join(', ')}</p>}
        <Undelivered
          failure={failure}
          progress={progress === undefined || percent === 100 ? texts.sending : texts.uploading(percent)}
          onRetry={() => actions.retry(pending.id)}
          onDiscard={() => actions.discard(pending.id)}
        />
      </div>
    </article>
  )
}

interface UndeliveredProps {
  readonly failure: string | undefined
  readonly progress?: string
  readonly onRetry: () => void
  readonly onDiscard?: () => void
}

function Undelivered({ failure, progress = texts.sending, onRetry, onDiscard }: UndeliveredProps): VNode {
  if (!failure) return <p class="quiet-word">{progress}</p>
  return (
    <div class="undelivered">
      <p class="problem" role="alert">
        {failure}
      </p>
      <button type="button" class="button" onClick={onRetry}>
        {texts.retry}
      </button>
      {onDiscard && (
        <button type="button" class="button" onClick={onDiscard}>
          {texts.discard}
        </button>
      )}
    </div>
  )
}
