import { administers } from '../../channels/permissions.ts'
import { ACTION } from '../../delivery/button-ids.ts'
import type { Button, ButtonDoing, JobPorts } from '../../delivery/job-context.ts'
import { createSender } from '../../delivery/outbox-sender.ts'
import { say } from '../../delivery/reply.ts'
import { nameAfter } from '../../files/saved-messages/note-markdown.ts'
import { fileNote } from '../../files/saved-messages/save-note.ts'
import { ofAnswerKey } from '../../files/saved-messages/saved-origin.ts'
import { shownPerson } from '../../texts/names.ts'
import { textsFor } from '../../texts/texts.ts'
import { answerHere } from '../guards.ts'
import { toMarkdown } from './reply-markdown.ts'
import { loadState, saveState } from './state.ts'
import { FILE_SLOT } from './take-reply.ts'

/** The replies become a cited file, and the gap is closed. */
export const fileReply: Button = {
  id: ACTION.fileReply,
  async run(ports, doing) {
    const { store, clock } = ports
    const found = await decides(ports, doing)
    if (found === undefined) return
    const { answer, state, first } = found
    const filed = await fileNote(ports, doing, {
      key: ofAnswerKey(answer.id),
      name: nameAfter(first.at, answer.question),
      markdown: await toMarkdown(doing.adapter, answer, state.replies),
      source: { conversation: answer.conversation, id: first.messageId },
      author: { id: first.authorId, name: first.authorName },
      at: first.at,
    })
    if (filed === undefined) return whisper(doing, doing.texts.notCollecting)
    // Known as long as the file is: whichever of them is deleted, its words go.
    const alsoFrom = state.replies.slice(1).map(({ messageId }) => messageId)
    if (alsoFrom.length > 0) await store.files.put({ ...filed, alsoFrom })
    // The receipt says why, and how to try again; the question stays open.
    if (filed.state !== 'ready') return
    await store.answers.put({ ...answer, closedAt: clock() })
    await conclude(ports, doing, textsFor(answer.language).honest.filed(shownPerson(first.authorName)))
    // Last: after a restart the same press finds it undecided, and says it again in the same place.
    await saveState(store, { ...state, end: 'filed' }, clock())
  },
}

/** The replies stay talk, and the question stays open. */
export const dropReply: Button = {
  id: ACTION.dropReply,
  async run(ports, doing) {
    const found = await decides(ports, doing)
    if (found === undefined) return
    await conclude(ports, doing, textsFor(found.answer.language).honest.notFiled)
    await saveState(ports.store, { ...found.state, replies: [] }, ports.clock())
  },
}

const whisper = (doing: ButtonDoing, text: string) => say(doing, text, { privateTo: doing.author.id })

/** Who asked, who replied, and who administers may decide; everybody else is told so. */
async function decides(ports: JobPorts, doing: ButtonDoing) {
  const { author, inbound, texts } = doing
  const refuse = async (why: string) => {
    await whisper(doing, why)
    return undefined
  }
  const answer = await answerHere(ports, doing)
  const state = await loadState(ports.store, inbound.action.value)
  if (answer === undefined || state === undefined) return refuse(texts.feedback.tooOld)
  const [first] = state.replies
  if (state.end !== undefined || first === undefined) return refuse(texts.honest.notOpen)
  const isTheirs = author.id === state.asker || state.replies.some(({ authorId }) => authorId === author.id)
  const may = isTheirs || (await administers(ports, doing, doing.conversation, author.id))
  return may ? { answer, state, first } : refuse(texts.honest.notYours)
}

/** The offer has had its effect: its message says so, without buttons. */
async function conclude({ store, clock }: JobPorts, doing: ButtonDoing, text: string): Promise<void> {
  const { adapter, conversation, inbound } = doing
  const row = await store.outbox.byMessage(conversation, inbound.messageId)
  if (row === undefined) return
  const sender = createSender({
    jobId: row.jobId,
    adapter,
    conversation,
    replyTo: inbound.messageId,
    outbox: store.outbox,
    clock,
  })
  await sender.show(FILE_SLOT, { kind: 'notice', text })
  await sender.close(FILE_SLOT, text)
}
