import { ask } from '../answers/answer.ts'
import { fileNote } from '../files/saved-messages/save-note.ts'
import { say } from '../delivery/reply.ts'
import type { Button, ButtonDoing, JobPorts } from '../delivery/job-context.ts'
import { channelKey } from '../port/message.ts'
import { createSender } from '../delivery/outbox-sender.ts'
import { textsFor } from '../texts/texts.ts'
import { keepMemo, readMemo, type Memo } from '../voice/voice-message.ts'
import { toNote } from '../voice/voice-note.ts'
import { showMemo } from '../voice/show-transcript.ts'
import { fromTyped } from '../voice/transcript.ts'
import { translateMemo } from '../voice/translate-transcript.ts'
import { isHere } from './guards.ts'
import { ACTION } from '../delivery/button-ids.ts'

/** Puts right what was understood, and asks that. */
export const editMemo: Button = {
  id: ACTION.memoEdit,
  rewrites: true,
  async run(ports, doing) {
    const memo = await memoOf(ports, doing)
    if (memo === undefined) return
    const { author, inbound, texts } = doing
    if (author.id !== memo.message.author.id) return leaveAsItIs(ports, doing, memo, texts.voice.notYours)
    const text = fromTyped(inbound.action.text ?? '')
    if (text === '' || text === memo.text) return leaveAsItIs(ports, doing, memo, texts.voice.nothingTyped)
    const { segments: _, ...words } = memo
    await askAnew(ports, doing, { ...words, text, edited: true })
  },
}

/** Says it in the language of the files, and asks that. */
export const translateButton: Button = {
  id: ACTION.memoTranslate,
  rewrites: true,
  async run(ports, doing) {
    const memo = await memoOf(ports, doing)
    if (memo === undefined) return
    const translated = await translateMemo(ports, doing, memo)
    if (translated === undefined) return leaveAsItIs(ports, doing, memo, doing.texts.voice.cantTranslate)
    const { segments: _, ...words } = memo
    await askAnew(ports, doing, { ...words, ...translated, edited: true })
  },
}

/** The recording becomes a file of the channel; references point at the second. */
export const keepButton: Button = {
  id: ACTION.memoKeep,
  async run(ports, doing) {
    const memo = await memoOf(ports, doing)
    if (memo === undefined) return
    const filed = await fileNote(ports, doing, await toNote(doing, memo))
    if (filed === undefined) await say(doing, doing.texts.notCollecting, { privateTo: doing.author.id })
  },
}

/** The memo of this button; a sentence says so when it is forgotten, or was said elsewhere. */
async function memoOf({ store }: JobPorts, doing: ButtonDoing): Promise<Memo | undefined> {
  const memo = await readMemo(store.buttonPayloads, doing.inbound.action.value)
  if (memo !== undefined && isHere(doing, channelKey(memo.message.conversation))) return memo
  await say(doing, doing.texts.voice.gone, { privateTo: doing.author.id })
  return undefined
}

/** Says why nothing changes. The press has ended an answer that was being written: that one is finished. */
async function leaveAsItIs(ports: JobPorts, doing: ButtonDoing, memo: Memo, why: string): Promise<void> {
  await say(doing, why, { privateTo: doing.author.id })
  const rows = await ports.store.outbox.ofJob(memo.jobId)
  const isAnswered = rows.some(({ slot, state }) => slot === 'answer.0' && state === 'closed')
  // It counts for who asked, as it has before.
  if (!isAnswered) await askAnew(ports, { ...doing, jobId: memo.jobId, author: memo.message.author }, memo)
}

/** Shows the words and their answer in the places of the earlier ones. */
async function askAnew(ports: JobPorts, doing: ButtonDoing, memo: Memo): Promise<void> {
  const { adapter, log, signal } = doing
  const { message, jobId, queue, text } = memo
  const { store, clock } = ports
  const texts = textsFor(message.author.language)
  const { conversation, id: replyTo } = message
  const sender = createSender({ jobId, adapter, conversation, replyTo, outbox: store.outbox, clock })
  await keepMemo(store.buttonPayloads, memo, clock)
  await showMemo({ sender, adapter, texts }, memo)
  await ask(ports, {
    jobId,
    eventId: doing.jobId,
    by: doing.author,
    queue,
    message,
    question: text,
    adapter,
    sender,
    texts,
    log,
    signal,
    again: true,
    readsOut: ports.readsOut,
  })
}
