import { expect, it } from 'vitest'
import { AdapterError } from '#bridge/port/errors.ts'
import { markdown, setUpBridge } from '#test/support/bridge/set-up.ts'

const BEN = { id: 'U2', name: 'Ben', language: 'en' } as const
const CEM = { id: 'U3', name: 'Cem', language: 'en' } as const

async function unanswered() {
  const all = await setUpBridge()
  const { chat, platform, settled, shows } = all
  await settled(chat.drop([markdown('ferry-manual.md', 'The ferry is blue.')], { author: BEN }).inbound.key)
  platform.script.answer('NOT_IN_FILES')
  const question = chat.mention('How often is the ferry engine serviced?', { thread: 't1' })
  const answer = await shows(/Not in this channel/)
  const gaps = () => all.store().answers.unanswered('fake:W1:C1', 9)
  const taken = async (said: typeof question) => {
    expect(await settled(chat.unsay(said).inbound.key)).toMatchObject({ state: 'done' })
  }
  return { ...all, question, answer, gaps, taken }
}

it('a question that is deleted, or whose words are taken back, is open no more', async () => {
  const one = await unanswered()
  await expect.poll(one.gaps).toHaveLength(1)
  await one.taken(one.question)
  expect(await one.gaps()).toEqual([])
  const other = await unanswered()
  await other.settled(other.chat.rewrite(other.question, ' ').inbound.key)
  expect(await other.gaps()).toEqual([])
})

it('a thread waits no longer for people once its question is deleted or closed, and is left alone where nobody was asked', async () => {
  const asked = async (all: Awaited<ReturnType<typeof unanswered>>) => {
    await all.settled(all.chat.press(all.answer.id, 'Ask a person').inbound.key)
    await all.shows(/Who knows this/)
  }
  const waits = ({ chat }: Awaited<ReturnType<typeof unanswered>>) => chat.marks.filter(({ mark }) => mark === 'asked')
  const closes = async ({ chat, settled, shows }: Awaited<ReturnType<typeof unanswered>>) => {
    chat.mention('gaps')
    const list = await shows(/These questions/)
    await settled(chat.press(list.id, 'Close 1').inbound.key)
  }
  const deleted = await unanswered()
  await asked(deleted)
  await deleted.taken(deleted.question)
  const closed = await unanswered()
  await asked(closed)
  await closes(closed)
  for (const one of [deleted, closed])
    expect(waits(one)).toMatchObject([
      { id: one.question.id, isSet: true },
      { id: one.question.id, isSet: false },
    ])
  const alone = await unanswered()
  await closes(alone)
  expect(waits(alone)).toEqual([])
})

it('a reply that is deleted is not filed with the others, and these are offered again', async () => {
  const { chat, platform, answer, settled, shows, taken, texts } = await unanswered()
  chat.press(answer.id, 'Ask a person')
  await shows(/Who knows this/)
  const secret = chat.say('My key is under the mat.', { thread: 't1', author: BEN })
  await shows(/Thank you, Ben/)
  await settled(chat.say('Every 500 hours.', { thread: 't1', author: CEM }).inbound.key)
  await taken(secret)
  const offer = await shows(/Thank you, Cem/)
  expect(texts().join('\n')).not.toContain('Thank you, Ben')
  await settled(chat.press(offer.id, 'Save this answer', CEM).inbound.key)
  await shows(/Saved: the answer of Cem/)
  const [collection = ''] = platform.script.collections()
  const file = platform.script.stored(collection).find(({ name }) => name.includes('How often'))
  const text = new TextDecoder().decode(file?.bytes)
  expect(text).toContain('Every 500 hours.')
  expect(text).not.toContain('under the mat')
})

it('the only reply, deleted, leaves nothing to file, and the next one is offered', async () => {
  const { chat, answer, shows, taken, texts } = await unanswered()
  chat.press(answer.id, 'Ask a person')
  await shows(/Who knows this/)
  const only = chat.say('Never.', { thread: 't1', author: BEN })
  await shows(/Thank you, Ben/)
  await taken(only)
  expect(texts().join('\n')).not.toContain('Thank you')
  chat.say('Every 500 hours.', { thread: 't1', author: CEM })
  await shows(/Thank you, Cem/)
})

it('a decision that could not be shown is shown at the next try, and not called closed', async () => {
  const { chat, answer, settled, shows, texts } = await unanswered()
  chat.press(answer.id, 'Ask a person')
  await shows(/Who knows this/)
  await settled(chat.say('Never.', { thread: 't1', author: BEN }).inbound.key)
  const offer = await shows(/Thank you, Ben/)
  chat.fail('edit', new AdapterError('network', 'Not reached.'))
  await settled(chat.press(offer.id, 'No', BEN).inbound.key)
  expect(chat.visible().find(({ id }) => id === offer.id)?.text).toBe('Not saved.')
  expect(texts().join('\n')).not.toContain('This question is closed')
})
