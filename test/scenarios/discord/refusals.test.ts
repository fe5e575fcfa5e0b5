import { setTimeout as sleep } from 'node:timers/promises'
import type { DiscordWorkspace } from '#test/support/people/discord.ts'
import { ferry, mole } from '../drops.ts'
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
