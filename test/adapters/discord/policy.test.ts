/** Who may do what in which kind of channel, one test a cell. */
import { afterAll, describe, expect, test } from 'vitest'
import { CHANNELS, MAY, openPolicyWorld, PEOPLE, REFUSED, type Right, type Where, type Who } from './policy-world.ts'

const ACTS = ['ask', 'drop', 'press', 'command'] as const

const world = await openPolicyWorld()
const { discord, adapter, places, answers, channelOf, ask, replyTo, answerTo, refusedSilently, seenBy } = world
afterAll(() => world.close())

const CELLS = CHANNELS.flatMap((where) => PEOPLE.map((who) => [who, where, MAY[where][who]] as const))

describe('who reads and manages', () => {
  test.each(CELLS)('%s, %s: %s', async (who, where, expected) => {
    const direct = where === 'direct'
    const place = places.get(where) ?? { channel: channelOf(who, where) }
    const conversation = { adapter: 'discord', workspace: direct ? '@me' : discord.guildId, ...place, direct }
    const person = discord.userId(who)
    const [reads, manages, kind] = await Promise.all([
      adapter.isMember(conversation, person),
      adapter.isAdmin(conversation, person),
      adapter.people.kindOf(conversation, person),
    ])
    expect(manages && reads ? 'manage' : reads ? 'read' : 'nothing').toBe(expected)
    expect(kind).toBe(expected === 'nothing' ? 'stranger' : 'member')
  })
})

/** Does an act of a person in a place, and checks the view that they must have then. */
const CHECK: Readonly<Record<(typeof ACTS)[number], (who: Who, where: Where, may: Right) => Promise<void>>> = {
  async ask(who, where, may) {
    const question = await ask(who, where)
    if (may === 'nothing') return refusedSilently(who, where, 'ask', question)
    const { text } = await answerTo(channelOf(who, where), question)
    expect(text).toMatch(/^(?:At nine\.|\*\*I (?:found no passage|am not sure that))/)
  },
  async drop(who, where, may) {
    const name = `${who} ${where}.md`
    const files = [{ name, bytes: `of ${who} in ${where}`, mimeType: 'text/markdown' }]
    const channel = channelOf(who, where)
    const { id } = discord.say({ user: who, channel, direct: where === 'direct', files })
    if (may === 'nothing') return refusedSilently(who, where, 'drop', id)
    const receipt = await discord.until(() => {
      const shown = replyTo(channel, id)
      return shown?.text.includes('ready') === true && shown
    })
    expect(receipt.text).toContain(name)
  },
  async press(who, where, may) {
    const answer =
      where === 'direct'
        ? (await answerTo(channelOf(who, where), await ask(who, where))).id
        : (answers.get(where) ?? 'none')
    const before = seenBy(who, where).length
    expect(await discord.pressButton(answer, '👍', who).acknowledged).toBe(true)
    const said = await discord.until(() => seenBy(who, where).slice(before).at(-1))
    expect(said.text).toMatch(may === 'nothing' ? REFUSED : /^Thanks/)
  },
  async command(who, where, may) {
    const channel = channelOf(who, where)
    const before = seenBy(who, where).length
    // Settings are not offered in direct conversations.
    const call =
      where === 'direct'
        ? discord.callCommand('usage', { user: who, channel })
        : discord.callCommand('settings', { user: who, channel, options: { change: 'answers usual' } })
    expect(await call.acknowledged).toBe(true)
    const said = await discord.until(() => {
      const newest = seenBy(who, where).slice(before).at(-1)
      return newest !== undefined && newest.text !== '' && newest
    })
    const own = where === 'direct' ? /./ : /Mentions and follow-ups/
    expect(said.text).toMatch(may === 'manage' ? own : may === 'read' ? /Only somebody who administers/ : REFUSED)
  },
}

describe.each(ACTS)('what comes of it: %s', (act) => {
  test.each(CELLS)('%s, %s (%s)', async (who, where, may) => {
    await expect(CHECK[act](who, where, may)).resolves.toBeUndefined()
  })
})

describe('a file of somebody else', () => {
  test.each(CELLS.filter(([, where, may]) => where === 'public' && may !== 'nothing'))(
    '%s, %s (%s): is forgotten by who manages',
    async (who, where, may) => {
      const channel = channelOf(who, where)
      const name = `kept from ${who}.md`
      const files = [{ name, bytes: `kept from ${who}`, mimeType: 'text/markdown' }]
      const drop = discord.say({ user: 'owner', channel, files })
      await discord.until(() => replyTo(channel, drop.id)?.text.includes('ready') === true)
      const said = discord.say({ user: who, channel, text: `forget ${name}`, mention: true })
      // A refusal is seen by its person alone, since their press allows that.
      const refusal = () => seenBy(who, where).find(({ text }) => text.includes('owner') && text.includes('dropped'))
      const reply = await discord.until(() => replyTo(channel, said.id) ?? refusal(), 10_000)
      expect(reply.buttons.length > 0).toBe(may === 'manage')
    },
  )
})
