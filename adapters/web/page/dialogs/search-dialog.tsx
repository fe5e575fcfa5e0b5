import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { WebChannel, WebFindings } from '#adapters/web/protocol.ts'
import { api } from '../chat/api.ts'
import { formatSize, formatTime } from '../format.ts'
import { texts } from '../texts.ts'
import { Icon } from '../parts/icons.tsx'
import { Modal } from '../parts/modal.tsx'

interface SearchDialogProps {
  readonly channels: readonly WebChannel[]
  /** A message or file to show: an address within the page. */
  readonly onGo: (address: string) => void
  readonly onDone: () => void
}

const NOTHING: WebFindings = { messages: [], files: [] }
/** Pause in typing after which is searched, milliseconds. */
const PAUSE_MS = 150

/** Search over messages, and files by name and text. */
export function SearchDialog({ channels, onGo, onDone }: SearchDialogProps): VNode {
  const [query, setQuery] = useState('')
  const { findings, failed, searched } = useFindings(query)
  const nameOf = (id: string) => labelOf(channels.find((channel) => channel.id === id))
  const count = findings.messages.length + findings.files.length
  return (
    <Modal title={texts.search} testId="search-dialog" onDone={onDone}>
      {(close) => {
        const go = (address: string) => {
          close()
          onGo(address)
        }
        return (
          <>
            <input
              type="search"
              class="search-field"
              aria-label={texts.searchFor}
              placeholder={texts.searchFor}
              autofocus
              maxLength={200}
              value={query}
              onInput={({ currentTarget }) => setQuery(currentTarget.value)}
              // The browser would only empty the field.
              onKeyDown={(event) => event.key === 'Escape' && close()}
            />
            <p class={count > 0 && !failed ? 'hidden' : 'quiet-word'} role="status">
              {failed ? texts.unreachable : searched === '' ? texts.searchHint : texts.foundCount(count)}
            </p>
            <ul class="findings">
              {findings.files.map((file) => (
                <li key={`${file.channel} ${file.id}`}>
                  <button type="button" class="finding" onClick={() => go(`${file.channel}/${file.messageId}`)}>
                    <Icon name="file" />
                    <span class="finding-text">{file.name}</span>
                    {file.excerpt !== undefined && <span class="finding-excerpt">{file.excerpt}</span>}
                    <span class="quiet-word">
                      {nameOf(file.channel)}
                      {file.sizeBytes !== undefined && ` · ${formatSize(file.sizeBytes)}`}
                    </span>
                  </button>
                </li>
              ))}
              {findings.messages.map((message) => (
                <li key={message.id}>
                  <button type="button" class="finding" onClick={() => go(`${message.channel}/${message.id}`)}>
                    <Icon name="reply" />
                    <span class="finding-text">{message.excerpt}</span>
                    <span class="quiet-word">
                      {nameOf(message.channel)} · {message.author} · {formatTime(message.sentAt)}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </>
        )
      }}
    </Modal>
  )
}

const labelOf = (channel: WebChannel | undefined) => (channel ? (channel.direct ? '' : '#') + channel.name : '')

function useFindings(query: string) {
  const [state, setState] = useState({ findings: NOTHING, failed: false, searched: '' })
  useEffect(() => {
    const wanted = query.trim()
    if (wanted === '') {
      setState({ findings: NOTHING, failed: false, searched: '' })
      return undefined
    }
    const ended = new AbortController()
    const timer = setTimeout(async () => {
      const findings = await api.search(wanted, ended.signal).catch(() => undefined)
      if (!ended.signal.aborted)
        setState({ findings: findings ?? NOTHING, failed: findings === undefined, searched: wanted })
    }, PAUSE_MS)
    return () => {
      // The server ends its search, too.
      ended.abort()
      clearTimeout(timer)
    }
  }, [query])
  return state
}
