/** Draws the pictures of docs/discord.md: `npm run pictures`. */
import { mkdirSync } from 'node:fs'
import { pageOf } from '../doubles/discord/page.ts'
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

const platform = await withUpstream({ answerBy: createReader([], []) })
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
const last = discord.transcript(channel.id).at(-1)?.id ?? ''
await ada.calls('ask', { options: { question: 'When does the ferry to the island leave?' } })
await ada.sees(/9:40/, ({ only }) => only === 'Ada')
await ada.calls('files')
await ada.sees(/1 file/)
await ada.calls('settings')
await ada.sees(/Mentions and follow-ups/)
await ada.calls('forget', { options: { file: 'handbook.md' } })
await ada.sees(/handbook/, ({ buttons }) => buttons.includes('Forget it'))

mkdirSync(FOLDER, { recursive: true })
const browser = await launchBrowser()
for (const look of ['light', 'dark'] as const) {
  const pictures = {
    channel: pageOf(discord, channel.id, look, ({ only }) => only === undefined),
    commands: pageOf(discord, channel.id, look, ({ id, only }) => only === 'Ada' && BigInt(id) > BigInt(last)),
  }
  for (const [name, html] of Object.entries(pictures)) {
    const { page } = await openPage(browser, 'about:blank', { viewport: { width: 760, height: 400 } })
    await page.setContent(html)
    await page.screenshot({ path: `${FOLDER}/discord-${name}-${look}.png`, fullPage: true })
  }
}
await browser.close()
await footbridge.close()
await workspace.close()
await platform.close()
