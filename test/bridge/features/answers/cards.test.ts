import { describe, expect, it } from 'vitest'
import { PATIENCE } from '#test/support/patience.ts'
import { cited, markdown, setUpBridge } from '#test/support/bridge/set-up.ts'

const GUEST = { id: 'U-guest', name: 'Gus', language: 'en' }
const ADA = { id: 'U-ada', name: 'Ada', language: 'en' }

async function withAnswer(options: Parameters<typeof setUpBridge>[0] = {}) {
  const set = await setUpBridge(options)
  const { chat, platform, shows, settled } = set
  chat.room('C1', { name: 'ferry', admins: [ADA.id] })
  chat.room('C2', { name: 'harbour', admins: [ADA.id] })
  chat.drop([markdown('mole.md', '# Mole\nThe mole is red.')])
  await shows(/mole.*ready/)
  platform.script.answer(cited('Red.', 'mole.md', 'The mole is red.'))
  chat.mention('Which <!colour> has the mole?')
  const { id } = await shows(/^Red/)
  const url = `https://chat.example/C1/${id}`
  /** Cards under a message with these links. */
  const cards = async (channel: string, author = ADA, ...urls: readonly string[]) => {
    const said = chat.say('see', { channel, author })
    await settled(chat.link(said, ...(urls.length === 0 ? [url] : urls)).inbound.key)
    return chat.cards.get(said.id)
  }
  return { ...set, url, cards }
}

const place = (channel: string) => ({ adapter: 'fake', workspace: 'W1', channel, thread: 't1', direct: false })

describe('the card of an answer, opened', () => {
  it('shows the answer with its passages to whoever may ask there', async () => {
    const { chat, url } = await withAnswer()
    const shown = chat.openCard(place('C1'), url, ADA)
    await expect.poll(shown, PATIENCE).toBeDefined()
    expect(shown()).toMatchObject({
      title: 'Which <!colour> has the mole?',
      text: 'Red. [1]',
      references: [{ number: 1, file: 'mole.md', passage: 'The mole is red.' }],
    })
  })

  it('says why to who may not, at that moment, and that it is gone where no answer may be read', async () => {
    const { chat, url } = await withAnswer()
    const refusal = async (channel: string, author = ADA) => {
      const shown = chat.openCard(place(channel), url, author)
      await expect.poll(shown, PATIENCE).toBeDefined()
      return shown()
    }
    chat.kinds.set(GUEST.id, 'guest')
    expect(await refusal('C1', GUEST)).toMatchObject({ refusal: expect.stringMatching(/^Guests may not use me here/) })
    const gone = { refusal: expect.stringMatching(/^I can’t show this here/) }
    expect(await refusal('C2')).toEqual(gone)
  })
})

describe('the card of a reference, opened', () => {
  it('shows its passage in the channel of its answer, and nowhere else, nor another number or answer', async () => {
    const { chat, url, store } = await withAnswer()
    const id = url.split('/').at(-1) ?? ''
    const answer = await store().answers.ofMessage('fake:W1:C1', id)
    const open = async (channel: string, reference = { answer: answer?.id ?? '', number: 1 }, author = ADA) => {
      const shown = chat.openCard(place(channel), url, author, reference)
      await expect.poll(shown, PATIENCE).toBeDefined()
      return shown()
    }
    expect(await open('C1')).toMatchObject({
      reference: { file: 'mole.md', passage: 'The mole is red.' },
      at: answer?.at,
    })
    const gone = { refusal: expect.stringMatching(/^I can’t show this here/) }
    expect(await open('C2')).toEqual(gone)
    for (const other of [{ number: 2 }, { answer: 'none' }])
      expect(await open('C1', { answer: answer?.id ?? '', number: 1, ...other })).toEqual(gone)
    chat.kinds.set(GUEST.id, 'guest')
    expect(await open('C1', undefined, GUEST)).toMatchObject({ refusal: expect.stringMatching(/^Guests may not/) })
  })
})

describe('a link to a file', () => {
  const ferry = markdown('ferry.md', '# Ferry\nIt leaves at 9:40.')

  async function dropped() {
    const set = await withAnswer()
    const drop = set.chat.drop([ferry])
    await set.shows(/ferry.*ready/)
    const [record] = await set.store().files.ofJob(drop.inbound.key)
    const ofFile = `https://chat.example/C1/${drop.id}/${encodeURIComponent(record?.id ?? '')}`
    return { ...set, ofFile, ofDrop: `https://chat.example/C1/${drop.id}` }
  }

  it('and to the message that dropped it is a card with who dropped it and how it begins', async () => {
    const { cards, ofFile, ofDrop } = await dropped()
    const card = {
      title: 'ferry.md',
      text: expect.stringContaining('It leaves at 9:40.'),
      note: 'Footbridge, dropped by Anna',
      file: { droppedBy: 'Anna', droppedAt: expect.any(String) },
    }
    expect(await cards('C1', ADA, ofFile, ofDrop)).toMatchObject([
      { ...card, url: ofFile },
      { ...card, url: ofDrop },
    ])
  })

  it('has no card where its channel is not searched, for who may not ask, and once it is gone', async () => {
    const { cards, chat, ofFile, settled, shows } = await dropped()
    expect(await cards('C2', ADA, ofFile)).toBeUndefined()
    chat.kinds.set(GUEST.id, 'guest')
    expect(await cards('C1', GUEST, ofFile)).toBeUndefined()
    await settled(chat.mention('forget ferry', { author: ADA }).inbound.key)
    const { id } = await shows(/Forget/)
    await settled(chat.press(id, 'Forget it', ADA).inbound.key)
    expect(await cards('C1', ADA, ofFile)).toBeUndefined()
  })

  it('opens with its beginning, for whoever may ask there', async () => {
    const { chat, ofFile } = await dropped()
    const shown = chat.openCard(place('C1'), ofFile, ADA)
    await expect.poll(shown, PATIENCE).toBeDefined()
    expect(shown()).toMatchObject({
      title: 'ferry.md',
      text: expect.stringMatching(/^Ferry\nIt leaves/),
      references: [],
      file: { droppedBy: 'Anna' },
    })
    const elsewhere = chat.openCard(place('C2'), ofFile, ADA)
    await expect.poll(elsewhere, PATIENCE).toMatchObject({ refusal: expect.stringMatching(/^I can’t show this here/) })
  })
})

describe('a link to an answer', () => {
  it('has a card in the channel whose files it comes from', async () => {
    const { cards, url } = await withAnswer()
    expect(await cards('C1')).toEqual([
      {
        url,
        title: 'Which <!colour> has the mole?',
        text: 'Red. [1]',
        note: 'Footbridge, from mole.md',
        at: expect.any(Number),
      },
    ])
  })

  it('has none in another channel, until that may search the same files', async () => {
    const { cards, chat, settled } = await withAnswer()
    expect(await cards('C2')).toBeUndefined()
    await settled(chat.mention('link #ferry', { channel: 'C2', author: ADA, channels: ['C1'] }).inbound.key)
    const asked = chat.visible().findLast(({ conversation }) => conversation.channel === 'C2')
    await settled(chat.press(asked?.id ?? '', 'Link', ADA).inbound.key)
    expect(await cards('C2')).toHaveLength(1)
  })

  it('leads to the files behind it where somebody in ADMINS links by it, and tells others not even its channel', async () => {
    const { cards, chat, settled, url } = await withAnswer({ admins: new Set([`fake:${GUEST.id}`]) })
    const last = () => chat.visible().findLast(({ conversation }) => conversation.channel === 'C2')
    await settled(chat.mention(`link ${url}`, { channel: 'C2', author: ADA }).inbound.key)
    expect(last()?.text).toMatch(/^Only people who administer everything here/)
    await settled(chat.mention('link https://chat.example/C1/none', { channel: 'C2', author: GUEST }).inbound.key)
    expect(last()?.text).toMatch(/^I don’t know that channel/)
    await settled(chat.mention(`link ${url}`, { channel: 'C2', author: GUEST }).inbound.key)
    expect(last()?.text).toMatch(/from the files of #ferry/)
    await settled(chat.press(last()?.id ?? '', 'Link', ADA).inbound.key)
    expect(await cards('C2')).toHaveLength(1)
  })

  it('has none for who may not ask, in a channel that rests, and where it leads to no answer', async () => {
    const { cards, chat, url } = await withAnswer()
    chat.kinds.set(GUEST.id, 'guest')
    expect(await cards('C1', GUEST)).toBeUndefined()
    const [receipt] = chat.visible()
    const others = [`https://chat.example/C1/${receipt?.id}`, url.replace('C1', 'C2'), 'https://chat.example/', 'x']
    expect(await cards('C1', ADA, ...others)).toBeUndefined()
    chat.room('C1', { name: 'ferry', isShared: true })
    const changed = {
      kind: 'channel-changed',
      key: 'c',
      conversation: { adapter: 'fake', workspace: 'W1', channel: 'C1', direct: false },
    } as const
    await chat.redeliver({ ...chat.say('x'), inbound: changed }).taken
    expect(await cards('C1')).toBeUndefined()
  })

  it('that one person got alone has none', async () => {
    const { cards, chat, platform, settled } = await withAnswer()
    platform.script.answer(cited('Still red.', 'mole.md', 'The mole is red.'))
    await settled(chat.call('ask', 'Which colour?').inbound.key)
    const secret = chat.visible().find(({ text }) => text.startsWith('Still'))
    expect(secret?.outgoing.privateTo).toBeDefined()
    expect(await cards('C1', ADA, `https://chat.example/C1/${secret?.id}`)).toBeUndefined()
  })
})
