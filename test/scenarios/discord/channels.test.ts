import type { DiscordWorkspace } from '#test/support/people/discord.ts'
import { createPerson } from '#test/support/people/person.ts'
import { readMemo } from '#test/support/speech.ts'
import { ferry, mole, note } from '../drops.ts'
import { scenario } from '../scenario.ts'

const PIER = 'From which pier does the ferry leave?'
const CLOSED = 'When is the mole of the harbour closed?'
const seals = note('seals.md', 'The seals of the harbour are fed at noon.')

scenario(
  'Discord: staff, private threads and age-restricted channels keep what they know; a role may add files',
  { on: ['discord'], killedOn: 'discord' },
  async ({ workspace, adaDirect, act, errors, expect }) => {
    // Discord lists no direct conversations: only one that is known is read back after an absence.
    await workspace.say('Ada', adaDirect.channel, { text: 'help' })
    await adaDirect.sees(/Drop a file/)
    const onDiscord = workspace as DiscordWorkspace
    const { discord } = onDiscord
    const person = (name: string, place: Parameters<typeof createPerson>[2]) =>
      createPerson(workspace, name, place, { act })
    const staff = await workspace.addChannel('staff', { kind: 'private', members: ['Ada', 'Ben'] })
    const [adaInStaff, benInStaff] = [person('Ada', staff), person('Ben', staff)]
    const benDirect = person('Ben', workspace.directOf('Ben'))
    await workspace.say('Ben', benDirect.channel, { text: 'help' })
    await benDirect.sees(/Drop a file/)
    const crew = discord.addRole(0n, 'crew')

    await adaInStaff.drops(ferry)
    await adaInStaff.sees(/ferry\.md.*ready/)
    await benDirect.says(`ask in ${workspace.linkTo(staff)} ${PIER}`)
    const told = await benDirect.seesAnswer(/from pier seven.*\[1\][^]*#staff/)
    onDiscord.leave('Ben', staff)
    await benDirect.says(`ask in ${workspace.linkTo(staff)} ${PIER} Tell me again.`)
    await benDirect.sees(/you are not in that channel, or I am not/, ({ id }) => id !== told.id)
    onDiscord.join('Ben', staff)

    // A private thread is for those who are in it.
    const inner = onDiscord.addClosedThread?.(staff, 'inner', ['Ada', 'Footbridge'])
    if (inner === undefined) throw new Error('Discord has private threads.')
    const adaInside = person('Ada', inner)
    await adaInside.drops(mole)
    await adaInside.sees(/mole\.md.*ready/)
    await adaInside.asks(CLOSED)
    await adaInside.seesAnswer(/closed from November to March.*\[1\]/)
    await benInStaff.asks(CLOSED)
    await benInStaff.sees(/I found no passage|I am not sure that/)

    const bar = { id: discord.addChannel('bar', { nsfw: true }), name: 'bar', kind: 'public' } as const
    await person('Ada', bar).drops(seals)
    await person('Ada', bar).sees(/seals\.md.*ready/)
    await adaDirect.says(`ask in ${workspace.linkTo(bar)} When are the seals fed?`)
    await adaDirect.sees(/age-restricted/)

    await adaInStaff.calls('settings')
    await adaInStaff.sees(/Every member|Who may add files/, ({ buttons }) => buttons.includes('Change settings'))
    await adaInStaff.presses('Change settings')
    await adaInStaff.sees(/Channel settings/)
    const panel = () =>
      discord.transcript(staff.id).findLast(({ menus = [], only }) => only === 'Ada' && menus.length > 0)
    const choose = async (): Promise<void> => {
      const made = discord.choose(panel()?.id ?? '', 'Roles that may add files', 'Ada', [crew])
      if (!(await made.acknowledged)) await choose()
    }
    await act(choose)
    await adaInStaff.sees(/Roles that may add files: \*\*crew\*\*/)
    await benInStaff.drops(note('ben.md', 'Ben has the keys.'))
    await benInStaff.sees(/Only those who administer this channel/)
    discord.setMember('Ben', { roles: [crew] })
    await benInStaff.drops(note('keys.md', 'The keys of the tower hang in the office.'))
    await benInStaff.sees(/keys\.md.*ready/)
    expect(await benInStaff.count(/ben\.md/)).toBe(0)
    expect(errors()).toEqual([])
  },
)

scenario(
  'Discord: files come several at once, forwarded or taken back; recordings are answered where they are meant for Footbridge',
  { on: ['discord'], killedOn: 'discord' },
  async ({ workspace, ada, ben, adaDirect, act, spoken, errors, expect }) => {
    // Discord lists no direct conversations: only one that is known is read back after an absence.
    await workspace.say('Ada', adaDirect.channel, { text: 'help' })
    await adaDirect.sees(/Drop a file/)
    const { discord } = workspace as DiscordWorkspace
    const both = await ada.drops(ferry, mole)
    await ada.sees(/ferry\.md.*ready[^]*mole\.md.*ready/)

    const { id, url } = discord.hostFile({ channel: ada.channel.id, ...seals })
    const attachment = { id, url, proxy_url: url, filename: seals.name, size: 60, content_type: seals.mimeType }
    const snapshot = { message: { content: 'What did they say?', attachments: [attachment], embeds: [] } }
    await act(async () => {
      const reference = { type: 1, message_id: '1', channel_id: '2' }
      const extra = { message_reference: reference, message_snapshots: [snapshot] }
      discord.say({ user: 'Ben', channel: ada.channel.id, extra })
    })
    await ada.sees(/seals\.md.*ready/)
    await ada.asks('When are the seals of the harbour fed?')
    const fed = await ada.seesAnswer(/fed at noon.*\[1\]/)

    await act(async () => discord.detach(both, 'mole.md'))
    await ada.sees(/ferry\.md\*+ — ready[^]*🗑️ \*+mole\.md\*+ — removed: the file was deleted here/)
    await ada.asks(CLOSED)
    await ada.sees(/I found no passage|I am not sure that/)

    // Among people a recording is left alone until somebody wants it answered; as a reply it is meant for Footbridge.
    const voice = { bytes: readMemo('lighthouse.ogg'), seconds: 3 }
    await act(async () => void discord.say({ user: 'Ben', channel: ben.channel.id, voice }))
    const offer = await ben.sees(/A voice message\. I listen to it only if/, ({ buttons }) => buttons.length === 1)
    spoken.push('When does the ferry to the island leave?')
    await ben.says('', { recording: voice.bytes, after: fed.id })
    await ben.sees(/🎙️ “When does the ferry to the island leave\?”/)
    await ben.seesAnswer(/leaves at 9:40.*\[1\]/)
    await adaDirect.records(voice.bytes)
    await adaDirect.sees(/🎙️ “When does the ferry to the island leave\?”/)
    expect(await ben.count(/🎙️/)).toBe(1)
    expect(
      (await ben.shown()).filter(({ buttons }) => buttons.includes('Answer this?')).map((each) => each.id),
    ).toEqual([offer.id])
    await ben.presses('Answer this?')
    await expect.poll(() => ben.count(/🎙️/), { timeout: 60_000 }).toBe(2)
    await expect.poll(() => ben.count(/I listen to it only if/), { timeout: 60_000 }).toBe(0)
    expect(errors()).toEqual([])
  },
)

const poll = (text: string, ...answers: readonly string[]) => ({
  poll: {
    question: { text },
    answers: answers.map((answer, at) => ({ answer_id: at + 1, poll_media: { text: answer } })),
    expiry: null,
    allow_multiselect: false,
    layout_type: 1,
  },
})
const forward = (content: string) => ({
  message_reference: { type: 1, message_id: '1', channel_id: '2' },
  message_snapshots: [{ message: { content, attachments: [], embeds: [] } }],
})

scenario(
  'Discord: a poll or a forwarded message is a question in a direct message, and elsewhere what a reply to it asks about',
  { on: ['discord'], killedOn: 'discord' },
  async ({ workspace, ada, ben, adaDirect, act, errors, expect }) => {
    // Discord lists no direct conversations: only one that is known is read back after an absence.
    await workspace.say('Ada', adaDirect.channel, { text: 'help' })
    await adaDirect.sees(/Drop a file/)
    const { discord } = workspace as DiscordWorkspace
    await adaDirect.drops(ferry, mole)
    await adaDirect.sees(/ferry\.md.*ready[^]*mole\.md.*ready/)
    await ada.drops(ferry, mole)
    await ada.sees(/ferry\.md.*ready[^]*mole\.md.*ready/)
    const shows = (user: string, place: object, extra: Readonly<Record<string, unknown>>) =>
      act(async () => discord.say({ user, ...place, extra }).id)
    await shows('Ada', { direct: true }, poll(PIER, 'Pier six', 'Pier seven'))
    await adaDirect.seesAnswer(/from pier seven\. ?\[1\]/)
    await shows('Ada', { direct: true }, forward(CLOSED))
    await adaDirect.seesAnswer(/closed from November to March\. ?\[1\]/)

    // Among people they are talk, until somebody asks about them.
    const asked = await shows('Ben', { channel: ben.channel.id }, poll(PIER, 'Pier six', 'Pier seven'))
    const quoted = await shows('Ben', { channel: ben.channel.id }, forward(CLOSED))
    await ben.asks('Which of these is right?', { after: asked })
    await ben.seesAnswer(/from pier seven\. ?\[1\]/)
    await ben.asks('Once more, please: what about this?', { after: quoted })
    await ben.seesAnswer(/closed from November to March\. ?\[1\]/)
    for (const once of [/from pier seven/, /closed from November/]) {
      expect(await adaDirect.count(once)).toBe(1)
      expect(await ben.count(once)).toBe(1)
    }
    expect(errors()).toEqual([])
  },
)
