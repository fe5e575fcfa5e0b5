import { expect, it } from 'vitest'
import { PATIENCE_MS } from '#test/support/patience.ts'
import { withBridge } from './with-bridge.ts'

/** A Footbridge in a channel that admits all programs, and another program there. */
async function open() {
  const one = await withBridge()
  const { discord, store, platform } = one
  await store.preferences.set(`discord:${discord.guildId}:${discord.channel}`, 'settings', '{"bot":"all"}')
  platform.script.answer(...Array.from({ length: 9 }, (_, index) => `Answer ${index + 1}.`))
  const answers = () =>
    discord
      .transcript(discord.channel)
      .filter(
        ({ author, text, buttons }) => author === 'Footbridge' && text.includes('Answer') && buttons.includes('👍'),
      )
  const says = (text: string, replyTo?: string) =>
    discord.say({ user: 'Other', bot: true, text, mention: true, replyTo })
  return { ...one, says, answers, asks: () => platform.script.requests.length }
}

it.each([
  ['as a reply', true, 1],
  ['without one', false, 2],
])('two Footbridges that mention each other %s end their talk', async (_, replies, mostOfFirst) => {
  const [one, other] = [await open(), await open()]
  const told = new Set<string>()
  /** What each of the two says, the other one reads as a mention: worse than what two of them do. */
  const exchange = () => {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const)
      for (const { id, text } of from.answers()) {
        if (told.has(id)) continue
        told.add(id)
        to.says(text, replies ? to.answers().at(-1)?.id : undefined)
      }
  }
  one.discord.say({ user: 'Ana', text: 'where is the mole?', mention: true })
  const seen = () => (exchange(), [one.answers().length, other.answers().length])
  await expect.poll(seen, { timeout: PATIENCE_MS }).toEqual([mostOfFirst, 1])
  // Each reads the last words of the other, and says nothing. A person is answered behind them.
  exchange()
  one.discord.say({ user: 'Ana', text: 'where is the ferry?', mention: true })
  await expect.poll(() => one.answers().length, { timeout: PATIENCE_MS }).toBe(mostOfFirst + 1)
  expect([one.asks(), other.asks()]).toEqual([mostOfFirst + 1, 1])
})
