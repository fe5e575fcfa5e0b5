import { expect, it } from 'vitest'
import { ACTION } from '#bridge/delivery/button-ids.ts'
import { markdown, setUpBridge } from '#test/support/bridge/set-up.ts'

const MALLORY = { id: 'U9', name: 'Mallory', language: 'en' } as const
const QUESTION = 'What is the code of the vault?'

/** A private channel with a file, and another one in which somebody has learnt the values of its buttons. */
async function setUp() {
  const all = await setUpBridge()
  const { chat, settled, shows, texts } = all
  chat.room('C1', { isPublic: false, members: ['U1'] })
  chat.room('C2', { admins: ['U9'], members: ['U9'] })
  await settled(chat.drop([markdown('vault.md', 'The vault is grey.')]).inbound.key)
  await settled(chat.mention('help', { channel: 'C2', author: MALLORY }).inbound.key)
  const foothold = chat.visible().find(({ conversation }) => conversation.channel === 'C2')
  const pressForeign = async (id: string, value: string) => {
    const shown = chat.wire.shown.get(foothold?.id ?? '')
    if (shown === undefined) throw new Error('No message of ours stands there.')
    const outgoing = { ...shown.outgoing, actions: [{ id, label: 'x', value }] }
    chat.wire.shown.set(shown.id, { ...shown, outgoing })
    const before = texts().length
    const job = await settled(chat.press(shown.id, 'x', MALLORY).inbound.key)
    expect(job.state).toBe('done')
    return texts().slice(before).join('\n')
  }
  const valueOf = (pattern: RegExp, label: string) => {
    const shown = chat.visible().find(({ text }) => pattern.test(text))
    return shown?.outgoing.actions?.find((action) => action.label === label)?.value ?? ''
  }
  const stored = () => {
    const [collection = ''] = all.platform.script.collections()
    return all.platform.script.stored(collection).map(({ name }) => name)
  }
  return { ...all, pressForeign, valueOf, stored, shows }
}

it('a question of another channel is not put to people here, closed, judged or rewritten', async () => {
  const { chat, platform, pressForeign, shows, store, texts } = await setUp()
  platform.script.answer('NOT_IN_FILES')
  chat.mention(QUESTION, { thread: 't1' })
  await shows(/Not in this channel/)
  const gaps = () => store().answers.unanswered('fake:W1:C1', 9)
  await expect.poll(gaps).toHaveLength(1)
  const [gap] = await gaps()
  const before = texts()
  for (const id of [ACTION.askPerson, ACTION.closeUnanswered, ACTION.voteDown, ACTION.another, ACTION.shorter]) {
    const said = await pressForeign(id, gap?.id ?? '')
    expect(said).not.toContain('vault')
    expect(said).toMatch(/no record of this answer/)
  }
  expect(texts().slice(0, before.length)).toEqual(before)
  expect(await gaps()).toHaveLength(1)
  expect(await store().answers.voted()).toEqual([])
  expect(platform.script.requests).toHaveLength(1)
})

it('a reply of another channel is not filed here', async () => {
  const { chat, platform, pressForeign, shows, settled, store, valueOf } = await setUp()
  platform.script.answer('NOT_IN_FILES')
  chat.mention(QUESTION, { thread: 't1' })
  chat.press((await shows(/Not in this channel/)).id, 'Ask a person')
  await shows(/Who knows this/)
  await settled(chat.say('It is 4711.', { thread: 't1', author: { id: 'U2', name: 'Ben' } }).inbound.key)
  const value = valueOf(/Shall I save/, 'Save this answer')
  for (const id of [ACTION.saveReply, ACTION.dropReply])
    expect(await pressForeign(id, value)).toMatch(/no record of this answer/)
  expect(platform.script.collections()).toHaveLength(1)
  expect(await store().answers.unanswered('fake:W1:C1', 9)).toHaveLength(1)
  await shows(/Shall I save/)
})

it('a file of another channel is not forgotten from here', async () => {
  const { chat, pressForeign, settled, stored, valueOf } = await setUp()
  await settled(chat.mention('forget vault').inbound.key)
  const value = valueOf(/^Forget/, 'Forget it')
  expect(await pressForeign(ACTION.forget, value)).toMatch(/does nothing any more/)
  expect(await pressForeign(ACTION.keep, value)).toMatch(/does nothing any more/)
  expect(stored()).toEqual(['vault.md'])
  const question = chat.visible().find(({ text }) => text.startsWith('Forget'))
  await settled(chat.press(question?.id ?? '', 'Forget it').inbound.key)
  expect(stored()).toEqual([])
})

it('a link that was offered in another channel is not made here', async () => {
  const { chat, pressForeign, settled, store, valueOf } = await setUp()
  chat.room('C1', { isPublic: false, admins: ['U1', 'U9'] })
  chat.room('C3', { isPublic: false, admins: ['U1', 'U9'] })
  await settled(chat.mention('link #C3', { channels: ['C3'] }).inbound.key)
  const value = valueOf(/Shall I link/, 'Link')
  expect(await pressForeign(ACTION.link, value)).toMatch(/used already/)
  expect((await store().channels.get('fake:W1:C2'))?.linkedTo).toBeUndefined()
  const offer = chat.visible().find(({ text }) => text.includes('Shall I link'))
  await settled(chat.press(offer?.id ?? '', 'Link').inbound.key)
  expect((await store().channels.get('fake:W1:C1'))?.linkedTo).toBe('fake:W1:C3')
})

it('the buttons of a channel tell nothing of the name of its collection', async () => {
  const { chat, platform, settled } = await setUp()
  chat.room('C1', { isPublic: false, admins: ['U1'] })
  await settled(chat.mention('reindex').inbound.key)
  const [collection = ''] = platform.script.collections()
  const values = chat.visible().flatMap(({ outgoing }) => outgoing.actions?.map(({ value }) => value) ?? [])
  expect(values.length).toBeGreaterThan(0)
  const secret = collection.slice(-20)
  for (const value of values) expect(value).not.toContain(secret.slice(0, 8))
})

it('a button for the files that were here before a link does nothing to those that are here now', async () => {
  const { chat, platform, settled, shows, texts } = await setUp()
  chat.room('C1', { isPublic: false, admins: ['U1'] })
  chat.room('C3', { isPublic: false, admins: ['U1'] })
  await settled(chat.mention('reindex').inbound.key)
  const question = await shows(/again\?/)
  await settled(chat.mention('link #C3', { channels: ['C3'] }).inbound.key)
  await settled(chat.press((await shows(/Shall I link/)).id, 'Link').inbound.key)
  const before = platform.script.calls.length
  await settled(chat.press(question.id, 'Reindex').inbound.key)
  expect(texts().at(-1)).toMatch(/does nothing any more/)
  expect(platform.script.calls.slice(before).map(({ call }) => call)).not.toContain('collections.deleteIndex')
})
