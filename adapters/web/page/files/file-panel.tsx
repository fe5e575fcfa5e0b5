import type { VNode } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { FileVersion, WebChannel, WebFile, WebSearch } from '#adapters/web/protocol.ts'
import { api, sentenceOf } from '../chat/api.ts'
import { formatDay, formatSize } from '../format.ts'
import { useFocusInside } from '../references/reference-panel.tsx'
import { Icon } from '../parts/icons.tsx'
import { searchSentence } from '../parts/search-sentence.ts'
import { texts } from '../texts.ts'

interface FilePanelProps {
  readonly channel: WebChannel
  readonly label: string
  readonly person: string
  /** Changes when a receipt of the channel does: the list is loaded again. */
  readonly version: string
  readonly search?: WebSearch
  readonly onClose: () => void
}

/** All files of a channel. */
export function FilePanel({ channel, label, person, version, search, onClose }: FilePanelProps): VNode {
  const { files, problem, load } = useFiles(channel.id, version)
  const { heading, close } = useFocusInside('files', onClose)
  return (
    <div
      class="panel"
      role="dialog"
      aria-labelledby="files-title"
      data-testid="file-panel"
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <header class="panel-head">
        <h2 id="files-title" ref={heading} tabIndex={-1}>
          {channel.direct ? texts.yourFiles : texts.filesOf(label)}
        </h2>
        <button type="button" class="icon-button" aria-label={texts.close} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {files?.length === 0 && <p class="quiet-word">{texts.noFiles}</p>}
      {!files && !problem && <p class="quiet-word">{texts.loading}</p>}
      <ul class="files">
        {files?.map((file) => (
          <FileCard key={file.id} file={file} channel={channel} person={person} onChanged={load} />
        ))}
      </ul>
      {search && <p class="quiet-word">{searchSentence(search)}</p>}
    </div>
  )
}

function useFiles(channel: string, version: string) {
  const [files, setFiles] = useState<readonly WebFile[]>()
  const [problem, setProblem] = useState('')
  const load = useCallback(async () => {
    try {
      setFiles(await api.files(channel))
      setProblem('')
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }, [channel])
  useEffect(() => void load(), [load, version])
  return { files, problem, load }
}

interface FileCardProps {
  readonly file: WebFile
  readonly channel: WebChannel
  readonly person: string
  readonly onChanged: () => Promise<void>
}

function FileCard({ file, channel, person, onChanged }: FileCardProps): VNode {
  const { id, name, state, note, version, earlier, retryable } = file
  const { busy, problem, carryOut } = useFileWork(file, channel.id, person, onChanged)
  const [sure, setSure] = useState(false)
  const openable = state !== 'received' && state !== 'downloading'
  return (
    <li class={`file-card ${state}`} data-testid="file-card" data-state={state}>
      <p class="file-card-name">
        {openable ? (
          <a href={api.bytesUrl(channel.id, { id })} target="_blank" rel="noopener noreferrer">
            {name}
          </a>
        ) : (
          name
        )}
      </p>
      <p class="file-card-facts">
        <span class="file-state">{busy ? texts.working : texts.states[state]}</span>
        {version > 1 && <span>{texts.version(version)}</span>}
        <Facts version={file} />
      </p>
      {note && state === 'failed' && <p class="file-note">{note}</p>}
      {earlier.length > 0 && <Earlier versions={earlier} channel={channel} />}
      {sure && <p class="file-note">{texts.removeFileSure(earlier.length + 1)}</p>}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <p class="file-card-buttons">
        <a class="quiet-button" href={`#${encodeURIComponent(file.channel)}/${file.messageId}`}>
          <Icon name="reply" />
          {texts.toMessage}
        </a>
        {retryable && (
          <button type="button" class="quiet-button" disabled={busy} onClick={() => void carryOut('retry')}>
            <Icon name="again" />
            {texts.retry}
          </button>
        )}
        <button
          type="button"
          class={`quiet-button ${sure ? 'danger' : ''}`}
          disabled={busy}
          aria-label={sure ? undefined : texts.deleteFile(name)}
          onClick={() => (sure ? void carryOut('forget').then(() => setSure(false)) : setSure(true))}
        >
          <Icon name="trash" />
          {sure ? texts.deleteForGood : texts.remove}
        </button>
        {sure && (
          <button type="button" class="quiet-button" onClick={() => setSure(false)}>
            {texts.cancel}
          </button>
        )}
      </p>
    </li>
  )
}

/** Size, person and day. */
function Facts({ version }: { version: FileVersion }): VNode {
  const { sizeBytes, droppedBy, droppedAt } = version
  return (
    <>
      {sizeBytes !== undefined && <span>{formatSize(sizeBytes)}</span>}
      <span>{texts.droppedBy(droppedBy)}</span>
      {droppedAt && <time dateTime={droppedAt}>{formatDay(droppedAt)}</time>}
    </>
  )
}

function Earlier({ versions, channel }: { versions: readonly FileVersion[]; channel: WebChannel }): VNode {
  return (
    <details class="file-versions">
      <summary>{texts.earlierVersions(versions.length)}</summary>
      <ul>
        {versions.map((one) => (
          <li key={one.id} class="file-card-facts">
            <a href={api.bytesUrl(channel.id, { id: one.id })} target="_blank" rel="noopener noreferrer">
              {texts.version(one.version)}
            </a>
            <Facts version={one} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function useFileWork({ id, state }: WebFile, channel: string, person: string, onChanged: () => Promise<void>) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  // The bridge works in its own time; its receipt brings the new state, or its message the reason.
  useEffect(() => setBusy(false), [state])
  const carryOut = async (wanted: 'forget' | 'retry') => {
    setBusy(true)
    setProblem('')
    // Focus stays in the panel: the pressed button is disabled, or goes away with its file.
    document.querySelector<HTMLElement>('#files-title')?.focus()
    try {
      await api.changeFile(channel, { file: id, do: wanted, name: person })
      setTimeout(() => void onChanged().finally(() => setBusy(false)), 1500)
    } catch (error) {
      setProblem(sentenceOf(error))
      setBusy(false)
    }
  }
  return { busy, problem, carryOut }
}
