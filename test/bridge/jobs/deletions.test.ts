import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cited, markdown, setUpBridge, until } from '#test/support/bridge/set-up.ts'
import type { Said } from '#test/support/fakes/chat.ts'

const BEN = { id: 'U2', name: 'Ben', language: 'en' } as const
const CEM = { id: 'U3', name: 'Cem', language: 'en' } as const

const says = (word: string) => cited(`It is ${word}.`, 'ferry.md', 'The ferry is blue.')

async function setUp() {
  const all = await setUpBridge()
  const { chat, settled } = all
  /** The contents of all tables, as one text. */
  const kept = () => {
    const database = new DatabaseSync(join(all.directory, 'bridge.sqlite'), { readOnly: true })
    const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all()
    const rows = tables.map(({ name }) => database.prepare(`SELECT * FROM "${String(name)}"`).all())
    database.close()
    return JSON.stringify(rows)
  }
  const done = async (said: Said) => expect(await settled(said.inbound.key)).toMatchObject({ state: 'done' })
  const stored = () => {
    const [collection = ''] = all.platform.script.collections()
    return all.platform.script
      .stored(collection)
      .map(({ bytes }) => new TextDecoder().decode(bytes))
      .join('\n')
  }
  await done(chat.drop([markdown('ferry.md', 'The ferry is blue.')], { author: BEN }))
  return { ...all, kept, done, stored }
}

it('the words of a deleted question go: the asked, the edited, the answers, the open question, and what was said of them', async () => {
  const { chat, platform, kept, done, shows, settled, store } = await setUp()
  platform.script.answer(says('azure'), says('cerulean'))
  const said = chat.mention('Is the zebrafish blue?', { thread: 't1' })
  const { id } = await shows(/azure/)
  await settled(chat.press(id, '👎', BEN, 'No okapi here').inbound.key)
  await done(chat.rewrite(said, 'Is the pangolin blue?'))
  await shows(/cerulean/)
  for (const word of ['zebrafish', 'pangolin', 'azure', 'cerulean', 'okapi']) expect(kept()).toContain(word)
  await done(chat.unsay(said))
  for (const word of ['zebrafish', 'pangolin', 'azure', 'cerulean', 'okapi']) expect(kept()).not.toContain(word)
  expect(await store().answers.voted()).toEqual([])
})

it('words that are taken back by an edit go as well', async () => {
  const { chat, platform, kept, done, shows } = await setUp()
  platform.script.answer(says('azure'))
  const said = chat.mention('Is the zebrafish blue?', { thread: 't1' })
  await shows(/azure/)
  await done(chat.rewrite(said, ' '))
  for (const word of ['zebrafish', 'azure']) expect(kept()).not.toContain(word)
})

it('a question that became one by an edit goes with its answer', async () => {
  const {
    chat,
    platform,
    kept,
    done,
    shows,
    texts,
    platform: { script },
  } = await setUp()
  platform.script.answer(says('azure'), says('cerulean'))
  const said = chat.say('Is the zebrafish blue?', { thread: 't1' })
  const asked = chat.wire.messages.get(said.id)
  if (asked !== undefined) (chat.wire.messages as Map<string, typeof asked>).set(said.id, { ...asked, addressed: true })
  await done(chat.rewrite(said, 'Is the zebrafish blue?'))
  await shows(/azure/)
  await done(chat.rewrite(said, 'Is the pangolin blue?'))
  await shows(/cerulean/)
  expect(texts().join('\n')).not.toContain('azure')
  expect(script.requests).toHaveLength(2)
  await done(chat.unsay(said))
  expect(texts().join('\n')).not.toContain('cerulean')
  for (const word of ['zebrafish', 'pangolin', 'cerulean']) expect(kept()).not.toContain(word)
})

it('what was heard of a deleted memo goes', async () => {
  const { chat, platform, kept, done, shows } = await setUp()
  platform.script.transcribe('Is the zebrafish blue?')
  platform.script.answer(says('azure'))
  const said = chat.voice(new Uint8Array([1, 2, 3]))
  await shows(/azure/)
  expect(kept()).toContain('zebrafish')
  await done(chat.unsay(said))
  for (const word of ['zebrafish', 'azure']) expect(kept()).not.toContain(word)
})

it('an answer that was filed goes with the question that it answered', async () => {
  const { chat, platform, kept, done, shows, stored } = await setUp()
  platform.script.answer(says('azure'))
  const said = chat.mention('Is the zebrafish blue?', { thread: 't1' })
  const { id } = await shows(/azure/)
  await done(chat.pin(id, BEN))
  expect(stored()).toContain('azure')
  await done(chat.unsay(said))
  expect(stored()).not.toContain('azure')
  expect(kept()).not.toContain('azure')
})

async function unanswered() {
  const all = await setUp()
  all.platform.script.answer('NOT_IN_FILES')
  const question = all.chat.mention('How often is the zebrafish serviced?', { thread: 't1' })
  const { id } = await all.shows(/Not in this channel/)
  await all.done(all.chat.press(id, 'Ask a person'))
  return { ...all, question }
}

it('people are asked no more what somebody has taken back', async () => {
  const { chat, question, kept, done, texts } = await unanswered()
  await done(chat.say('Every okapi hours.', { thread: 't1', author: BEN }))
  await done(chat.unsay(question))
  expect(texts().join('\n')).not.toContain('zebrafish')
  expect(kept()).not.toContain('zebrafish')
  await done(chat.mention('Hello', { thread: 't1' }))
  const later = chat.say('It is a quagga hour.', { thread: 't1', author: CEM })
  await later.taken
  expect(texts().join('\n')).not.toContain('Thank you, Cem')
})

async function filed() {
  const all = await unanswered()
  const { chat, done, shows } = all
  const first = chat.say('Every okapi hours.', { thread: 't1', author: BEN })
  await done(first)
  const second = chat.say('Or every quagga hours.', { thread: 't1', author: CEM })
  await done(second)
  await done(chat.press((await shows(/Thank you, Ben/)).id, 'Save this answer', BEN))
  expect(all.stored()).toContain('okapi')
  expect(all.stored()).toContain('quagga')
  return { ...all, first, second }
}

it('a reply that was filed with others and is deleted goes out of the file; the others stay', async () => {
  const { chat, done, second, stored, kept, texts, store, platform } = await filed()
  await done(chat.unsay(second))
  expect(stored()).toContain('okapi')
  expect(stored()).not.toMatch(/quagga|Cem/)
  expect(kept()).not.toContain('quagga')
  expect(texts().join('\n')).toMatch(/✅ .*zebrafish.*ready.*without the words of Cem/)
  const [collection = ''] = platform.script.collections()
  expect(await store().originals.list(collection)).toHaveLength(2)
})

it.each(['files.delete', 'files.upload'] as const)(
  'a filed reply that is deleted goes also where a restart cuts that off at %s',
  async (call) => {
    const { chat, platform, restart, settled, second, stored, kept } = await filed()
    const before = platform.script.calls.filter((each) => each.call === call).length
    const release = platform.script.hold(call)
    const gone = chat.unsay(second)
    await until(() => platform.script.calls.filter((each) => each.call === call).length > before)
    await restart()
    release()
    expect(await settled(gone.inbound.key)).toMatchObject({ state: 'done' })
    expect(stored()).toContain('okapi')
    expect(stored()).not.toContain('quagga')
    expect(kept()).not.toContain('quagga')
  },
)

it('the first reply, deleted, leaves the file to those after it; the last takes it along', async () => {
  const { chat, done, first, second, stored, kept, store, platform } = await filed()
  await done(chat.unsay(first))
  expect(stored()).toContain('quagga')
  expect(stored()).not.toMatch(/okapi|Ben/)
  const [collection = ''] = platform.script.collections()
  const [entry] = await store().files.ofCollection(collection)
  expect(entry).toMatchObject({ messageId: second.id, droppedBy: CEM.id })
  await done(chat.unsay(second))
  expect(stored()).not.toContain('quagga')
  expect(kept()).not.toMatch(/okapi|quagga/)
})

it('of a filed answer of which nothing more is known, all goes with any of its replies', async () => {
  const { chat, done, question, second, stored } = await filed()
  await done(chat.unsay(question))
  expect(stored()).toContain('quagga')
  await done(chat.unsay(second))
  expect(stored()).not.toMatch(/okapi|quagga/)
})
