/**
 * Draws the pictures of docs/slack.md: the real adapter and bridge talk to the double, and what it got is laid out in a
 * page that looks like Slack. `node test/adapters/slack/pictures/draw.ts <folder>`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { argv } from 'node:process'
import { chromium } from 'playwright-core'
import { createBridge } from '#bridge/bridge.ts'
import type { MessageRef } from '#bridge/port/message.ts'
import { openStore } from '#store/store.ts'
import { createSlackAdapter } from '#adapters/slack/adapter.ts'
import { startSlackDouble, type SlackDouble } from '#test/doubles/slack/double.ts'
import { findChromium } from '#test/support/chromium.ts'
import { createFakePlatform } from '#test/support/fakes/platform.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { renderPage } from '#adapters/slack/workspaces/install-page.ts'
import { pictureOf, referencePane } from './reference-pane.ts'
import { besideHtml, homeHtml, linesOf, modalHtml, pageOf, promptsHtml, talkHtml } from './page.ts'

const MOLE = 'The north mole is closed from November to March.'
const CITED = `It is closed from November to March. [RREF1]\n${'-'.repeat(41)}\nReferences:\n\n[RREF1] mole.md (0.135)\n${MOLE}\n`

const SUMS = [
  'Computed from all 12 rows of mole.md:\n\n**Sum of Cost by Harbour**\n',
  '| Harbour | Sum of Cost |\n|---|---:|',
  '| Bergen | £16,900 [RREF1] |\n| Ålesund | £12,450 |\n| Oban | £7,300 |\n| Leith | £2,180 |\n',
  `${'-'.repeat(41)}\nReferences:\n\n[RREF1] mole.md (0.135)\n${MOLE}\n`,
].join('\n')

const PROGRAM = [
  'This program opens the mole when the tide allows it. [RREF1]\n\n```python',
  ...Array.from(
    { length: 220 },
    (_, hour) => `if tide(hour=${hour}) > 2.5 and not closed(month=${(hour % 12) + 1}):  # metres`,
  ),
  `\`\`\`\n\n${'-'.repeat(41)}\nReferences:\n\n[RREF1] mole.md (0.135)\n${MOLE}\n`,
].join('\n')

const ADDRESS = 'https://footbridge.example.org/#ferry/1'
const FILE_ADDRESS = 'https://footbridge.example.org/#ferry/2'

/** The newest answer of Footbridge in this channel. */
function refOf(slack: SlackDouble, channel: string): MessageRef {
  const { ts = '' } = slack.transcript(channel).findLast(({ own }) => own) ?? {}
  return { conversation: { adapter: 'slack', workspace: slack.teamId, channel, direct: false }, id: ts }
}

/** Somebody writes an address and opens its card. */
async function paste(slack: SlackDouble, { channel, user, url }: Readonly<Record<'channel' | 'user' | 'url', string>>) {
  slack.workspace.flexpanes.delete(user)
  const { ts } = slack.say({ channel, user, text: `Here it is: ${url}` })
  const link = { type: 'link_shared', channel, user, message_ts: ts, is_bot_user_member: true, event_ts: ts }
  slack.sendEvent({ ...link, links: [{ domain: 'footbridge.example.org', url }] })
  const cards = await slack.until(() => slack.workspace.message(channel, ts)?.entities, 'a Work Object')
  slack.openCard({ channel, ts, user })
  return { cards, pane: await slack.until(() => slack.workspace.flexpanes.get(user), 'a pane') }
}

async function play(slack: SlackDouble): Promise<ReadonlyMap<string, string>> {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-pictures-'))
  const store = openStore(directory)
  const platform = createFakePlatform()
  const log = createLogSink()
  const adapter = createSlackAdapter({
    botToken: slack.botToken,
    appToken: slack.appToken,
    apiUrl: slack.apiUrl,
    fileHosts: ['127.0.0.1:*'],
    appendIntervalMs: 0,
    workObjects: true,
    publicUrl: 'https://footbridge.example.org',
    pictureOf,
    log,
  })
  let answer: MessageRef | undefined
  let drop: MessageRef | undefined
  const budgets = { person: [{ kind: 'questions', most: 40, span: 'hour' } as const] }
  const bridge = createBridge({
    // Each picture shows one thing: the bridge makes no cards of its own.
    adapters: [
      {
        ...adapter,
        messageAt: async (url) => (url === ADDRESS ? answer : drop),
        app: adapter.app && { ...adapter.app, opensReferences: false },
      },
    ],
    platform,
    store,
    log,
    budgets,
  })
  await bridge.start()
  const ada = slack.addUser({ name: 'Ada', locale: 'en-GB', owner: true }).id
  const gus = slack.addUser({ name: 'Gus', locale: 'en-GB', guest: 'single' }).id
  const channel = slack.addChannel({ name: 'ferry', creator: ada })
  const direct = slack.addChannel({ kind: 'im' })
  slack.workspace.channel(channel).members.add(ada).add(gus)
  slack.workspace.channel(direct).members.add(ada)
  const sees = (pattern: RegExp) =>
    slack.until(
      () => slack.transcript(channel).findLast(({ own, text, streaming }) => own && !streaming && pattern.test(text)),
      String(pattern),
    )
  const pictures = new Map<string, string>()
  let from = 0
  const talk = (name: string, title = '# ferry') => {
    const lines = linesOf(slack, channel, from)
    from += lines.length
    pictures.set(name, talkHtml(title, lines))
  }
  const file = (name: string, text: string) => slack.hostFile(text, name, 'text/markdown')
  const dropped = slack.say({ channel, user: ada, files: [file('mole.md', `# The north mole\n\n${MOLE}`)] })
  await sees(/mole\.md.*ready/)
  platform.script.answer(CITED)
  slack.say({ channel, user: ada, text: 'When is the mole closed?', mention: true })
  await sees(/November to March[^]*👍/)
  talk('answer')
  answer = refOf(slack, channel)
  drop = { ...answer, id: dropped.ts }
  slack.pressButton({ channel, user: ada, button: '👎', ts: answer.id })
  pictures.set('reason', modalHtml((await slack.until(() => slack.dialog(ada), 'a dialog')).view))
  slack.submitDialog(ada, '', ['outdated'])
  await sees(/^Thanks, noted/)
  from = linesOf(slack, channel).length
  for (const [name, url] of [
    ['beside', ADDRESS],
    ['file', FILE_ADDRESS],
  ] as const) {
    const { cards, pane } = await paste(slack, { channel, user: ada, url })
    const lines = linesOf(slack, channel, from)
    from += lines.length
    pictures.set(name, besideHtml(talkHtml('# ferry', lines), cards, pane))
  }
  const talkOfPane = talkHtml('Thread', linesOf(slack, channel, 2).slice(0, 2))
  const paneOf = await referencePane({ slack, adapter, store }, answer, { user: ada, talk: talkOfPane })
  pictures.set('reference', paneOf)
  from = linesOf(slack, channel).length
  platform.script.answer(SUMS)
  slack.say({ channel, user: ada, text: 'Total cost by harbour?', mention: true })
  await sees(/Bergen[^]*👍/)
  talk('table')
  const heard = () => slack.transcript(channel).filter(({ text }) => /November[^]*👍/.test(text)).length
  const before = heard()
  platform.script.transcribe('When is the mole closed?')
  platform.script.answer(CITED)
  slack.say({ channel, user: ada, files: [slack.hostVoice('sound')] })
  await sees(/🎙️/)
  await slack.until(() => heard() > before, 'an answer')
  talk('voice')
  platform.script.answer(PROGRAM)
  slack.say({ channel, user: ada, text: 'Which program opens the mole?', mention: true })
  await sees(/more lines/)
  await slack.until(
    () => slack.workspace.messages.some(({ files }) => files.some(({ name }) => name === 'code.py')),
    'a file',
  )
  talk('long')
  const lost = Array.from({ length: 5 }, (_, index) => file(`plan-${index + 1}.md`, `# Plan ${index}`))
  for (const { id } of lost) slack.script(`file:${id}`, ...Array.from({ length: 9 }, () => ({ status: 500 })))
  slack.say({ channel, user: ada, files: [...lost, file('crane.md', '# The crane\n\nIt lifts 12 tons.')] })
  await sees(/\[Retry all\]/)
  talk('receipt')
  platform.script.answer('NOT_IN_FILES')
  slack.say({ channel, user: ada, text: 'Who paints the mole?', mention: true })
  await sees(/\[Ask a person\]/)
  slack.say({ channel, user: gus, text: 'And when does it open?', mention: true })
  await sees(/Guests may not/)
  talk('refused')
  platform.script.answer(CITED)
  slack.command({ channel, user: ada, text: 'ask When is the mole closed?' })
  await sees(/\[Share in channel\]/)
  slack.command({ channel, user: ada, text: 'settings' })
  await sees(/\[Change settings\]/)
  talk('command')
  slack.workspace.channel(channel).shared = true
  // The bridge looks at a channel again after half a minute.
  const { now } = Date
  Date.now = () => now() + 60_000
  slack.say({ channel, user: ada, text: 'When is the mole closed?', mention: true })
  await sees(/More people can read/)
  talk('closed')
  slack.workspace.channel(channel).shared = false
  Date.now = () => now() + 120_000
  slack.openHome(ada)
  pictures.set('home', homeHtml(await slack.until(() => slack.workspace.homes.get(ada), 'a home')))
  slack.pressHome(ada, 'Settings of #ferry')
  await slack.until(() => slack.dialog(ada)?.view['submit'], 'a dialog')
  pictures.set('settings', modalHtml(slack.dialog(ada)?.view ?? {}))
  slack.lookAt(ada, channel)
  const shown = await slack.until(() => {
    const prompts = slack.callsOf('assistant.threads.setSuggestedPrompts').at(-1)?.args['prompts']
    return Array.isArray(prompts) && prompts.every((one) => !String(one.title).includes('#')) && prompts
  }, 'prompts')
  pictures.set('agent', promptsHtml(shown.map(({ title }) => String(title))))
  await bridge.stop(0)
  store.close()
  rmSync(directory, { recursive: true })
  return pictures
}

/** The page on which a workspace installs Footbridge, as a browser in this language gets it. */
const installPage = (page: 'begin' | 'done', language: string) =>
  renderPage(page, language, { start: '/', install: '/', name: 'Harbour Ltd', workspace: 'T1' }).html

const WIDTH = 760
const folder = resolve(argv[2] ?? 'docs/slack')
const slack = await startSlackDouble()
const pictures = await play(slack)
await slack.close()
const browser = await chromium.launch({ ...findChromium(), args: ['--no-sandbox'] })
for (const [name, html] of pictures) {
  for (const theme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width: WIDTH, height: 100 }, deviceScaleFactor: 1 })
    await page.setContent(pageOf(html, theme))
    await page.screenshot({ path: join(folder, `${name}-${theme}.png`), fullPage: true })
    await page.close()
  }
}
for (const [name, page, language] of [
  ['install', 'begin', 'en'],
  ['installed', 'done', 'de'],
] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const shown = await browser.newPage({ viewport: { width: WIDTH, height: 380 }, colorScheme })
    await shown.setContent(installPage(page, language))
    await shown.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) })
    await shown.close()
  }
}
await browser.close()
