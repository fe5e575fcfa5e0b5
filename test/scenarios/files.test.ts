import type { DroppedFile } from '../support/people/workspace.ts'
import { scenario, scenarioWithoutModel } from './scenario.ts'

const ferry = (pier: string): DroppedFile => ({
  name: 'ferry.md',
  bytes: `---\nsecret: front-matter-word\n---\n# Ferry\n\nThe ferry to the island leaves at 9:40 from pier ${pier}.\n`,
  mimeType: 'text/markdown',
})
const lamp: DroppedFile = {
  name: 'lamp.html',
  bytes: '<h1>Lamp</h1><p>The lighthouse lamp burns kerosene since nineteen hundred.</p>',
  mimeType: 'text/html',
}
const broken: DroppedFile = { name: 'broken.docx', bytes: 'no archive at all', mimeType: 'application/octet-stream' }
const tide: DroppedFile = { name: 'tide.txt', bytes: 'High tide comes at noon on Sunday.', mimeType: 'text/plain' }

scenario(
  'files are dropped, known again, replaced, undone, kept beside, listed, handed out, forgotten and deleted',
  { killedOn: 'slack' },
  async ({ ada, ben, errors, expect }) => {
    await ada.drops(ferry('seven'))
    await ada.sees(/ferry\.md.*ready/)
    await ada.asks('From which pier does the ferry leave?')
    const cited = await ada.seesAnswer(/leaves at 9:40 from pier seven\. \[1\]/)
    expect(cited.text).toMatch(/\[1\].*ferry\.md/)
    expect(cited.text).not.toContain('front-matter-word')

    await ada.drops(ferry('seven'))
    await ada.sees(/ferry\.md.*ready.*\(the same file was here already\)/)

    await ben.drops(ferry('twelve'))
    await ada.sees(/ferry\.md.*replaces version 1 of .* by Ada/, ({ buttons }) => buttons.includes('Undo'))
    await ada.sees(/ferry\.md.*replaced by version 2/)
    await ada.asks('From which pier does the ferry leave now?')
    const second = await ada.seesAnswer(/leaves at 9:40 from pier twelve\. \[1\]/)
    expect(second.text).toMatch(/\[1\] .*ferry\.md.*v2.*Ben/)
    await ada.presses('Undo')
    await ada.sees(/ferry\.md.*undone by Ada/)
    await ada.sees(/ferry\.md.*ready.*put back by Ada/)
    await ada.asks('From which pier does the ferry leave after all?')
    await ada.seesAnswer(/pier seven\. \[1\]/, ({ id }) => id !== cited.id)

    await ada.drops(ferry('thirteen'))
    await ada.sees(/ferry\.md.*replaces version/, ({ buttons }) => buttons.includes('Keep both'))
    await ada.presses('Keep both')
    await ada.sees(/ferry \(2\)\.md.*ready/)

    await ada.drops(lamp, broken)
    await ada.sees(/lamp\.html.*ready[^]*broken\.docx.*failed\. .*The DOCX is damaged/)
    await ada.presses(/^Remove/)
    await ada.sees(/broken\.docx.*removed/)

    await ada.asks('files')
    const list = await ada.sees(/\*\*3 files\*\*|3 files/)
    for (const name of ['ferry.md', 'ferry (2).md', 'lamp.html']) expect(list.text.replaceAll('\\', '')).toContain(name)
    expect(list.text).toMatch(/lamp\.html.*ready.*Ada/)

    await ada.asks('download lamp.html')
    await ada.sees(/lamp\.html/, ({ files }) => files.includes('lamp.html'))

    await ada.asks('What does the lighthouse lamp burn?')
    await ada.seesAnswer(/burns kerosene since nineteen hundred\. \[1\]/)
    await ada.asks('forget lampp')
    await ada.sees(/no file “lampp” here\. Did you mean .*lamp\.html/)
    await ada.asks('forget lamp')
    await ada.sees(/Forget .*lamp\.html.*dropped by Ada\?/, ({ buttons }) => buttons.includes('Forget it'))
    await ada.presses('Forget it')
    await ada.sees(/lamp\.html.*is forgotten/)
    await ada.sees(/🗑️ .*lamp\.html.* — removed by Ada/)
    await ada.asks('Once more: what does the lighthouse lamp burn?')
    await ada.seesAnswer(/I found no passage|I am not sure that/)

    const drop = await ada.drops(tide)
    await ada.sees(/tide\.txt.*ready/)
    await ada.deletes(drop)
    await expect.poll(() => ada.count(/tide\.txt.*ready/)).toBe(0)
    await ada.asks('When does high tide come on Sunday?')
    await expect.poll(() => ada.count(/I found no passage|I am not sure that/)).toBe(2)

    // One receipt a drop, whatever happened to the process.
    expect(await ada.count(/ferry\.md.*the same file was here already/)).toBe(1)
    expect(errors()).toEqual([])
  },
)

scenarioWithoutModel(
  'a file that is taken out of its message leaves the collection, and the others stay',
  // In the short form: test/bridge/files/removal/on-files-deleted.test.ts.
  { on: ['slack', 'discord'], isLong: true },
  async ({ workspace, ada, alarms, expect }) => {
    const message = await ada.drops(lamp, tide)
    await ada.sees(/lamp\.html\*+ — ready[^]*tide\.txt\*+ — ready/)
    await workspace.removeFile?.(ada.channel, message, 'lamp.html')
    await ada.sees(/🗑️ \*+lamp\.html\*+ — removed: the file was deleted here[^]*tide\.txt\*+ — ready/)
    await ada.asks('What does the lighthouse lamp burn?')
    await ada.sees(/I found no passage|I am not sure that/)
    await ada.asks('When does high tide come?')
    await ada.sees(/comes at noon/)
    expect(alarms()).toEqual([])
  },
)
