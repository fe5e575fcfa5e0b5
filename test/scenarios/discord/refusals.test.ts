import { setTimeout as sleep } from 'node:timers/promises'
import { timeOf } from '#adapters/discord/rest.ts'
import type { DiscordWorkspace } from '#test/support/people/discord.ts'
import { createPerson } from '#test/support/people/person.ts'
import { ferry, mole, note } from '../drops.ts'
import { scenario } from '../scenario.ts'

const BLOCK_MS = 11_000

scenario(
  'Discord: what AutoMod blocks is told, and a question of the time in which Cloudflare refuses all requests is answered afterwards',
  { on: ['discord'], killedOn: 'discord' },
  async ({ workspace, ada, ben, rough, errors, expect }) => {
    const { discord } = workspace as DiscordWorkspace
    await ada.drops(ferry, mole)
    await ada.sees(/ferry\.md.*ready[^]*mole\.md.*ready/)

    discord.blockWords(/pier seven/)
    await ada.asks('From which pier does the ferry leave?')
    await ada.sees(/AutoMod/)
    expect(await ada.count(/pier seven/)).toBe(0)
    discord.blockWords(/nobody says this/)

    const back = discord.goAway('rest-blocked')
    await ben.asks('When is the mole of the harbour closed?')
    await sleep(BLOCK_MS)
    const refused = discord.calls.filter(({ status }) => status === 429)
    await back()
    // Pauses of five seconds and more; a new process begins them anew.
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThanOrEqual(rough ? 8 : 4)
    await ben.seesAnswer(/closed from November to March\. ?\[1\]/)
    expect(await ben.count(/closed from November/)).toBe(1)
    expect(errors()).toEqual([])
  },
)

const LEAVES = 'The ferry leaves at 9:40. [RREF1]'
const SLOW_MS = 4000
const TYPING = 'POST /channels/:channel/typing'

scenario(
  'Discord: whoever asks in a locked thread is told so alone, and answered once it is open; in slow mode an answer comes when it may',
  { on: ['discord'], killedOn: 'discord', rules: [[/The question:[^]*When does the ferry/, LEAVES, 300]] },
  async ({ workspace, ada, ben, act, rough, errors, expect }) => {
    const { discord } = workspace as DiscordWorkspace
    const seals = note('seals.md', 'The seals of the harbour are fed at noon.')
    await ada.drops(ferry, mole)
    await ada.sees(/ferry\.md.*ready[^]*mole\.md.*ready/)
    const thread = discord.addThread(ada.channel.id, 'talk', undefined, { announced: true })
    const [adaInside, benInside] = ['Ada', 'Ben'].map((name) =>
      createPerson(workspace, name, { id: thread, name: 'talk', kind: 'public' }, { act }),
    )
    const benDirect = createPerson(workspace, 'Ben', workspace.directOf('Ben'), { act })
    if (adaInside === undefined || benInside === undefined) throw new Error('There is nobody.')
    await adaInside.asks('From which pier does the ferry leave?')
    await adaInside.seesAnswer(/from pier seven\. ?\[1\]/)

    // Both may manage threads, and still write in it.
    discord.restrict(thread, { locked: true })
    await benInside.asks('When is the mole of the harbour closed?')
    const told = await benDirect.sees(/closed or locked[^]*Manage Threads/)
    expect(told.text).toContain(`/${thread}/`)
    await adaInside.drops(seals)
    discord.restrict(thread, { locked: false })
    // A process that was killed before it put the question aside answers it without a press.
    const retries = async () => {
      if ((await benDirect.count(/closed or locked/)) > 0) await benDirect.presses('Retry')
      return benInside.count(/closed from November to March\. ?\[1\]/)
    }
    await expect.poll(retries, { timeout: 60_000, interval: 500 }).toBe(1)
    await adaInside.asks('When are the seals of the harbour fed?')
    await adaInside.seesAnswer(/fed at noon\. ?\[1\]/)
    expect(await benInside.count(/closed from November/)).toBe(1)
    expect(await benDirect.shown()).toEqual([])

    discord.restrict(ben.channel.id, { slowModeMs: SLOW_MS })
    const [before, signs] = [discord.calls.length, discord.callsTo(TYPING).length]
    await ben.asks('From which pier does the ferry leave?')
    const first = await ben.seesAnswer(/from pier seven\. ?\[1\]/)
    await ben.asks('When does the ferry to the island leave?')
    const second = await ben.seesAnswer(/leaves at 9:40/, ({ id }) => id !== first.id)
    // It types while it waits.
    expect(discord.callsTo(TYPING).length).toBeGreaterThan(signs)
    expect(timeOf(second.id) - timeOf(first.id)).toBeGreaterThanOrEqual(SLOW_MS)
    expect((await ben.shown()).slice(-2).map(({ id }) => id)).toEqual([first.id, second.id])
    const refused = discord.calls.slice(before).filter(({ status }) => status === 429)
    // A restart may take as long.
    expect(refused.length).toBeGreaterThanOrEqual(rough ? 0 : 1)
    expect(refused.length).toBeLessThanOrEqual(rough ? 6 : 3)
    expect(errors()).toEqual([])
  },
)
