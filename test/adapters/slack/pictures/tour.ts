/**
 * Draws the moving picture of README.md: a file is dropped, becomes ready, a question is answered, and the passage is
 * opened. The real adapter and bridge talk to the double; each state that it got is one picture. Needs ffmpeg.
 * `node test/adapters/slack/pictures/tour.ts [file]`
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { argv } from 'node:process'
import { chromium } from 'playwright-core'
import { createBridge } from '#bridge/bridge.ts'
import { openStore } from '#store/store.ts'
import { createSlackAdapter } from '#adapters/slack/adapter.ts'
import { startSlackDouble } from '#test/doubles/slack/double.ts'
import { findChromium } from '#test/support/chromium.ts'
import { findFfmpeg } from '#test/support/speech.ts'
import { createFakePlatform } from '#test/support/fakes/platform.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { linesOf, pageOf, talkHtml } from './page.ts'

const LEAVE = 'Every employee is entitled to 28 days of annual leave per calendar year, in addition to public holidays.'
const CARRIED = 'Up to five unused days may be carried over and expire on 31 March of the following year.'
const WORDS =
  'You have 28 days a year, besides public holidays. [RREF1] Up to five can be carried over, until 31 March. [RREF1]'
const CITED = `\n${'-'.repeat(41)}\nReferences:\n\n[RREF1] handbook.md (0.135)\n${LEAVE} ${CARRIED}\n`
const SIZE = { width: 760, height: 520 }

/** One picture and how long it is shown. */
interface Frame {
  readonly html: string
  readonly seconds: number
}

async function play(): Promise<readonly Frame[]> {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-tour-'))
  const slack = await startSlackDouble()
  const store = openStore(directory)
  const platform = createFakePlatform()
  const { botToken, appToken, apiUrl } = slack
  const log = createLogSink()
  const fileHosts = ['127.0.0.1:*']
  const adapter = createSlackAdapter({ botToken, appToken, apiUrl, fileHosts, appendIntervalMs: 0, log })
  const bridge = createBridge({ adapters: [adapter], platform, store, log })
  await bridge.start()
  const ada = slack.addUser({ name: 'Ada', locale: 'en-GB', owner: true }).id
  const channel = slack.addChannel({ name: 'team-people', creator: ada })
  slack.workspace.channel(channel).members.add(ada)
  const frames: Frame[] = []
  const take = (seconds: number, open = false) => {
    const html = `<div class="${open ? 'open' : ''}">${talkHtml('# team-people', linesOf(slack, channel))}</div>`
    if (frames.at(-1)?.html !== html) frames.push({ html, seconds })
  }
  const watch = (what: RegExp) =>
    slack.until(() => {
      take(0.7)
      return slack.transcript(channel).some(({ own, text, streaming }) => own && !streaming && what.test(text))
    }, String(what))
  const bytes = `# Employee handbook\n\n## 2. Annual leave\n\n${LEAVE} ${CARRIED}`
  platform.script.slowIndex()
  slack.say({ channel, user: ada, files: [slack.hostFile(bytes, 'handbook.md', 'text/markdown')] })
  take(1.2)
  await watch(/handbook\.md/)
  const [collection = ''] = await slack.until(
    () => platform.script.collections().length > 0 && platform.script.collections(),
    'a collection',
  )
  await slack.until(() => {
    take(0.7)
    return platform.script.stored(collection).length > 0
  }, 'an upload')
  platform.script.finishIndex(collection)
  await watch(/handbook\.md.*ready/)
  take(1.5)
  platform.script.answer([
    ...WORDS.split(/(?<=\. )/).map((text) => ({ type: 'text', text }) as const),
    { type: 'text', text: CITED },
    { type: 'finish', reason: 'stop' },
  ])
  slack.say({ channel, user: ada, text: 'How much leave do we have?', mention: true })
  take(1.2)
  await watch(/28 days[^]*👍/)
  take(2)
  take(3.5, true)
  await bridge.stop(0)
  await slack.close()
  store.close()
  rmSync(directory, { recursive: true })
  return frames
}

const target = resolve(argv[2] ?? 'docs/slack/tour.gif')
const frames = await play()
const folder = mkdtempSync(join(tmpdir(), 'footbridge-tour-'))
const browser = await chromium.launch({ ...findChromium(), args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: SIZE })
const listed: string[] = []
for (const [index, { html, seconds }] of frames.entries()) {
  const path = join(folder, `${index}.png`)
  await page.setContent(pageOf(html, 'light'))
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await page.screenshot({ path })
  listed.push(`file '${path}'`, `duration ${seconds}`)
}
await browser.close()
// The last picture counts only where it is named twice.
writeFileSync(join(folder, 'list'), [...listed, listed.at(-2)].join('\n'))
const palette =
  'split[a][b];[a]palettegen=max_colors=64:stats_mode=diff[p];[b][p]paletteuse=dither=none:diff_mode=rectangle'
execFileSync(findFfmpeg() ?? 'ffmpeg', [
  '-v',
  'error',
  '-y',
  '-f',
  'concat',
  '-safe',
  '0',
  '-i',
  join(folder, 'list'),
  '-vf',
  `fps=10,${palette}`,
  target,
])
rmSync(folder, { recursive: true })
