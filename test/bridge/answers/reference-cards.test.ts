import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { showReferenceCards } from '#bridge/answers/reference-cards.ts'
import { createJobContext } from '#bridge/delivery/job-context.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import type { AnswerRecord } from '#bridge/port/records.ts'
import { textsFor } from '#bridge/texts/texts.ts'
import { openStore } from '#store/store.ts'
import { createFakeAdapter } from '#test/support/fakes/adapter.ts'
import { createFakeChat } from '#test/support/fakes/chat.ts'
import { createLogSink } from '#test/support/fakes/log.ts'

/** An answer with one reference, where references are cards; its job is tried again and again. */
function answered() {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-cards-'))
  const store = openStore(directory)
  onTestFinished(() => {
    store.close()
    rmSync(directory, { recursive: true })
  })
  const chat = createFakeChat()
  const log = createLogSink()
  const fake = createFakeAdapter({ chat })
  const adapter = { ...fake, app: fake.app && { ...fake.app, opensReferences: true } }
  const { inbound } = chat.mention('Which colour has the mole?')
  if (inbound.kind !== 'message') throw new Error('A mention is a message.')
  const { message } = inbound
  const { conversation, author, id: replyTo } = message
  const answer: AnswerRecord = {
    id: 'a1',
    jobId: 'j1',
    queue: 'q',
    channel: 'fake:W1:C1',
    conversation,
    collections: ['ferry'],
    asker: author.id,
    question: message.text,
    model: '',
    text: 'Red. [1]',
    references: [{ number: 1, file: 'mole.md', passage: 'The mole is red.' }],
    outcome: 'answered',
    questionMessage: replyTo,
    messages: [],
    at: 1,
  }
  const channels = { of: async () => ({ collection: 'ferry', collecting: true }) }
  const show = (attempt: number, id = answer.id) => {
    const about = { adapter, conversation, author, replyTo, texts: textsFor('en'), log }
    const job = { jobId: 'j1', eventId: 'j1', acceptedAt: 0, queue: 'q', signal: new AbortController().signal, attempt }
    const ctx = createJobContext({ ...job, ...about }, { outbox: store.outbox, clock: () => 1 })
    return showReferenceCards({ channels }, { ...ctx, message }, { ...answer, id })
  }
  return { chat, log, show }
}

test('cards that a service does not take at first are sent at a later try of the job', async () => {
  const { chat, log, show } = answered()
  chat.fail('post', new AdapterError('network', 'The service is away.'))
  await expect(show(1)).rejects.toMatchObject({ code: 'network' })
  await show(2)
  await show(3)
  expect(chat.visible().map(({ outgoing }) => outgoing.cardsOf)).toEqual([{ answer: 'a1', at: 1 }])
  expect(log.entries).toEqual([])
})

test.each(['network', 'rate-limited', 'ambiguous'] as const)(
  'cards that fail each time (%s) are left out after a few tries: the answer stands without them',
  async (code) => {
    const { chat, log, show } = answered()
    chat.fail('post', new AdapterError(code, 'The service does not take it.'), { times: 9 })
    for (const attempt of [1, 2, 3]) await expect(show(attempt)).rejects.toMatchObject({ code })
    await show(4)
    expect(chat.visible()).toEqual([])
    expect(log.entries).toMatchObject([{ level: 'warn' }])
  },
)

test('cards of an earlier answer that cannot be removed are no failure of the new answer', async () => {
  const { chat, log, show } = answered()
  await show(1)
  chat.fail('remove', new AdapterError('forbidden', 'The service does not allow it.'))
  await show(1, 'a2')
  expect(log.entries).toMatchObject([{ level: 'warn' }])
})
