/** Draws the pictures of docs/discord.md: `npm run pictures`. */
import { mkdirSync } from 'node:fs'
import { dialogOf, pageOf } from '../doubles/discord/page.ts'
import { createReader } from '../scenarios/reader.ts'
import { startFootbridge } from '../support/footbridge.ts'
import { openDiscord } from '../support/people/discord.ts'
import { createPerson } from '../support/people/person.ts'
import { withUpstream } from '../support/platforms.ts'
import { launchBrowser, openPage } from './support/browser.ts'

const FOLDER = 'docs/pictures'
const HARBOUR = `# Harbour handbook

The ferry to the island leaves at 9:40 from pier seven.

| ship | leaves | pier |
| --- | --- | --- |
| ferry | 9:40 | 7 |
| mail boat | 11:15 | 2 |
`

const SLOW = 'The ferry sails in April. The mail boat sails in March. '.repeat(9)
const platform = await withUpstream({ answerBy: createReader([], [[/Which boats sail/, SLOW, 400]]) })
const workspace = await openDiscord()
const footbridge = await startFootbridge({ ...workspace.env, ...platform.env })
const { discord } = workspace
const channel = await workspace.addChannel('harbour')
const [ada, ben] = [createPerson(workspace, 'Ada', channel), createPerson(workspace, 'Ben', channel)]

await ada.drops({ name: 'handbook.md', bytes: HARBOUR, mimeType: 'text/markdown' })
await ada.sees(/handbook\.md.*ready/)
await ben.asks('From which pier does the ferry leave?')
await ben.seesAnswer(/pier seven/)
await ben.asks('Who paints the lighthouse?')
await ben.seesAnswer(/found no passage|Not in this channel/)
const answer = discord.transcript(channel.id).find(({ buttons }) => buttons.includes('Passages'))?.id ?? ''
discord.pressButton(answer, 'Passages', 'Ben')
await ben.sees(/handbook\.md/, ({ only }) => only === 'Ben')
const why = discord.pressButton(answer, '👎', 'Ben')
await why.acknowledged
const dialog = why.modal()
if (dialog === undefined) throw new Error('👎 opened no dialog.')
const crew = discord.addRole(0n, 'Harbour crew')
discord.callCommand('settings', { user: 'owner', channel: channel.id })
const settings = await discord.until(() =>
  discord.transcript(channel.id).find(({ only, buttons }) => only === 'owner' && buttons.length > 0),
)
discord.pressButton(settings.id, settings.buttons[0] ?? '', 'owner')
const panels = () => discord.transcript(channel.id).filter(({ only, panel }) => only === 'owner' && panel)
const first = (await discord.until(() => panels()[0])).id
discord.choose(first, 'Roles that may remove files of others', 'owner', [crew])
await discord.until(() => discord.transcript(channel.id).at(-1)?.text.includes('saved'))
discord.pressButton(settings.id, settings.buttons[0] ?? '', 'owner')
await discord.until(() => panels()[1])
const voice = discord.say({ user: 'Ben', channel: channel.id, voice: { bytes: new Uint8Array(100), seconds: 4 } })
await discord.until(() => discord.transcript(channel.id).some(({ bot, replyTo }) => bot && replyTo === voice.id))
const last = discord.transcript(channel.id).at(-1)?.id ?? ''
await ada.calls('ask', { options: { question: 'When does the ferry to the island leave?' } })
await ada.sees(/9:40/, ({ only }) => only === 'Ada')
await ada.calls('files')
await ada.sees(/1 file/)
await ada.calls('settings')
await ada.sees(/Mentions and follow-ups/)
await ada.calls('forget', { options: { file: 'handbook.md' } })
await ada.sees(/handbook/, ({ buttons }) => buttons.includes('Forget it'))
discord.say({ user: 'Ada', channel: channel.id, mention: true, text: 'Which boats sail in spring?' })
await discord.until(() => /March.*April/.test(discord.transcript(channel.id).at(-1)?.text ?? ''))

mkdirSync(FOLDER, { recursive: true })
// All at one moment: an answer grows meanwhile.
const drawn = (['light', 'dark'] as const).map((look) => ({
  look,
  pictures: {
    channel: pageOf(discord, channel.id, look, ({ only }) => only === undefined),
    panels: pageOf(
      discord,
      channel.id,
      look,
      ({ id, only, panel }) => panel === true && only !== undefined && id !== first,
    ),
    dialog: dialogOf(dialog, look),
    commands: pageOf(discord, channel.id, look, ({ id, only }) => only === 'Ada' && BigInt(id) > BigInt(last)),
  },
}))
const browser = await launchBrowser()
for (const { look, pictures } of drawn) {
  for (const [name, html] of Object.entries(pictures)) {
    const { page } = await openPage(browser, 'about:blank', { viewport: { width: 760, height: 60 } })
    await page.setContent(html)
    await page.screenshot({ path: `${FOLDER}/discord-${name}-${look}.png`, fullPage: true })
  }
}
await browser.close()
await footbridge.close()
await workspace.close()
await platform.close()
