import type { Adapter } from '../port/adapter.ts'
import { ACTION } from '../delivery/button-ids.ts'
import type { Action } from '../port/message.ts'
import { type Sender, showWhole } from '../delivery/outbox-sender.ts'
import { splitMarkdown } from '../delivery/split.ts'
import type { Texts } from '../texts/texts.ts'
import { voiceMessageId, type VoiceMessage } from './voice-message.ts'
import { toTimedLines } from './transcript.ts'

const SLOT = 'transcript'
/** As much as a dialog of every service holds. */
const EDITABLE_CHARS = 2900

interface TranscriptView {
  readonly sender: Sender
  readonly adapter: Adapter
  readonly texts: Texts
}

/** Shows the whole text in place of the transcript, in several messages if needed. */
export async function replaceTranscript(
  { sender, adapter }: Omit<TranscriptView, 'texts'>,
  kind: 'notice' | 'error',
  text: string,
  actions: readonly Action[] = [],
): Promise<void> {
  const { textLength: limit, measure } = adapter.limits
  const parts = splitMarkdown(text, { limit, measure })
  for (const [index, part] of parts.entries()) {
    const slot = index === 0 ? SLOT : `${SLOT}.${index}`
    const isLast = index === parts.length - 1
    await showWhole(sender, slot, { kind, text: part, ...(isLast && actions.length > 0 ? { actions } : {}) })
  }
  for (const { slot } of await sender.rows()) {
    const index = slot.startsWith(`${SLOT}.`) ? Number(slot.slice(SLOT.length + 1)) : 0
    if (index >= parts.length) await sender.remove(slot)
  }
}

/** Shows the progress in the place of the later transcript. */
export const showListening = ({ sender }: Pick<TranscriptView, 'sender'>, text: string) =>
  sender.show(SLOT, { kind: 'notice', text })

/** Shows the transcript as a quote with its buttons. */
export async function showTranscript(
  showing: TranscriptView,
  voiceMessage: VoiceMessage,
  more: { readonly translate?: boolean } = {},
) {
  const { texts, adapter } = showing
  const { voice } = texts
  const lines = toTimedLines(voiceMessage.text, voiceMessage.segments)
  const text = voiceMessage.edited === true ? voice.edited(lines) : voice.transcript(lines)
  const value = voiceMessageId(voiceMessage.jobId)
  const isWhole = adapter.limits.measure(text) <= adapter.limits.textLength && text.length <= EDITABLE_CHARS
  const edit: Action = {
    id: ACTION.voiceEdit,
    label: voice.edit,
    value,
    prompt: { title: voice.editTitle, label: voice.editLabel, prefill: 'message' },
  }
  await replaceTranscript(showing, 'notice', text, [
    // The dialog starts with the message's text: correcting is offered only if that is all of it.
    ...(isWhole && adapter.edit !== undefined ? [edit] : []),
    { id: ACTION.voiceKeep, label: voice.keep, value },
    ...(more.translate === true ? [{ id: ACTION.voiceTranslate, label: voice.translate, value }] : []),
  ])
}

/** Whether the whole transcript is shown. */
export async function isShown(sender: Sender): Promise<boolean> {
  const rows = (await sender.rows()).filter(({ slot }) => slot === SLOT || slot.startsWith(`${SLOT}.`))
  return rows.length > 0 && rows.every(({ state }) => state === 'closed')
}
