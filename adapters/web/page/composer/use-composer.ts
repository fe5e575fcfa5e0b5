import { useCallback, useState } from 'preact/hooks'
import type { WebChannel } from '#adapters/web/protocol.ts'
import { newId, type UploadFile } from '../chat/api.ts'
import { formatSize } from '../format.ts'
import { texts } from '../texts.ts'
import type { NewPost } from '../chat/use-chat.ts'

/** The unsent message of one channel. */
export interface Draft {
  readonly text: string
  readonly files: readonly UploadFile[]
  /** The thread it goes into, and how that began. */
  readonly thread?: { readonly id: string; readonly excerpt: string }
}

export interface ComposerState {
  readonly draft: Draft
  readonly problem: string
  readonly setText: (text: string) => void
  readonly setProblem: (problem: string) => void
  readonly addFiles: (files: readonly File[]) => void
  readonly addRecording: (recording: {
    readonly bytes: Blob
    readonly name: string
    readonly durationMs: number
  }) => void
  readonly removeFile: (id: string) => void
  readonly replyTo: (thread: string, excerpt: string) => void
  readonly leaveThread: () => void
  readonly send: () => void
}

const NOTHING: Draft = { text: '', files: [] }

/** One draft per channel, so that switching channels keeps it. */
export function useComposer(
  channel: WebChannel | undefined,
  maxFileBytes: number,
  post: (post: NewPost) => void,
): ComposerState {
  const id = channel?.id ?? ''
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({})
  const [problem, setProblem] = useState('')
  const draft = drafts[id] ?? NOTHING
  const change = useCallback(
    (edit: (draft: Draft) => Draft) => {
      setProblem('')
      setDrafts((all) => ({ ...all, [id]: edit(all[id] ?? NOTHING) }))
    },
    [id],
  )
  const addFiles = useCallback(
    (files: readonly File[]) => {
      const fitting = files.filter((file) => file.size <= maxFileBytes)
      change((old) => ({ ...old, files: [...old.files, ...fitting.map(toUpload)] }))
      const tooBig = files.find((file) => file.size > maxFileBytes)
      if (tooBig) setProblem(texts.tooLarge(tooBig.name, formatSize(maxFileBytes)))
    },
    [change, maxFileBytes],
  )
  return {
    draft,
    problem,
    setProblem,
    addFiles,
    setText: (text) => change((old) => ({ ...old, text })),
    addRecording: (recording) =>
      change((old) => ({ ...old, files: [...old.files, { id: newId(), voice: true, ...recording }] })),
    removeFile: (file) => change((old) => ({ ...old, files: old.files.filter((known) => known.id !== file) })),
    replyTo: useCallback(
      (thread: string, excerpt: string) => change((old) => ({ ...old, thread: { id: thread, excerpt } })),
      [change],
    ),
    leaveThread: () => change(({ text, files }) => ({ text, files })),
    send() {
      if (draft.text.trim() === '' && draft.files.length === 0) return
      post({ channel: id, thread: draft.thread?.id, text: draft.text.trim(), files: draft.files })
      // The thread is kept: a follow-up is the likely next thing.
      change(({ thread }) => ({ ...NOTHING, thread }))
    },
  }
}

function toUpload(file: File): UploadFile {
  return { id: newId(), name: file.name, bytes: file, voice: false }
}
