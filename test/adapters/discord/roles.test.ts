/** Rights that administrators give to a role, in each kind of channel: one test a cell. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAY, openPolicyWorld, PEOPLE, REFUSED, type Right, SHARED, type Where, type Who } from './policy-world.ts'

const world = await openPolicyWorld()
const { discord, crew, places, idOf, replyTo, refusedSilently, seenBy } = world
afterAll(() => world.close())

const REMOVERS = 'Roles that may remove files of others'
const CHANGERS = 'Roles that may change these settings'

async function callSettings(who: Who, where: Where) {
  const before = seenBy(who, where).length
  discord.callCommand('settings', { user: who, channel: idOf(where) })
  return discord.until(() =>
    seenBy(who, where)
      .slice(before)
      .find(({ text }) => text !== ''),
  )
}

async function openPanel(who: Who, where: Where) {
  const shown = await callSettings(who, where)
  discord.pressButton(shown.id, shown.buttons[0] ?? '', who)
  return discord.until(() => {
    const newest = seenBy(who, where).at(-1)
    return newest?.panel === true && newest.id !== shown.id && newest
  })
}

async function choose(who: Who, where: Where, panel: string, label: string) {
  const before = seenBy(who, where).length
  discord.choose(panel, label, who, [crew])
  return (await discord.until(() => seenBy(who, where).slice(before).at(-1))).text
}

/** An act of a person with rights by a role; `may`: their right without it. */
interface Left {
  readonly who: Who
  readonly where: Where
  readonly may: Right
  readonly isEntrusted: boolean
}

async function changes({ who, where, may, isEntrusted }: Left, label: string) {
  if (may === 'nothing') return REFUSED.test((await callSettings(who, where)).text)
  const panel = await openPanel(who, where)
  if (may === 'read' && who !== 'role') return panel.menus?.length === 0 && panel.text.includes('administers')
  const told = await choose(who, where, panel.id, label)
  return told.includes(isEntrusted ? 'are saved' : 'Only somebody who administers')
}

/** Who was told in which channel that they may not add files; nobody is told twice, in its threads neither. */
const toldIn = new Set<string>()

/** True: it ended as it should. */
const LEFT: Readonly<Record<string, (left: Left) => Promise<boolean>>> = {
  async drop({ who, where, may, isEntrusted }) {
    const name = `left to ${who} in ${where}`
    const before = seenBy(who, where).length
    const files = [{ name: `${name}.md`, bytes: name, mimeType: 'text/markdown' }]
    const { id } = discord.say({ user: who, channel: idOf(where), files })
    const telling = `${who} ${places.get(where)?.channel}`
    if (may === 'nothing' || toldIn.has(telling)) await refusedSilently(who, where, 'drop', id)
    else {
      if (!isEntrusted) toldIn.add(telling)
      await discord.until(() => {
        const shown = replyTo(idOf(where), id) ?? seenBy(who, where).slice(before).at(-1)
        return shown?.text.includes(isEntrusted ? 'ready' : 'Only those who administer')
      })
    }
    return true
  },
  async forget({ who, where, may, isEntrusted }) {
    const channel = idOf(where)
    const name = `of the owner for ${who} in ${where}.md`
    const drop = discord.say({ user: 'owner', channel, files: [{ name, bytes: name, mimeType: 'text/markdown' }] })
    await discord.until(() => replyTo(channel, drop.id)?.text.includes('ready'))
    const before = seenBy(who, where).length
    const said = discord.say({ user: who, channel, text: `forget ${name}`, mention: true })
    if (may === 'nothing') {
      await refusedSilently(who, where, 'command', said.id)
      return true
    }
    const refusal = () =>
      seenBy(who, where)
        .slice(before)
        .find(({ text }) => text.includes('dropped'))
    const reply = await discord.until(() => replyTo(channel, said.id) ?? refusal(), 10_000)
    return reply.buttons.length > 0 === isEntrusted
  },
  configure: async (left) => changes(left, REMOVERS),
  // Who configures by a role can't choose the roles that do.
  appoint: async (left) => changes({ ...left, isEntrusted: left.may === 'manage' }, CHANGERS),
}

describe.each(SHARED)('what was left to a role: %s', (where) => {
  let said = ''
  beforeAll(async () => {
    const panel = await openPanel('owner', where)
    for (const label of [REMOVERS, CHANGERS]) await choose('owner', where, panel.id, label)
    said = await choose('owner', where, panel.id, 'Roles that may add files')
  })

  test('is told, and stands in the panel', async () => {
    expect(said).toMatch(/Who may add files: \*\*Administrators of the channel\*\*/)
    expect(said).toMatch(/Roles that may add files: \*\*crew\*\* and those who administer/)
    expect((await openPanel('owner', where)).menus?.slice(-3)).toEqual(['crew', 'crew', 'crew'])
  })

  test.each(Object.keys(LEFT).flatMap((act) => PEOPLE.map((who) => [act, who, MAY[where][who]] as const)))(
    '%s: %s (%s)',
    async (act, who, may) => {
      expect(await LEFT[act]?.({ who, where, may, isEntrusted: may === 'manage' || who === 'role' })).toBe(true)
    },
  )
})
