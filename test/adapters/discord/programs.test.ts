import { expect, it } from 'vitest'
import { PATIENCE_MS } from '#test/support/patience.ts'
import { withBridge } from './with-bridge.ts'

type Footbridge = Awaited<ReturnType<typeof withBridge>>

const NOT_ANSWERED = 'A program asked too soon'
const asks = (of: Footbridge) => of.platform.script.requests.length
const refusals = ({ lines }: Footbridge) => lines.filter(({ message }) => message.startsWith(NOT_ANSWERED)).length

/** Who somebody with this token is. */
const me = async (apiUrl: string, token: string) =>
  (await fetch(`${apiUrl}/v10/users/@me`, { headers: { authorization: `Bot ${token}` } })).json()

/** Two Footbridges in one channel, two bots with tokens of their own, each of which admits the other. */
async function openTwo() {
  const one = await withBridge()
  const { discord } = one
  const both = [one, await withBridge({ beside: discord, token: 'token of another bot' })] as const
  const channel = discord.channel
  const calls = both.map((each) => `<@${each.discord.botUserId}>`).join(' ')
  for (const { store, platform } of both) {
    await store.preferences.set(`discord:${discord.guildId}:${channel}`, 'settings', '{"bot":"all"}')
    platform.script.answer(...Array.from({ length: 9 }, () => `Answer for ${calls}.`))
  }
  const answers = ({ discord: { botUserId, nameOf } }: Footbridge) =>
    discord.transcript(channel).filter(({ author, buttons }) => author === nameOf(botUserId) && buttons.includes('👍'))

  const done = new Set<string>()
  /** After each answer, its Footbridge posts a question that mentions both: worse than what two of them do. */
  async function askAll(to: 'the other' | 'itself' | undefined) {
    for (const each of both)
      for (const { id } of answers(each)) {
        if (done.has(id)) continue
        done.add(id)
        const other = both.find((bot) => to === 'the other' && bot !== each)
        const answered = (other && answers(other).at(-1)?.id) ?? id
        const reference = to === undefined ? {} : { message_reference: { message_id: answered } }
        const { token, apiUrl } = each.discord
        await fetch(`${apiUrl}/v10/channels/${channel}/messages`, {
          method: 'POST',
          headers: { authorization: `Bot ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ content: `${calls} where is the mole?`, ...reference }),
        })
      }
  }
  const isQuiet = async () => {
    const jobs = await Promise.all(both.map(({ store }) => store.inbox.list(['queued', 'running'], 1)))
    return jobs.flat().length === 0
  }
  return { discord, both, calls, answers, askAll, isQuiet, done, counts: () => both.map(asks) }
}

it('two bots on one Discord have their own token, id and direct conversation', async () => {
  const { discord, both } = await openTwo()
  const [one, other] = both
  expect(other.discord.botUserId).not.toBe(one.discord.botUserId)
  expect(await me(other.discord.apiUrl, other.discord.token)).toMatchObject({ id: other.discord.botUserId })
  expect(await me(other.discord.apiUrl, one.discord.token)).toMatchObject({ message: '401: Unauthorized' })
  discord.say({ user: 'ana', direct: true, text: 'hello, only you' })
  await one.sees(/Answer/, discord.directChannelOf('ana'))
  expect([asks(one), asks(other)]).toEqual([1, 0])
})

it('two Footbridges in one channel that were called in one message answer it, and nothing of each other', async () => {
  const { discord, both, calls, answers, counts, isQuiet } = await openTwo()
  discord.say({ text: `${calls} where is the mole?` })
  await expect.poll(() => both.map((each) => answers(each).length), { timeout: PATIENCE_MS }).toEqual([1, 1])
  await expect.poll(isQuiet, { timeout: PATIENCE_MS }).toBe(true)
  expect(counts()).toEqual([1, 1])
})

it.each([
  ['in replies to each other', 'the other', 1],
  ['in replies to themselves', 'itself', 2],
  ['without replies', undefined, 2],
] as const)(
  'two Footbridges in one channel that mention each other and themselves %s end their talk',
  async (_, to, most) => {
    const { discord, both, askAll, counts, isQuiet, done } = await openTwo()
    const [one, other] = both
    discord.say({ text: 'where is the mole?', mention: true })
    await expect.poll(async () => (await askAll(to), counts()), { timeout: PATIENCE_MS }).toEqual([most, 1])
    // Each reads the last words of the other, and says nothing.
    await expect
      .poll(async () => (await askAll(to), [refusals(one), refusals(other)]), { timeout: PATIENCE_MS })
      .toEqual([2 - most, most - 1])
    await expect.poll(isQuiet, { timeout: PATIENCE_MS }).toBe(true)
    expect([...counts(), done.size]).toEqual([most, 1, most + 1])
  },
)
