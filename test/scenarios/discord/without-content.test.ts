import { setTimeout as sleep } from 'node:timers/promises'
import { diagnose } from '#operate/doctor.ts'
import { readConfig } from '#src/config.ts'
import { intents } from '#test/doubles/discord/gateway.ts'
import type { Footbridge } from '#test/support/footbridge.ts'
import type { DiscordWorkspace } from '#test/support/people/discord.ts'
import { ferry, mole } from '../drops.ts'
import { scenario } from '../scenario.ts'

const ONLY_ADDRESSED = 'discord: receives only messages addressed to Footbridge; the log says why'

/** What the running process says at `/readyz` of what rests. */
async function limitsOf({ url }: Pick<Footbridge, 'url'>): Promise<unknown> {
  const body = (await (await fetch(new URL('/readyz', url))).json()) as { readonly limited?: unknown }
  return body.limited
}

scenario(
  'Discord: refused Message Content, it answers who mentions it or replies, and takes files by mention, command and dialog',
  { on: ['discord'], killedOn: 'discord', workspace: { messageContent: false } },
  async ({ workspace, ada, ben, adaDirect, act, footbridge, env, rough, errors, expect }) => {
    const { discord } = workspace as DiscordWorkspace
    /** A dialog that nobody acknowledged has failed for the person, who opens it again. */
    const fillIn = async (): Promise<void> => {
      const called = discord.callCommand('add', { user: 'Ada', channel: ada.channel.id })
      if (!(await called.acknowledged)) return fillIn()
      await discord.until(() => called.modal())
      if (!(await discord.submitFiles(called, [ferry]).acknowledged)) await fillIn()
    }
    await act(fillIn)
    await ada.sees(/ferry\.md.*ready/)
    await ada.asks('', { files: [mole] })
    await ada.sees(/mole\.md.*ready/)

    const unheard = await ben.says('From which pier does the ferry leave?')
    await ben.asks('From which pier does the ferry leave?')
    const answer = await ben.seesAnswer(/from pier seven\. ?\[1\]/)
    await ben.calls('Ask about this', { target: unheard })
    await ben.sees(/from pier seven/, ({ only }) => only === 'Ben')
    await ben.asks('When is the mole of the harbour closed?', { after: answer.id })
    await ben.seesAnswer(/closed from November to March/)
    await ben.presses('👎', '', ['outdated'])
    await ben.sees(/Thanks, noted\. Whoever /)
    await ada.calls('settings')
    await ada.sees(/mention/, ({ only }) => only === 'Ada')
    await workspace.say('Ada', adaDirect.channel, { text: 'help' })
    await adaDirect.sees(/Drop a file/)

    expect(await ben.count(/from pier seven/)).toBe(2)
    const told = footbridge.output.log.filter(({ msg }) => /MESSAGE CONTENT|Message Content/.test(msg))
    // Once by each process.
    if (rough) expect(told.length).toBeGreaterThan(1)
    else expect(told).toHaveLength(1)
    await expect.poll(() => limitsOf(footbridge)).toEqual([ONLY_ADDRESSED])
    const config = readConfig({ ...workspace.env, ...env, PORT: new URL(footbridge.url).port })
    expect(await diagnose(config)).toContainEqual(
      expect.objectContaining({ ok: false, text: expect.stringContaining('MESSAGE CONTENT INTENT is off') }),
    )
    expect(errors()).toEqual([])
  },
)

scenario(
  'Discord: with DISCORD_MESSAGE_CONTENT=off it never asks for Message Content, and says what rests',
  { on: ['discord'], killedOn: 'discord', settings: { DISCORD_MESSAGE_CONTENT: 'off' } },
  async ({ workspace, ada, ben, footbridge, env, errors, expect }) => {
    const { discord } = workspace as DiscordWorkspace
    await ada.drops(mole)
    await ada.asks('', { files: [ferry] })
    await ada.sees(/ferry\.md.*ready/)
    await ben.says('From which pier does the ferry leave?')
    await ben.asks('When does the ferry to the island leave?')
    await ben.seesAnswer(/leaves at 9:40.*\[1\]/)
    await ada.calls('settings')
    await ada.sees(/mention/, ({ only }) => only === 'Ada')
    expect(await ada.count(/mole\.md/)).toBe(0)
    expect((await ben.shown()).filter(({ buttons }) => buttons.includes('👍'))).toHaveLength(1)

    expect(discord.gateway.asked.filter((wanted) => (wanted & intents.messageContent) !== 0)).toEqual([])
    expect(footbridge.output.log.some(({ msg }) => msg.includes('DISCORD_MESSAGE_CONTENT is off'))).toBe(true)
    await expect.poll(() => limitsOf(footbridge)).toEqual([ONLY_ADDRESSED])
    const config = readConfig({ ...workspace.env, ...env, PORT: new URL(footbridge.url).port })
    expect(await diagnose(config)).toContainEqual(
      expect.objectContaining({ ok: true, text: expect.stringContaining('DISCORD_MESSAGE_CONTENT is off') }),
    )
    expect(errors()).toEqual([])
  },
)

const STARTS = 100
/** Kills are spread until a start has ended, as long as it takes on this machine. */
const SPREAD = 1.2
const MAX_START_MS = 2_000

scenario(
  'Discord: refused Message Content, no start of 100 ends by itself, at whatever moment it is killed',
  { on: ['discord'], workspace: { messageContent: false }, isLong: true },
  async ({ ada, footbridge, errors, expect }) => {
    const ends: string[] = []
    const before = performance.now()
    await footbridge.restart()
    const startMs = performance.now() - before
    for (let start = 0; start < STARTS; start += 1) {
      const starting = footbridge.restart().catch((error: unknown) => void ends.push(String(error)))
      await sleep((Math.min(startMs * SPREAD, MAX_START_MS) * start) / STARTS)
      await footbridge.kill9()
      await starting
    }
    // Killed: without a code.
    expect(ends.filter((end) => !end.includes('ended with null'))).toEqual([])
    await footbridge.restart()
    await ada.asks('', { files: [ferry] })
    await ada.sees(/ferry\.md.*ready/)
    await ada.asks('From which pier does the ferry leave?')
    await ada.seesAnswer(/from pier seven\. ?\[1\]/)
    const told = footbridge.output.log.filter(({ msg }) => msg.includes('refuses MESSAGE CONTENT INTENT'))
    expect(told.length).toBeGreaterThan(STARTS / 10)
    expect([...errors(), ...footbridge.output.stderr]).toEqual([])
  },
)
