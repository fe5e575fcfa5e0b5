/** One person's view of an answer and of the settings, with the whole bridge on the real adapter. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDiscordAdapter } from '#adapters/discord/adapter.ts'
import { createBridge } from '#bridge/bridge.ts'
import { openStore } from '#store/store.ts'
import { type DiscordDouble, startDiscordDouble } from '#test/doubles/discord/discord-double.ts'
import { eventually } from '#test/support/eventually.ts'
import { createFakePlatform } from '#test/support/fakes/platform.ts'
import { createLog } from './harness.ts'

async function scene() {
  const discord = await startDiscordDouble({ locale: 'en-GB', limits: { edits: Infinity } })
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-panels-'))
  const store = openStore(folder)
  const platform = createFakePlatform()
  const { log } = createLog()
  const { token, apiUrl } = discord
  const times = { editPaceMs: 1, editWindowMs: 5 }
  const adapter = createDiscordAdapter({ token, apiUrl, fileHosts: [discord.fileHost], log, times })
  const bridge = createBridge({ adapters: [adapter], platform, store, log, indexing: { pollMs: [2, 5] } })
  onTestFinished(async () => {
    await bridge.stop(0)
    await discord.close()
    store.close()
    rmSync(folder, { recursive: true })
  })
  await bridge.start()
  const seen = () => discord.transcript(discord.channel)
  const replyTo = (id: string) => seen().findLast((entry) => entry.bot && entry.replyTo === id)
  const alone = (name: string) => seen().filter(({ only }) => only === name)
  return { discord, platform, store, seen, replyTo, alone }
}

const FACT = 'The ferry to the island leaves at 9:40 from pier seven, in winter only at weekends.'

test('the passages of an answer are shown whole, to who asks for them alone, in a panel', async () => {
  const { discord, platform, replyTo, alone } = await scene()
  const more = Array.from({ length: 30 }, (_, index) => `Sentence ${index} is about the pier @everyone <@1>.`).join(' ')
  const bytes = `# Ferry\n\n${FACT} ${more}`
  const drop = discord.say({ files: [{ name: 'ferry.md', bytes, mimeType: 'text/markdown' }] })
  await discord.until(() => replyTo(drop.id)?.text.includes('ready') === true)
  platform.script.answer(`It leaves at 9:40 [RREF1].\n\nReferences:\n\n[RREF1] ferry.md (0.900)\n${FACT} ${more}`)
  const question = discord.say({ user: 'Ben', mention: true, text: 'When does the ferry leave?' })
  const answer = await discord.until(() => {
    const shown = replyTo(question.id)
    return shown?.buttons.includes('Passages') === true && shown
  })
  expect(answer.text).not.toContain('Sentence 29')
  expect(await discord.pressButton(answer.id, 'Passages', 'Cleo').acknowledged).toBe(true)
  const [panel] = await discord.until(() => alone('Cleo').length > 0 && alone('Cleo'))
  expect(panel).toMatchObject({ panel: true })
  expect(panel?.text).toMatch(/^\*\*\[1\] ferry\.md\*\*/)
  expect(panel?.text).toContain('Sentence 29 is about the pier')
  expect(discord.pings.filter(({ messageId }) => messageId === panel?.id)).toEqual([])
  expect(alone('Ben')).toEqual([])
})

test('so are passages that may help, where none answers', async () => {
  const { discord, platform, replyTo, alone } = await scene()
  const more = Array.from({ length: 30 }, (_, index) => `Sentence ${index} is about the pier.`).join(' ')
  const bytes = `# Ferry\n\n${FACT} ${more}`
  const drop = discord.say({ files: [{ name: 'ferry.md', bytes, mimeType: 'text/markdown' }] })
  await discord.until(() => replyTo(drop.id)?.text.includes('ready') === true)
  platform.script.answer(`NOT_IN_FILES\n\nReferences:\n\n[RREF1] ferry.md (0.900)\n${FACT} ${more}`)
  const question = discord.say({ user: 'Ben', mention: true, text: 'Do cats travel?' })
  const answer = await discord.until(() => {
    const shown = replyTo(question.id)
    return shown?.text.includes('may help') === true && shown
  })
  expect(answer.text).toMatch(/\[1\]\n\n-# \[1\] \*\*ferry\.md\*\*/)
  expect(answer.buttons).toEqual(['Ask a person', '👍', '👎', 'Passages'])
  expect(await discord.pressButton(answer.id, 'Passages', 'Ben').acknowledged).toBe(true)
  const [panel] = await discord.until(() => alone('Ben').length > 0 && alone('Ben'))
  expect(panel?.text).toContain('Sentence 29 is about the pier')
})

test('an answer that is being written is stopped by who asked, and by nobody else', async () => {
  const { discord, platform, replyTo, alone } = await scene()
  const never = new Promise(() => {})
  platform.script.answer([{ type: 'text', text: 'The ferry leaves at nine' }, never])
  const question = discord.say({ user: 'Ben', mention: true, text: 'When does the ferry leave?' })
  const growing = await discord.until(() => replyTo(question.id))
  expect(growing.buttons).toEqual(['Stop'])
  discord.pressButton(growing.id, 'Stop', 'Cleo')
  await discord.until(() => alone('Cleo').at(-1)?.text.startsWith('Only the person who asked'))
  expect(replyTo(question.id)?.buttons).toEqual(['Stop'])
  discord.pressButton(growing.id, 'Stop', 'Ben')
  const stopped = await discord.until(() => {
    const shown = replyTo(question.id)
    return shown?.buttons.includes('Stop') === false && shown
  })
  expect(stopped.text).toMatch(/^The ferry leaves at nine[^]*Stopped/)
})

const POST = 'POST /channels/:channel/messages'

/** Until the returned function is called, Footbridge does not learn that its next message was posted. */
function holdAnswerOfPost(discord: DiscordDouble): () => void {
  const told = Promise.withResolvers<void>()
  discord.script(POST, { kind: 'hold', until: told.promise, afterCommit: true })
  return told.resolve
}

test('an answer is stopped by a press that is faster than the record of its message', async () => {
  const { discord, platform, replyTo, store } = await scene()
  platform.script.answer([{ type: 'text', text: 'The ferry leaves at nine' }, new Promise(() => {})])
  const tell = holdAnswerOfPost(discord)
  const question = discord.say({ user: 'Ben', mention: true, text: 'When does the ferry leave?' })
  const growing = await discord.until(() => replyTo(question.id))
  expect(await discord.pressButton(growing.id, 'Stop', 'Ben').acknowledged).toBe(true)
  await eventually(async () => (await store.inbox.depth()).running === 1)
  tell()
  const stopped = await discord.until(() => replyTo(question.id)?.text.includes('Stopped') && replyTo(question.id))
  expect(stopped).toMatchObject({ buttons: expect.not.arrayContaining(['Stop']) })
})

test('a reply to an answer that is just being shared goes on with it', async () => {
  const { discord, platform, store, seen, alone } = await scene()
  platform.script.answer('It leaves at nine.', 'In winter at ten.')
  discord.callCommand('ask', { user: 'Ben', options: { question: 'When does the ferry leave?' } })
  const own = await discord.until(() => alone('Ben').find(({ buttons }) => buttons.includes('Share in channel')))
  const tell = holdAnswerOfPost(discord)
  discord.pressButton(own.id, 'Share in channel', 'Ben')
  const shared = await discord.until(() => seen().find(({ bot, only }) => bot && only === undefined))
  const reply = discord.say({ user: 'Cleo', text: 'And in winter?', replyTo: shared.id })
  await eventually(() => store.inbox.job(`discord:${discord.channel}:${reply.id}`))
  tell()
  await discord.until(() => seen().some((entry) => entry.replyTo === reply.id && entry.text.includes('at ten')))
  expect(JSON.stringify(platform.script.requests.at(-1)?.messages)).toContain('It leaves at nine')
})

test('no message of a long answer keeps the button that stops it', async () => {
  const { discord, platform, seen } = await scene()
  const text = Array.from({ length: 120 }, (_, index) => `Line ${index} of the timetable, with some words.\n\n`)
  platform.script.answer(text.map((piece) => ({ type: 'text', text: piece })))
  discord.say({ user: 'Ben', mention: true, text: 'Read me the timetable.' })
  const shown = await discord.until(
    () => seen().at(-1)?.buttons.includes('👍') === true && seen().filter(({ bot }) => bot),
  )
  expect(shown.length).toBeGreaterThan(2)
  expect(shown.flatMap(({ buttons }) => buttons)).not.toContain('Stop')
  expect(shown.map((entry) => entry.text).join('\n')).toContain('Line 119 of')
})

test('settings are menus for who manages the channel, saved with each choice; others are told why not', async () => {
  const { discord, alone } = await scene()
  const open = async (user: string) => {
    discord.callCommand('settings', { user })
    const shown = await discord.until(() => alone(user).find(({ buttons }) => buttons.length > 0))
    discord.pressButton(shown.id, shown.buttons[0] ?? '', user)
    return discord.until(() => alone(user).find(({ panel }) => panel === true))
  }
  const panel = await open('owner')
  expect(panel.menus).toContain('Mentions and follow-ups')
  discord.choose(panel.id, 'Every question that the files answer', 'owner')
  await discord.until(() => alone('owner').at(-1)?.text.includes('saved') === true)
  discord.callCommand('settings', { user: 'owner' })
  await discord.until(() => alone('owner').at(-1)?.text.includes('**Every question that the files answer**') === true)
  expect(panel.text).toContain('To admit one program, mention it or write its id: `access bots @name ask`.')
  expect(panel.text).not.toContain('Programs that may')
  const refused = await open('ana')
  expect(refused.menus).toEqual([])
  expect(refused.text).toContain('administers')
})

test('the panel of settings names the programs that were admitted', async () => {
  const { discord, store, alone } = await scene()
  const programs = '{"programs":{"123456789012345678":"all"}}'
  await store.preferences.set(`discord:${discord.guildId}:${discord.channel}`, 'settings', programs)
  discord.callCommand('settings', { user: 'owner' })
  const shown = await discord.until(() => alone('owner').find(({ buttons }) => buttons.length > 0))
  discord.pressButton(shown.id, shown.buttons[0] ?? '', 'owner')
  const panel = await discord.until(() => alone('owner').find((entry) => entry.panel === true))
  expect(panel.text).toMatch(
    /Programs that may ask or add files[^\n]*: \*\*123456789012345678 all\*\*\n-# To admit one program/,
  )
})

test('what an age-restricted channel knows is asked nowhere else, and linked only by who insists', async () => {
  const { discord, platform } = await scene()
  const adults = discord.addChannel('adults', { nsfw: true })
  const direct = discord.directChannelOf('owner')
  const newest = (channel: string) => discord.transcript(channel).findLast(({ bot }) => bot)
  const ask = async (channel: string, text: string) => {
    const isDirect = channel === direct
    const { id } = discord.say({ user: 'owner', channel, direct: isDirect, mention: !isDirect, text })
    const shown = () => discord.transcript(channel).find(({ bot, replyTo }) => bot && replyTo === id)
    const settled = () => shown()?.buttons.includes('Stop') === false && shown()?.text !== '' && shown()
    return discord.until(settled)
  }
  const files = [{ name: 'bar.md', bytes: '# Bar\n\nThe bar opens at nine.', mimeType: 'text/markdown' }]
  discord.say({ user: 'owner', channel: adults, files })
  await discord.until(() => newest(adults)?.text.includes('ready'))
  await ask(adults, 'When does the bar open?')
  const asked = () => platform.script.requests.map(({ collection }) => collection)
  const [own] = asked()
  expect(own).toEqual(expect.any(String))
  await ask(discord.channel, 'When does the bar open?')
  expect((await ask(direct, `ask in <#${adults}> When does the bar open?`)).text).toContain('age-restricted')
  await ask(direct, 'When does the bar open?')
  expect(asked().filter((collection) => collection === own)).toHaveLength(1)

  const offered = await ask(discord.channel, `link <#${adults}>`)
  discord.pressButton(offered.id, 'Link', 'owner')
  await discord.until(() => newest(discord.channel)?.text.includes('#adults is open to fewer people'))
})
