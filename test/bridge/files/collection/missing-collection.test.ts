import { describe, expect, it } from 'vitest'
import { AdapterError } from '#bridge/port/errors.ts'
import { cited, markdown, setUpBridge, until } from '#test/support/bridge/set-up.ts'

const ADA = { id: 'U-ada', name: 'Ada' }
const BEN = { id: 'U-ben', name: 'Ben' }

async function setUp() {
  const all = await setUpBridge()
  const { chat, platform, settled } = all
  const stored = () => {
    const [collection = ''] = platform.script.collections()
    return Object.fromEntries(
      platform.script.stored(collection).map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)]),
    )
  }
  await settled(chat.drop([markdown('a.md', 'one')], { author: ADA }).inbound.key)
  await settled(chat.drop([markdown('a.md', 'two')], { author: ADA }).inbound.key)
  await settled(chat.drop([markdown('b.md', 'b')], { author: ADA }).inbound.key)
  // A look of a minute ago is believed; a restart forgets it.
  await all.restart()
  const [collection = ''] = platform.script.collections()
  const lose = async (anew: boolean) => {
    platform.script.removeCollection(collection)
    if (anew) await platform.collections.create(collection)
  }
  const ask = async (text: string, author = ADA) => {
    const said = chat.mention(text, { author })
    expect(await settled(said.inbound.key)).toMatchObject({ state: 'done' })
    return chat.visible().findLast(({ outgoing, text: shown }) => outgoing.replyTo === said.id && shown !== '')
  }
  const notices = () =>
    chat.visible().filter(({ outgoing }) => outgoing.actions?.some(({ label }) => label === 'Rebuild'))
  const textOf = (id: string) => chat.visible().find((shown) => shown.id === id)?.text
  return { ...all, stored, lose, ask, notices, textOf }
}

describe('a collection that was removed behind our back', () => {
  it.each([
    { anew: false, words: 'removed the collection of this channel on the platform. I' },
    { anew: true, words: 'on the platform and created it anew' },
  ])('is noticed, said once in the channel, and built again (made anew: $anew)', async ({ anew, words }) => {
    const { lose, ask, notices, texts, chat, settled, stored, textOf, platform } = await setUp()
    await lose(anew)
    expect((await ask('What is b?'))?.text).toContain(words)
    await ask('And a?')
    const [notice, ...more] = notices()
    expect(more).toEqual([])
    expect(notice?.text).toContain(words)
    expect(platform.script.requests).toEqual([])
    const id = notice?.id ?? ''
    const refused = chat.press(id, 'Rebuild', BEN)
    await settled(refused.inbound.key)
    expect(texts().at(-1)).toMatch(/^Only somebody who administers this channel, or who dropped/)
    expect(await settled(chat.press(id, 'Rebuild', ADA).inbound.key)).toMatchObject({ state: 'done' })
    expect(stored()).toEqual({ 'a.md': 'two', 'b.md': 'b' })
    expect(textOf(id)).toBe('✅ The collection is built again: 2 files ready.')
    expect(notices()).toEqual([])
    platform.script.answer('From the files again.')
    expect((await ask('What is b?'))?.text).not.toContain(words)
  })

  it('is noticed at once where no passage comes back from files that were there a moment ago', async () => {
    const { lose, ask, platform } = await setUp()
    platform.script.answer('b is here.')
    await ask('What is b?')
    await lose(true)
    platform.script.answer('NOT_IN_FILES')
    expect((await ask('And what is a?'))?.text).toContain('on the platform and created it anew')
  })

  it('is said with its button by the next question where the first one could not get it out', async () => {
    const { lose, ask, chat, notices } = await setUp()
    await lose(false)
    chat.fail('post', new AdapterError('ambiguous', 'The connection broke.'))
    await ask('What is b?')
    expect(notices()).toEqual([])
    await ask('What is a?')
    expect(notices()).toHaveLength(1)
  })

  it('is said once when two ask at the same time', async () => {
    const { lose, chat, notices, settled } = await setUp()
    await lose(false)
    const both = [chat.mention('What is b?', { author: ADA }), chat.mention('What is a?', { author: BEN })]
    for (const { inbound } of both) await settled(inbound.key)
    expect(notices()).toHaveLength(1)
  })

  it('leaves an answer that stands as it was when another one is wanted', async () => {
    const { lose, ask, chat, settled, platform, restart, notices, textOf, shows } = await setUp()
    platform.script.answer(cited('It is bee.', 'b.md', 'b'))
    const id = (await ask('What is b?'))?.id ?? ''
    expect(textOf(id)).toBe('It is bee. [1]')
    await restart()
    await lose(false)
    await settled(chat.press(id, 'Shorter', ADA).inbound.key)
    expect((await shows(/^The answer stays as it is: /)).text).toContain(
      'removed the collection of this channel on the platform',
    )
    expect(textOf(id)).toBe('It is bee. [1]')
    expect(notices()).toHaveLength(1)
  })

  it('is told in a direct conversation, too, where the channel was named', async () => {
    const { lose, chat, settled, shows, notices } = await setUp()
    await lose(false)
    const here = { name: 'harbour', members: ['U-ada'], admins: ['U-ada'] }
    chat.room('C1', here)
    const said = chat.direct('ask in #harbour What is b?', { author: ADA, channels: ['C1'] })
    await settled(said.inbound.key)
    await shows(/^#harbour: Somebody removed the collection of this channel/)
    expect(notices()).toEqual([])
  })

  it('is built again with the files that are kept, and the others are named', async () => {
    const { lose, ask, notices, chat, settled, stored, textOf, store } = await setUp()
    await lose(false)
    await ask('What is b?')
    const [collection = ''] = await store().originals.collections()
    for (const sha256 of await store().originals.list(collection)) await store().originals.remove(collection, sha256)
    // One of the two can't be had from the chat service any more either.
    chat.wire.files.forEach((file, id) => {
      if (file.name === 'b.md') (chat.wire.files as Map<string, unknown>).delete(id)
    })
    const id = notices()[0]?.id ?? ''
    await settled(chat.press(id, 'Rebuild', ADA).inbound.key)
    expect(stored()).toEqual({ 'a.md': 'two' })
    expect(textOf(id)).toMatch(/^⚠️ The collection is built again: 1 ready; not ready: \*\*b\.md\*\*\./)
  })

  it.each(['collections.create', 'files.upload', 'collections.generateIndex'] as const)(
    'is built to the end after a restart at %s',
    async (call) => {
      const { lose, ask, notices, chat, platform, settled, stored, textOf, restart } = await setUp()
      await lose(false)
      await ask('What is b?')
      const id = notices()[0]?.id ?? ''
      const before = platform.script.calls.filter((each) => each.call === call).length
      const release = platform.script.hold(call)
      const press = chat.press(id, 'Rebuild', ADA)
      await until(() => platform.script.calls.filter((each) => each.call === call).length > before)
      await restart()
      release()
      expect(await settled(press.inbound.key)).toMatchObject({ state: 'done' })
      expect(stored()).toEqual({ 'a.md': 'two', 'b.md': 'b' })
      expect(textOf(id)).toBe('✅ The collection is built again: 2 files ready.')
    },
  )

  it('is asked for in words, too, and left alone where nothing is lost', async () => {
    const { lose, ask, stored, chat, settled } = await setUp()
    await lose(true)
    const answer = await ask('rebuild')
    expect(answer?.outgoing.actions).toMatchObject([{ label: 'Rebuild' }])
    await settled(chat.press(answer?.id ?? '', 'Rebuild', ADA).inbound.key)
    expect(stored()).toEqual({ 'a.md': 'two', 'b.md': 'b' })
    expect((await ask('rebuild'))?.text).toMatch(/there is nothing to rebuild/)
  })
})

describe('a drop into a lost collection', () => {
  it('says what is the matter', async () => {
    const { lose, chat, settled, texts, notices } = await setUp()
    await lose(false)
    await settled(chat.drop([markdown('c.md', 'c')], { author: ADA }).inbound.key)
    expect(texts().find((text) => text.includes('c.md'))).toMatch(
      /failed\. Somebody removed the collection of this channel/,
    )
    expect(notices()).toHaveLength(1)
  })
})
