import { readFileSync } from 'node:fs'
import { stdout } from 'node:process'
import { startFootbridge } from '../footbridge.ts'
import { createPerson } from './person.ts'
import { openSlack } from './slack.ts'

// `npm run demo`: a talk on Slack without Slack. Footbridge itself runs, on a double of Slack; nothing leaves the machine.

const handbook = {
  name: 'handbook.pdf',
  bytes: readFileSync(new URL('../../../docs/sample/handbook.pdf', import.meta.url)),
  mimeType: 'application/pdf',
}
const questions = [
  ['How many days of annual leave do we get?', /leave/],
  ['Do taxi rides need approval?', /taxi/i],
] as const

// The transcripts of the tests hide the day.
const today = new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

stdout.write('Starting Footbridge with a Slack workspace that is made up …\n\n')
const workspace = await openSlack()
let footbridge: Awaited<ReturnType<typeof startFootbridge>> | undefined
try {
  footbridge = await startFootbridge(workspace.env)
  await workspace.attach(footbridge)
  const ada = createPerson(workspace, 'Ada', await workspace.addChannel('team-people'))
  let shown = 0
  const show = async () => {
    const lines = await ada.transcript()
    for (const line of lines.slice(shown)) stdout.write(`${line.replaceAll('<day>', today)}\n\n`)
    shown = lines.length
  }
  await ada.drops(handbook)
  await ada.sees(/handbook\.pdf.*ready/)
  await show()
  for (const [question, answer] of questions) {
    await ada.asks(question)
    await ada.seesAnswer(answer)
    await show()
  }
} finally {
  await footbridge?.close()
  await workspace.close()
}
