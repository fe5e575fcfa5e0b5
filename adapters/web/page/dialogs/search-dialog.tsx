import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { WebChannel, WebFindings } from '#adapters/web/protocol.ts'
import { api } from '../chat/api.ts'
import { formatSize, formatTime } from '../format.ts'
import { texts } from '../texts.ts'
import { Icon } from '../parts/icons.tsx'
import { labelOf } from '../parts/label.ts'
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

/** Search over messages, files by name and text, and names of channels and chats. */
export function SearchDialog({ channels, onGo, onDone }: SearchDialogProps): VNode {
  const [query, setQuery] = useState('')
  const { findings, failed, searched } = useFindings(query)
  const named = findNamed(channels, searched)
  const count = named.length + findings.messages.length + findings.files.length
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
            <FindingList channels={channels} named={named} findings={findings} onGo={go} />
          </>
        )
      }}
    </Modal>
  )
}

interface FindingListProps extends Pick<SearchDialogProps, 'channels' | 'onGo'> {
  /** Channels and chats found by their name. */
  readonly named: readonly WebChannel[]
  readonly findings: WebFindings
}

function FindingList({ channels, named, findings, onGo }: FindingListProps): VNode {
  const nameOf = (id: string) => channels.filter((channel) => channel.id === id).map(labelOf)
  return (
    <ul class="findings">
      {named.map((channel) => (
        <li key={channel.id}>
          <button type="button" class="finding" onClick={() => onGo(channel.id)}>
            <Icon name="chat" />
            <span class="finding-text">{labelOf(channel)}</span>
          </button>
        </li>
      ))}
      {findings.files.map((file) => (
        <li key={`${file.channel} ${file.id}`}>
          <button type="button" class="finding" onClick={() => onGo(`${file.channel}/${file.messageId}`)}>
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
          <button type="button" class="finding" onClick={() => onGo(`${message.channel}/${message.id}`)}>
            <Icon name="reply" />
            <span class="finding-text">{message.excerpt}</span>
            <span class="quiet-word">
              {nameOf(message.channel)} · {message.author} · {formatTime(message.sentAt)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

const plain = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Channels and chats whose name has all words. */
function findNamed(channels: readonly WebChannel[], query: string): readonly WebChannel[] {
  const words = plain(query).split(/\s+/).filter(Boolean)
  return words.length === 0 ? [] : channels.filter(({ name }) => words.every((word) => plain(name).includes(word)))
}

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
