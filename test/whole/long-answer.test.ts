import { expect, test } from 'vitest'
import { createBrowser } from '../support/web/browser.ts'
import { openDiscordDesk } from '../support/whole/discord-desk.ts'
import { withUpstream } from '../support/whole/platforms.ts'
import { openSlackDesk } from '../support/whole/slack-desk.ts'
import { closeAtEnd, open } from '../support/whole/stage.ts'

let serial = 0
/** A mark that occurs once, so that nothing can be lost, doubled or moved unseen. */
const mark = () => `M${String((serial += 1)).padStart(4, '0')}`

const paragraph = () =>
  `The harbour office notes under ${mark()} that boats, people and goods pass the pier in good order, and ends with ${mark()}.`

const lines = (count: number, line: () => string) => Array.from({ length: count }, line).join('\n')

/** 20,000 characters: prose, a table of 70 rows, code of 160 lines, a list, more code right at the end. */
function longAnswer(): string {
  const parts = [
    `# Harbour report ${mark()}`,
    lines(20, () => `${paragraph()}\n`),
    `| berth | boat | length |\n|---|---|---:|\n${lines(70, () => `| ${mark()} | Ferry No. ${serial} | ${serial} m |`)}`,
    `Between table and code ${mark()}.`,
    `\`\`\`ts\n${lines(160, () => `const berth${serial} = moor('${mark()}') // keeps its line`)}\n\`\`\``,
    lines(20, () => `- an item ${mark()} of a list`),
  ]
  while (parts.join('\n\n').length < 19_700) parts.push(paragraph())
  parts.push(`~~~\nthe last words ${mark()}\n~~~`)
  return parts.join('\n\n')
}

const answer = longAnswer()
const marksOf = (text: string) => text.match(/\bM\d{4}\b/g) ?? []

/** Readable by itself: no code block is left open, and rows of a table stand below its head. */
function expectReadable(part: string, tables: 'markdown' | 'code'): void {
  const fences = part.match(/^\s*(`{3,}|~{3,})/gm) ?? []
  expect(fences.length % 2, `balanced fences in:\n${part}`).toBe(0)
  const rowAt = part.search(/Ferry No\. \d+/)
  const head =
    tables === 'markdown' ? /\| berth \| boat \| length \|\n\|[-:| ]+\|/ : /berth +│ boat +│ +length/
  const headAt = part.search(head)
  expect(rowAt === -1 || (headAt !== -1 && headAt < rowAt), `the head above the rows in:\n${part}`).toBe(true)
}

const deltas = answer.match(/[\s\S]{1,160}/g) ?? []

test.each([
  { service: 'slack', desk: () => openSlackDesk(), tables: 'markdown' },
  { service: 'discord', desk: () => openDiscordDesk({ limits: { edits: 1000 } }), tables: 'code' },
] as const)(
  'an answer of 20,000 characters arrives whole on $service, readable in every part',
  async ({ desk: openDesk, tables }) => {
    const desk = closeAtEnd(await openDesk())
    const { env, upstream } = closeAtEnd(await withUpstream())
    const footbridge = await open(desk.env, env)
    upstream.script({ kind: 'chat', deltas, delayMs: 5 })
    desk.does({ text: 'Tell me everything', mention: true })
    await desk.until(() => desk.sees().at(-1)?.includes('Not from files'))
    await footbridge.stop()
    const parts = desk.sees().filter((line) => line.startsWith('↳ Footbridge: '))
    expect(answer.length).toBeGreaterThan(19_700)
    expect(parts.length).toBeGreaterThan(1)
    expect(marksOf(parts.join('\n'))).toEqual(marksOf(answer))
    for (const part of parts) expectReadable(part.replace('↳ Footbridge: ', ''), tables)
    expect(parts.filter((part) => part.includes('Not from files'))).toHaveLength(1)
    expect(footbridge.alarms()).toEqual([])
  },
)

test('an answer of 20,000 characters arrives whole on the web page, in one piece', async () => {
  const { env, upstream } = closeAtEnd(await withUpstream())
  const footbridge = await open(env)
  const browser = createBrowser((request) => fetch(request), { origin: footbridge.url })
  const { id } = await browser.createChannel('harbour')
  const events = await browser.events()
  upstream.script({ kind: 'chat', deltas, delayMs: 1 })
  await browser.say(id, { text: '@Footbridge Tell me everything' })
  for (;;) {
    const { message } = await events.nextOf('message')
    if (message.ours && !message.streaming) break
  }
  await events.close()
  const { messages } = await browser.history(id)
  const ours = messages.filter((message) => message.ours)
  expect(ours.map(({ text }) => text)).toEqual([`${answer}\n\n_Not from files: none was dropped here yet._`])
})
