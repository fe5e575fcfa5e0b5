/** Draws the pictures of docs/discord.md: `npm run pictures`, or some of them: `npm run pictures -- receipts forum`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import { startUpstreamDouble } from '#test/doubles/upstream/double.ts'
import { createReader } from '#test/scenarios/reader.ts'
import { startFootbridge } from '#test/support/footbridge.ts'
import { openDiscord } from '#test/support/people/discord.ts'
import { launchBrowser, openPage } from '../support/browser.ts'
import { type Pictures, playAll } from './scenes.ts'
import { setUp } from './set-up.ts'
import { toSmallPng } from './small-png.ts'
import { RULES } from './texts.ts'

const FOLDER = 'docs/pictures'
const wanted = argv.slice(2)
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)
const apiKey = 'upstream-key-0123456789'
const upstream = await startUpstreamDouble({
  apiKey,
  models: ['llama3.3', 'mistral-small', 'whisper-1'],
  answerBy: createReader(['From which pier does the ferry leave?'], RULES),
})
const workspace = await openDiscord()
const footbridge = await startFootbridge({
  ...workspace.env,
  UPSTREAM_BASE_URL: upstream.baseUrl,
  UPSTREAM_API_KEY: apiKey,
  UPSTREAM_CHAT_MODEL: 'llama3.3',
  UPSTREAM_TRANSCRIPTION_MODEL: 'whisper-1',
  BUDGET_PERSON: 'questions=40/hour,minutes=60/day',
})
let pictures: Pictures
try {
  const talks = await playAll(workspace, wanted)
  pictures = isWanted('set-up') ? { ...talks, ...(await setUp()) } : talks
} finally {
  await footbridge.close()
  await workspace.close()
  await upstream.close()
}

mkdirSync(FOLDER, { recursive: true })
const browser = await launchBrowser()
for (const [name, looks] of Object.entries(pictures)) {
  for (const [look, html] of Object.entries(looks)) {
    const { page } = await openPage(browser, 'about:blank', { viewport: { width: 760, height: 60 } })
    await page.setContent(html)
    const { width, height } = (await page.locator('body').boundingBox()) ?? { width: 760, height: 60 }
    await page.setViewportSize({ width: Math.ceil(width), height: Math.ceil(height) })
    writeFileSync(`${FOLDER}/discord-${name}-${look}.png`, toSmallPng(await page.screenshot()))
    await page.close()
  }
}
await browser.close()
