import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { WebChannel } from '#adapters/web/protocol.ts'
import { messageInAddress } from '../chat/use-chat.ts'
import { formatDuration, formatSize } from '../format.ts'
import { Icon } from '../parts/icons.tsx'
import { texts } from '../texts.ts'
import type { ComposerState } from './use-composer.ts'
import { RecordButton } from './recorder.tsx'
import { FileButton } from './drop-target.tsx'

interface ComposerProps {
  readonly composer: ComposerState
  readonly channel: WebChannel
  readonly label: string
}

export function Composer({ composer, channel, label }: ComposerProps): VNode {
  const { draft, problem } = composer
  const field = useRef<HTMLTextAreaElement>(null)
  const thread = draft.thread?.id
  useEffect(() => {
    // An address that names a message leads there. A touch keyboard that jumps up unasked hides half of the page.
    if (thread === undefined && messageInAddress()) return
    if (thread !== undefined || matchMedia('(pointer: fine)').matches) field.current?.focus()
  }, [channel.id, thread])
  return (
    <form
      class="composer"
      aria-label={texts.composer(label)}
      onSubmit={(event) => {
        event.preventDefault()
        composer.send()
        field.current?.focus()
      }}
    >
      {problem && (
        <p class="problem" role="alert" data-testid="problem">
          {problem}
        </p>
      )}
      {draft.thread && <ThreadLine excerpt={draft.thread.excerpt} onLeave={composer.leaveThread} />}
      <div class="composer-box">
        {draft.files.length > 0 && <DraftFiles composer={composer} />}
        <Field composer={composer} label={label} channel={channel} field={field} />
        <ComposerTools composer={composer} />
      </div>
    </form>
  )
}

function ComposerTools({ composer }: { composer: ComposerState }): VNode {
  const { draft } = composer
  const empty = draft.text.trim() === '' && draft.files.length === 0
  return (
    <div class="composer-tools">
      <FileButton class="icon-button" label={texts.addFile} testId="file-input" onFiles={composer.addFiles}>
        <Icon name="attach" />
      </FileButton>
      <RecordButton onRecorded={composer.addRecording} onProblem={composer.setProblem} />
      <span class="space" />
      <button type="submit" class="send" aria-label={texts.send} title={texts.send} disabled={empty}>
        <Icon name="send" />
      </button>
    </div>
  )
}

interface FieldProps extends ComposerProps {
  readonly field: { current: HTMLTextAreaElement | null }
}

function Field({ composer, label, field }: FieldProps): VNode {
  const { draft } = composer
  useLayoutEffect(() => {
    const box = field.current
    if (!box) return
    box.style.height = 'auto'
    box.style.height = `${Math.min(box.scrollHeight, 200)}px`
  }, [draft.text, field])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && draft.thread) composer.leaveThread()
    // While an input method composes a word, Enter chooses the word.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    composer.send()
  }
  const placeholder = draft.thread ? texts.placeholderReply : texts.placeholder
  return (
    <textarea
      id="composer"
      ref={field}
      rows={1}
      value={draft.text}
      placeholder={placeholder}
      aria-label={texts.composer(label)}
      data-testid="composer-text"
      onInput={({ currentTarget }) => composer.setText(currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}

function ThreadLine({ excerpt, onLeave }: { excerpt: string; onLeave: () => void }): VNode {
  return (
    <p class="thread-line" data-testid="thread-line">
      <Icon name="reply" />
      <span>{texts.replyingTo(excerpt)}</span>
      <button type="button" class="icon-button small" aria-label={texts.leaveThread} onClick={onLeave}>
        <Icon name="close" />
      </button>
    </p>
  )
}

function DraftFiles({ composer }: { composer: ComposerState }): VNode {
  return (
    <ul class="draft-files" data-testid="draft-files">
      {composer.draft.files.map((file) => (
        <li key={file.id} class="file-chip">
          <Icon name={file.voice ? 'microphone' : 'file'} />
          <span class="file-name">{file.voice ? texts.voiceMessage : file.name}</span>
          <span class="quiet-word">
            {file.durationMs === undefined ? formatSize(file.bytes.size) : formatDuration(file.durationMs)}
          </span>
          <button
            type="button"
            class="icon-button small"
            aria-label={texts.removeFile(file.name)}
            onClick={() => composer.removeFile(file.id)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}
