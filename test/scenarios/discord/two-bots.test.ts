import { timeOf } from '#adapters/discord/rest.ts'
import { startDiscordDouble } from '#test/doubles/discord/discord-double.ts'
import { startFootbridge } from '#test/support/footbridge.ts'
import type { DiscordWorkspace } from '#test/support/people/discord.ts'
import { ferry } from '../drops.ts'
import { scenario } from '../scenario.ts'

const MINUTE_MS = 60_000
const ROUNDS = 4

scenario(
  'Discord: two Footbridges that admit each other in one channel answer people, and each other once a minute at most',
  { on: ['discord'], killedOn: 'discord' },
  async ({ workspace, ada, footbridge, env, act, rough, errors, expect }) => {
    const { discord, env: settings } = workspace as DiscordWorkspace
    const { channel } = ada
    const other = await startDiscordDouble({ beside: discord, token: 'another-token-0123456789', locale: 'en-GB' })
    const { DATA_DIR: _, ...shared } = env
    const own = { DISCORD_TOKEN: other.token, DISCORD_API_URL: other.apiUrl }
    const beside = await startFootbridge({ ...settings, ...shared, ...own })
    try {
      const [one, two] = [discord, other].map(({ botUserId }) => `<@${botUserId}>`)
      const says = (text: string) => act(() => workspace.say('Ada', channel, { text }))
      await says(`${one} access bots ${other.botUserId} all`)
      await ada.sees(/^Done\./)
      await says(`${two} access bots ${discord.botUserId} all`)
      await expect.poll(() => ada.count(/^Done\./), { timeout: MINUTE_MS }).toBe(2)
      await ada.drops(ferry)
      await expect.poll(() => ada.count(/ferry\.md.*ready/), { timeout: MINUTE_MS }).toBe(2)

      const answersOf = ({ botUserId, nameOf }: typeof discord) =>
        discord
          .transcript(channel.id)
          .filter(({ author, buttons }) => author === nameOf(botUserId) && buttons.includes('👍'))
      const question = await says(`${one} ${two} From which pier does the ferry leave?`)
      const first = () => [discord, other].map((bot) => answersOf(bot).map(({ replyTo }) => replyTo))
      await expect.poll(first, { timeout: MINUTE_MS }).toEqual([[question], [question]])

      // Each of them asks both again and again, which no Footbridge does, and either may die over it.
      const asked = new Set<string>()
      for (let round = 0; round < ROUNDS; round += 1)
        for (const { apiUrl, token } of [discord, other]) {
          const headers = { authorization: `Bot ${token}`, 'content-type': 'application/json' }
          const body = JSON.stringify({ content: `${one} ${two} When does the ferry to the island leave?` })
          const post = () => fetch(`${apiUrl}/v10/channels/${channel.id}/messages`, { method: 'POST', headers, body })
          const { id } = (await (await act(post)).json()) as { readonly id: string }
          asked.add(id)
          if (rough && round % 2 === 0) await beside.restart()
        }
      // A killed process does not answer what it missed of a program.
      const least = () => Math.min(...[discord, other].map((bot) => answersOf(bot).length))
      await expect.poll(least, { timeout: MINUTE_MS }).toBeGreaterThanOrEqual(rough ? 1 : 2)
      // Whoever comes behind all that is answered, by both.
      const last = await says(`${one} ${two} From which pier does the ferry leave?`)
      const answers = () =>
        [discord, other].map((bot) => answersOf(bot).filter(({ replyTo }) => replyTo === last).length)
      await expect.poll(answers, { timeout: MINUTE_MS }).toEqual([1, 1])

      for (const bot of [discord, other]) {
        const toPrograms = answersOf(bot).filter(({ replyTo = '' }) => asked.has(replyTo))
        const apart = toPrograms.slice(1).map(({ id }, index) => timeOf(id) - timeOf(toPrograms[index]?.id ?? ''))
        expect(new Set(toPrograms.map(({ replyTo }) => replyTo)).size).toBe(toPrograms.length)
        expect(Math.min(...apart, MINUTE_MS)).toBe(MINUTE_MS)
        expect(answersOf(bot).filter(({ replyTo }) => replyTo === question)).toHaveLength(1)
      }
      expect([...errors(), ...beside.alarms().filter(({ level }) => level >= 50)]).toEqual([])
      expect(footbridge.dataDir).not.toBe(beside.dataDir)
    } finally {
      await beside.close()
      await other.close()
    }
  },
)
