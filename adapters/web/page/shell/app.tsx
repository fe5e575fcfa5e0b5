import type { VNode } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { Composer } from '../composer/composer.tsx'
import { DropTarget } from '../composer/drop-target.tsx'
import { EmptyState } from './empty-state.tsx'
import { MessageLog } from '../log/message-log.tsx'
import { type OpenReference, ReferencePanel } from '../references/reference-panel.tsx'
import { Sidebar } from './sidebar.tsx'
import { texts } from '../texts.ts'
import { api, newId } from '../chat/api.ts'
import { type Chat, useChat } from '../chat/use-chat.ts'
import { useComposer } from '../composer/use-composer.ts'
import { labelOf } from '../parts/label.ts'
import { useDisplayName } from '../parts/name-form.tsx'
import type { WebChannel, WebMessage } from '#adapters/web/protocol.ts'
import { FilePanel } from '../files/file-panel.tsx'
import { Header } from './header.tsx'
import { SettingsDialog } from '../dialogs/settings-dialog.tsx'
import { SearchDialog } from '../dialogs/search-dialog.tsx'

/** Whether the address asks for the settings. Only once: a reload opens them no more. */
function takeSettings(): boolean {
  if (location.hash !== '#settings') return false
  history.replaceState(null, '', '/')
  return true
}

export function App(): VNode {
  const [name, setName] = useDisplayName()
  const chat = useChat(name)
  const [menuOpen, setMenuOpen] = useState(false)
  const [panel, setPanel] = useState<OpenReference | 'files'>()
  const [searching, setSearching] = useState(false)
  const [setting, setSetting] = useState(takeSettings)
  useSearchKey(setSearching)
  const { state } = chat
  // The list of files stays open where another channel is chosen; a passage belongs to its answer.
  useEffect(() => setPanel((open) => (open === 'files' ? open : undefined)), [state.current])
  const channel = state.channels.find(({ id }) => id === state.current)
  useFollowingPanel(state.logs[state.current]?.messages, setPanel)
  const label = channel ? labelOf(channel) : 'Footbridge'
  useTitle(label)
  return (
    <div class={`app ${panel ? 'with-panel' : ''}`}>
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('#composer')?.focus()}>
        {texts.skipToField}
      </button>
      <Sidebar
        chat={chat}
        name={name}
        onName={setName}
        open={menuOpen}
        onClose={() => setMenuOpen(false)}
        onSearch={() => setSearching(true)}
        onSettings={() => setSetting(true)}
      />
      <Main
        chat={chat}
        channel={channel}
        label={label}
        menuOpen={menuOpen}
        onMenu={() => setMenuOpen(!menuOpen)}
        panel={panel}
        onPanel={setPanel}
      />
      <Panel chat={chat} channel={channel} label={label} person={name} panel={panel} onPanel={setPanel} />
      {setting && <SettingsDialog state={state} channel={channel} onDone={() => setSetting(false)} />}
      {searching && (
        <SearchDialog
          channels={state.channels}
          onGo={(address) => {
            setMenuOpen(false)
            location.hash = address
          }}
          onDone={() => setSearching(false)}
        />
      )}
    </div>
  )
}

/** An open passage gives way to that of a newer answer. */
function useFollowingPanel(
  messages: readonly WebMessage[] = [],
  setPanel: (change: (open: OpenReference | 'files' | undefined) => OpenReference | 'files' | undefined) => void,
): void {
  const newest = messages.findLast(({ references, streaming }) => references.length > 0 && !streaming)
  useEffect(() => {
    const [first] = newest?.references ?? []
    if (newest === undefined || first === undefined) return
    setPanel((open) =>
      open === undefined || open === 'files'
        ? open
        : { message: newest.id, number: first.number, references: newest.references, follows: true },
    )
  }, [newest?.id])
}

interface PanelProps extends Pick<MainProps, 'chat' | 'channel' | 'label' | 'panel' | 'onPanel'> {
  readonly person: string
}

/** The panel next to the log: the files of the channel, or a passage. */
function Panel({ chat, channel, label, person, panel, onPanel }: PanelProps): VNode | null {
  if (panel === undefined || channel === undefined) return null
  const close = () => onPanel(undefined)
  if (panel !== 'files')
    return (
      <ReferencePanel
        channel={channel.id}
        open={panel}
        pictures={chat.state.pictures === true}
        onOpen={onPanel}
        onClose={close}
      />
    )
  const version = versionOf(chat.state.logs[channel.id]?.messages)
  return (
    <FilePanel
      key={channel.id}
      channel={channel}
      label={label}
      person={person}
      version={version}
      search={chat.state.search}
      onClose={close}
    />
  )
}

function useTitle(label: string): void {
  useEffect(() => {
    document.title = label === 'Footbridge' ? label : `${label} · Footbridge`
  }, [label])
}

function useSearchKey(open: (searching: boolean) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      if (!document.querySelector('dialog[open]')) open(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [open])
}

/** Changes with every receipt. */
const versionOf = (messages: readonly WebMessage[] = []) =>
  messages
    .filter(({ receipt }) => receipt.length > 0)
    .map(({ rev }) => rev)
    .join()

interface MainProps {
  readonly chat: Chat
  readonly channel: WebChannel | undefined
  readonly label: string
  readonly menuOpen: boolean
  readonly onMenu: () => void
  readonly panel: OpenReference | 'files' | undefined
  readonly onPanel: (panel: OpenReference | 'files' | undefined) => void
}

/** The open channel: its header, its log, and the field to write in. */
function Main({ chat, channel, label, menuOpen, onMenu, panel, onPanel }: MainProps): VNode {
  const { state, actions } = chat
  const composer = useComposer(channel, state.maxFileBytes, actions.send)
  const log = channel && state.logs[channel.id]
  const pending = state.pending.filter((message) => message.channel === channel?.id)
  const empty = log?.messages.length === 0 && pending.length === 0
  const id = channel?.id ?? ''
  const ask = useCallback((text: string) => actions.send({ channel: id, text, files: [] }), [actions, id])
  const trySample = async () => {
    const bytes = await api.sample()
    actions.send({ channel: id, text: '', files: [{ id: newId(), name: 'handbook.pdf', bytes, voice: false }] })
  }
  return (
    <main class="main" aria-busy={!log}>
      <Header
        channel={channel}
        label={label}
        actions={actions}
        menuOpen={menuOpen}
        onMenu={onMenu}
        filesOpen={panel === 'files'}
        onFiles={() => onPanel(panel === 'files' ? undefined : 'files')}
      />
      {!state.connected && (
        <p class="connection" role="status">
          {texts.connectionLost}
        </p>
      )}
      <DropTarget label={label} onFiles={composer.addFiles} onProblem={composer.setProblem}>
        {channel && log && empty && (
          <EmptyState channel={channel} onFiles={composer.addFiles} onSample={state.sample ? trySample : undefined} />
        )}
        {channel && log && !empty && (
          <MessageLog
            key={channel.id}
            actions={actions}
            channel={channel}
            label={label}
            log={log}
            pending={pending}
            statuses={state.statuses.filter((status) => status.channel === channel.id)}
            onReply={composer.replyTo}
            onReference={onPanel}
            onAsk={ask}
            openReference={panel === 'files' ? undefined : panel}
            search={state.search}
          />
        )}
        {channel && channel.archived !== true && <Composer composer={composer} channel={channel} label={label} />}
        {channel?.archived && <ArchivedHere onRestore={() => actions.changeChannel(channel.id, { archived: false })} />}
      </DropTarget>
    </main>
  )
}

function ArchivedHere({ onRestore }: { onRestore: () => Promise<void> }): VNode {
  return (
    <p class="archived-here">
      {texts.archivedHere}
      <button type="button" class="button small" onClick={() => void onRestore().catch(() => {})}>
        {texts.restore}
      </button>
    </p>
  )
}
