import type { SlackAdapter } from '#adapters/slack/adapter.ts'
import { channelKey } from '#bridge/port/keys.ts'
import type { MessageRef, Reference } from '#bridge/port/message.ts'
import type { Store } from '#bridge/port/store.ts'
import { drawPage } from '#platform/engine/convert/pdf/page-picture.ts'
import type { SlackDouble } from '#test/doubles/slack/double.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { makePdf } from '#test/fixtures/pdf.ts'
import { besideHtml } from './page.ts'

const PASSAGE = 'The north mole is closed from November to March.'
const PICTURE = 'https://footbridge.example.org/slack/pages/mole'

export const pictureOf = (): string => PICTURE

/** A card of a reference under this answer, and its pane with the page that the real engine draws. */
export async function referencePane(
  { slack, adapter, store }: { readonly slack: SlackDouble; readonly adapter: SlackAdapter; readonly store: Store },
  answer: MessageRef,
  { user, talk }: { readonly user: string; readonly talk: string },
): Promise<string> {
  const { channel } = answer.conversation
  const record = await store.answers.ofMessage(channelKey(answer.conversation), answer.id)
  if (record === undefined) throw new Error('The answer is not recorded.')
  const link = 'https://harbour.slack.com/archives/C1/p1'
  const droppedAt = new Date(record.at).toISOString()
  const cited = { number: 2, file: 'harbour.pdf', place: 'p.1', passage: PASSAGE, droppedBy: 'Ada', droppedAt, link }
  const references: readonly Reference[] = [{ ...cited, number: 1, file: 'mole.md', place: 'L3' }, cited]
  await store.answers.put({ ...record, references })
  const cardsOf = { answer: record.id, at: record.at }
  const send = { sendId: 'cards', kind: 'passages', text: 'Passages', references, cardsOf } as const
  const { id: ts } = await adapter.post(record.conversation, send)
  slack.workspace.flexpanes.delete(user)
  slack.openCard({ channel, ts, user, at: 1 })
  const pane = await slack.until(() => slack.workspace.flexpanes.get(user), 'the pane of a reference')
  const text = `${PASSAGE} Boats moor at the south mole meanwhile, and the crane of the harbour rests.`
  const bytes = await makePdf([{ title: 'Rules of the harbour', text, size: 16 }])
  const picture = await drawPage(toSource(bytes, { name: 'harbour.pdf' }), 1, PASSAGE)
  const html = besideHtml(talk, slack.workspace.message(channel, ts)?.entities ?? [], pane)
  return html.replaceAll(PICTURE, `data:image/png;base64,${picture.toString('base64')}`)
}
