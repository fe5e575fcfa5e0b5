import { makePdf } from '../fixtures/pdf.ts'
import { createReader } from '../scenarios/reader.ts'
import { startFootbridge } from './footbridge.ts'
import { openDiscord } from './people/discord.ts'
import { createPerson } from './people/person.ts'
import { openSlack } from './people/slack.ts'
import type { DroppedFile } from './people/workspace.ts'
import { withUpstream } from './platforms.ts'
import { readMemo } from './speech.ts'

// Run by warm-up.ts: a process with both chat services does once what people do most, and ends in order.

const ferry = 'The ferry to the island leaves at 9:40 from pier seven.'
const files: readonly DroppedFile[] = [
  { name: 'ferry.html', bytes: `<h1>Ferry</h1><p>${ferry}</p>`, mimeType: 'text/html' },
  { name: 'ferry.md', bytes: `# Ferry\n\n${ferry}\n`, mimeType: 'text/markdown' },
  { name: 'ferry.pdf', bytes: await makePdf([{ title: 'Ferry', text: ferry }]), mimeType: 'application/pdf' },
]

const spoken = ['From which pier does the ferry leave?']
const model = await withUpstream({ answerBy: createReader(spoken, []) })
const workspaces = [await openSlack(), await openDiscord()]
const services: Readonly<Record<string, string>> = Object.assign({}, ...workspaces.map(({ env }) => env))
const footbridge = await startFootbridge({ ...model.env, ...services })
try {
  for (const workspace of workspaces) {
    await workspace.attach(footbridge)
    const ada = createPerson(workspace, 'Ada', await workspace.addChannel('ferry'))
    for (const file of files) {
      await ada.drops(file)
      await ada.sees(new RegExp(`${RegExp.escape(file.name)}.*ready`))
    }
    await ada.asks(spoken[0] ?? '')
    await ada.seesAnswer(/from pier seven/)
    await ada.records(readMemo('lighthouse.ogg'))
    await ada.sees(/From which pier/)
  }
  await (await fetch(new URL('/assets/page.js', footbridge.url))).text()
  await footbridge.stop()
} finally {
  await footbridge.close()
  await Promise.all([...workspaces, model].map((double) => double.close()))
}
