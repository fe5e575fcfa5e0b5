import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { VISIBILITY_CACHE_MS } from '#bridge/channels/authorize.ts'
import { AdapterError } from '#bridge/port/errors.ts'
import { markdown, setUpBridge } from '#test/support/bridge/set-up.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'

const { now } = Date
let passedMs = 0
beforeEach(() => void vi.spyOn(Date, 'now').mockImplementation(() => now() + passedMs))
afterEach(() => void vi.restoreAllMocks())
/** A channel is looked at again. */
const passTime = () => void (passedMs += VISIBILITY_CACHE_MS + 1)

const ADA = { id: 'U-ada', name: 'Ada', language: 'en' }
const BEN = { id: 'U-ben', name: 'Ben', language: 'en' }
const OPEN = 'Open the files to everybody here'
const inRoom = (channel: string) => ({ adapter: 'fake', workspace: 'W1', channel, direct: false })

/** A public channel with a file of its own, and a private one with another. Ada administers both, Ben is in the public one. */
async function twoRooms(options: Parameters<typeof setUpBridge>[0] = {}) {
  const set = await setUpBridge(options)
  const { chat } = set
  chat.room('C-open', { name: 'open', members: ['U-ada', 'U-ben'], admins: ['U-ada', 'U-ben'] })
  chat.room('C-board', { name: 'board', isPublic: false, members: ['U-ada'], admins: ['U-ada'] })
  chat.drop([markdown('open.md', '# Open')], { channel: 'C-open', author: ADA })
  await set.shows(/open\.md.*ready/)
  chat.drop([markdown('board.md', '# Board')], { channel: 'C-board', author: ADA })
  await set.shows(/board\.md.*ready/)
  const collectionOf = async (channel: string) => (await set.store().channels.get(`fake:W1:${channel}`))?.collectionId
  const [open, board] = [await collectionOf('C-open'), await collectionOf('C-board')]
  /** Which collection the next question in this channel is answered from. */
  const searched = async (channel: string) => {
    const before = set.platform.script.requests.length
    const said = chat.mention('What is planned?', { channel, author: ADA })
    await set.settled(said.inbound.key)
    return set.platform.script.requests.slice(before).at(-1)?.collection
  }
  /** The last message of this channel. */
  const last = (channel: string) => chat.visible(inRoom(channel)).at(-1)
  const say = async (channel: string, text: string, author = ADA, names: readonly string[] = []) => {
    const said = chat.mention(text, { channel, author, channels: names })
    await set.settled(said.inbound.key)
    return last(channel)
  }
  const press = async (channel: string, label: string, author = ADA) => {
    const pressed = chat.press(last(channel)?.id ?? '', label, author)
    await set.settled(pressed.inbound.key)
    return last(channel)
  }
  return { ...set, open, board, searched, last, say, press }
}

describe('a link between channels', () => {
  it('takes two confirmations where a public channel will read what is private, and an end', async () => {
    const { open, board, searched, say, press } = await twoRooms()
    const asked = await say('C-open', 'link #board', ADA, ['C-board'])
    expect(asked?.text).toMatch(/^I then answer questions here .* Shall I link this channel to #board\?$/)
    expect(await searched('C-open')).toBe(open)
    await say('C-open', 'link #board', ADA, ['C-board'])
    const warned = await press('C-open', 'Link')
    expect(warned?.text).toMatch(/#board is open to fewer people than this channel: everybody here/)
    expect(warned?.outgoing.actions).toEqual([
      expect.objectContaining({ label: 'Yes, let everybody read them', style: 'danger' }),
    ])
    expect((await press('C-open', 'Yes, let everybody read them'))?.text).toMatch(/uses the files of #board/)
    expect(await searched('C-open')).toBe(board)
    expect((await say('C-open', 'links'))?.text).toBe('This channel uses the files of #board.')
    expect((await say('C-open', 'links', BEN))?.text).toBe('This channel uses the files of #….')
    await say('C-open', 'unlink')
    expect(await searched('C-open')).toBe(open)
  })

  it('is said to have ended, although that could not be said at the first try', async () => {
    const set = await twoRooms()
    set.chat.room('C-open', { name: 'open', isPublic: false, members: ['U-ada'], admins: ['U-ada'] })
    await set.say('C-open', 'link #board', ADA, ['C-board'])
    await set.press('C-open', 'Link')
    set.chat.fail('post', new AdapterError('network', 'The service is away.'))
    expect((await set.say('C-open', 'unlink'))?.text).toMatch(/uses its own files again/)
    expect((await set.say('C-open', 'unlink'))?.text).toMatch(/there is no link/)
  })

  it('warns before what is dropped in a private channel can be read in a public one', async () => {
    const { say, press } = await twoRooms()
    await say('C-board', 'link #open', ADA, ['C-open'])
    expect((await press('C-board', 'Link'))?.text).toMatch(/This channel is open to fewer people than #open/)
  })

  it('takes one confirmation between channels of one kind, and is remembered over a restart', async () => {
    const set = await twoRooms()
    set.chat.room('C-open', { name: 'open', isPublic: false, members: ['U-ada'], admins: ['U-ada'] })
    await set.say('C-open', 'link #board', ADA, ['C-board'])
    expect((await set.press('C-open', 'Link'))?.text).toMatch(/^This channel uses the files of #board/)
    await set.restart()
    expect(await set.searched('C-open')).toBe(set.board)
  })

  it('rests once one of both is made public', async () => {
    const set = await twoRooms()
    set.chat.room('C-open', { name: 'open', isPublic: false, members: ['U-ada'], admins: ['U-ada'] })
    passTime()
    await set.say('C-open', 'link #board', ADA, ['C-board'])
    await set.press('C-open', 'Link')
    set.chat.room('C-open', { name: 'open', isPublic: true, members: ['U-ada'], admins: ['U-ada'] })
    passTime()
    expect(await set.searched('C-open')).toBeUndefined()
    await set.press('C-open', OPEN)
    passTime()
    expect(await set.searched('C-open')).toBe(set.open)
    expect(set.last('C-open')?.text).toMatch(/The link to another channel is paused/)
    set.chat.room('C-open', { name: 'open', isPublic: false, members: ['U-ada'], admins: ['U-ada'] })
    passTime()
    // Who may ask is looked at before the link: the question waits until the service answers.
    set.chat.fail('describeChannel', new AdapterError('network', 'The service is away.'))
    expect(await set.searched('C-open')).toBe(set.board)
  })

  it('asks again where it would open the other channel than the one that was agreed to', async () => {
    const set = await twoRooms()
    const both = { members: ['U-ada'], admins: ['U-ada'] }
    const turn = (isPublic: boolean) => {
      set.chat.room('C-open', { name: 'open', isPublic, ...both })
      set.chat.room('C-board', { name: 'board', isPublic: !isPublic, ...both })
      passTime()
    }
    turn(false)
    await set.say('C-open', 'link #board', ADA, ['C-board'])
    expect((await set.press('C-open', 'Link'))?.text).toMatch(/This channel is open to fewer people than #board/)
    const asked = set.last('C-open')?.id ?? ''
    turn(true)
    await set.searched('C-open')
    await set.press('C-open', OPEN)
    passTime()
    await set.settled(set.chat.press(asked, 'Yes, let everybody read them', ADA).inbound.key)
    const again = set.chat.visible(inRoom('C-open')).find(({ id }) => id === asked)
    expect(again?.text).toMatch(/#board is open to fewer people than this channel/)
    await set.settled(set.chat.press(asked, 'Yes, let everybody read them', ADA).inbound.key)
    expect(await set.searched('C-open')).toBe(set.board)
    turn(false)
    expect(await set.searched('C-open')).toBe(set.open)
  })

  it('stays within one workspace: public means something else in each', async () => {
    const { chat, say } = await twoRooms()
    chat.room('C-far', { name: 'far', workspace: 'W2', members: ['U-ada'], admins: ['U-ada'] })
    expect((await say('C-open', 'link #far', ADA, ['C-far']))?.text).toMatch(/belongs to another workspace/)
  })

  it('is refused to who does not administer both, who is not in the other, and where nobody can tell', async () => {
    const set = await twoRooms()
    expect((await set.say('C-open', 'link #board', BEN, ['C-board']))?.text).toMatch(
      /you have to be in #board and administer both/,
    )
    expect((await set.say('C-board', 'link #open', BEN, ['C-open']))?.text).toMatch(/Only somebody who administers/)
    set.chat.room('C-board', { name: 'board', isPublic: false, members: [], admins: ['U-ada'] })
    expect((await set.say('C-open', 'link #board', ADA, ['C-board']))?.text).toMatch(/administer both/)
    set.chat.room('C-board', { name: 'board', isPublic: false, members: ['U-ada'], admins: ['U-ada'] })
    set.chat.fail('isAdmin', new AdapterError('forbidden', 'A scope is missing.'))
    expect((await set.say('C-open', 'link #board', ADA, ['C-board']))?.text).toMatch(/Only somebody who administers/)
  })

  it('asks anew who presses its button, which waits for who may and is used once', async () => {
    const { say, press, searched, board, chat, last, settled } = await twoRooms()
    await say('C-open', 'link #board', ADA, ['C-board'])
    const button = last('C-open')
    expect((await press('C-open', 'Link', BEN))?.text).toMatch(/administer both/)
    const pressed = async (label: string) => {
      await settled(chat.press(button?.id ?? '', label, ADA).inbound.key)
      return chat.visible(inRoom('C-open')).find(({ id }) => id === button?.id)
    }
    chat.fail('describeChannel', new AdapterError('network', 'The service is away.'))
    expect((await pressed('Link'))?.text).toMatch(/Are you sure\?$/)
    const linked = await pressed('Yes, let everybody read them')
    // One message from the question to its end, with nothing left to press.
    expect(linked?.text).toMatch(/uses the files of #board/)
    expect(linked?.outgoing.actions ?? []).toEqual([])
    expect(await searched('C-open')).toBe(board)
  })

  it('gives whoever administers one channel no say over what was dropped in the other', async () => {
    const { chat, say, press, last, store } = await twoRooms()
    const all = ['U-ada', 'U-ben']
    chat.room('C-open', { name: 'open', isPublic: false, members: all, admins: all })
    await say('C-open', 'link #board', ADA, ['C-board'])
    await press('C-open', 'Link')
    await say('C-open', 'forget board.md', BEN)
    expect(last('C-open')?.text).toMatch(/^Only Ada/)
    await say('C-open', 'forget board.md', ADA)
    await press('C-open', 'Forget it', BEN)
    expect(last('C-open')?.text).toMatch(/^Only Ada/)
    const record = await store().channels.get('fake:W1:C-board')
    expect(await store().files.hasReady(record?.collection ?? '')).toBe(true)
  })

  it('is one step long: not to a channel that is linked, nor from one that others use', async () => {
    const { chat, say, press } = await twoRooms()
    const room = { isPublic: false, members: ['U-ada'], admins: ['U-ada'] }
    for (const name of ['open', 'third']) chat.room(`C-${name}`, { name, ...room })
    await say('C-open', 'link #board', ADA, ['C-board'])
    await press('C-open', 'Link')
    expect((await say('C-third', 'link #open', ADA, ['C-open']))?.text).toMatch(/uses the files of another/)
    expect((await say('C-board', 'link #third', ADA, ['C-third']))?.text).toMatch(/Other channels use the files/)
    expect((await say('C-board', 'link #board', ADA, ['C-board']))?.text).toBe('That is this channel itself.')
    expect((await say('C-board', 'link #nowhere'))?.text).toMatch(/becomes a link/)
  })
})

const ask = async (set: Awaited<ReturnType<typeof twoRooms>>, author: typeof ADA) => {
  const before = set.platform.script.requests.length
  const said = set.chat.direct('ask in #board: what is planned?', { author, channels: ['C-board'] })
  await set.settled(said.inbound.key)
  const answer = set.chat
    .visible()
    .filter(({ conversation }) => conversation.channel === `D-${author.id}`)
    .at(-1)
  return { request: set.platform.script.requests.slice(before).at(-1), text: answer?.text ?? '' }
}

describe('asking in a channel from a direct message', () => {
  it('answers from its files who is in it at that moment, and nobody else', async () => {
    const set = await twoRooms()
    const { request, text } = await ask(set, ADA)
    expect(request?.collection).toBe(set.board)
    expect(request?.messages.at(-1)?.content).toBe('what is planned?')
    expect(text).toMatch(/_From the files of #board\._$/)
    expect(await ask(set, BEN)).toEqual({
      request: undefined,
      text: 'I can’t answer from #board for you: you are not in that channel, or I am not.',
    })
    set.chat.room('C-board', { name: 'board', isPublic: false, members: [] })
    expect((await ask(set, ADA)).request).toBeUndefined()
  })

  it('counts for the budget of that channel, which nobody gets around in a direct message', async () => {
    const set = await twoRooms({ budgets: { channel: [{ kind: 'questions', most: 1, span: 'hour' }] } })
    expect((await ask(set, ADA)).request?.collection).toBe(set.board)
    const { request, text } = await ask(set, ADA)
    expect(request).toBeUndefined()
    expect(text).toMatch(/^The budget of this channel \(1 question an hour\) is used up/)
    expect((await set.say('C-board', 'What is planned?'))?.text).toMatch(/is used up/)
  })

  it('answers an edited question anew, in the place of the earlier answer', async () => {
    const set = await twoRooms()
    const said = set.chat.direct('ask in #board: what is planned?', { author: ADA, channels: ['C-board'] })
    await set.settled(said.inbound.key)
    const before = set.chat.visible().length
    const edited = set.chat.rewrite(said, 'ask in #board: who plans it?')
    await set.settled(edited.inbound.key)
    expect(set.platform.script.requests.at(-1)).toMatchObject({ collection: set.board })
    expect(set.platform.script.requests.at(-1)?.messages.at(-1)?.content).toBe('who plans it?')
    expect(set.chat.visible()).toHaveLength(before)
    set.chat.room('C-board', { name: 'board', isPublic: false, members: [] })
    const again = set.chat.rewrite(said, 'ask in #board: and where?')
    await set.settled(again.inbound.key)
    expect(set.chat.visible().at(-1)?.text).toMatch(/^I can’t answer from #board for you/)
  })

  it('answers nothing when the service can not tell who is in it', async () => {
    const set = await twoRooms()
    set.chat.fail('isMember', new AdapterError('network', 'The service is away.'))
    expect((await ask(set, ADA)).text).toMatch(/you are not in that channel/)
  })

  it('is refused where others read along', async () => {
    const { say } = await twoRooms()
    expect((await say('C-open', 'ask in #board what is planned?', ADA, ['C-board']))?.text).toMatch(
      /only in a direct message/,
    )
  })
})

describe('the secret part of a collection’s name', () => {
  it('is in no sentence that people read, whatever the platform says of it', async () => {
    const set = await twoRooms()
    const id = set.board ?? ''
    const words = `There is no collection ${id}. Nor is there ${id.split('/')[1]}, or "${id}".`
    for (let times = 0; times < 2; times += 1) {
      set.platform.script.fail('chat.stream', platformFailure('not-found', words))
    }
    const inDirect = set.chat.direct('ask in #board: what is planned?', { author: ADA, channels: ['C-board'] })
    await set.settled(inDirect.inbound.key)
    await set.say('C-board', 'What is planned?')
    const secret = id.split('-').at(-1) ?? 'none'
    expect(set.texts().filter((text) => text.includes('did not accept this')).length).toBeGreaterThan(0)
    expect(set.texts().filter((text) => text.includes(secret))).toEqual([])
  })
})
