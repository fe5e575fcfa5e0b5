import { describe, test } from 'vitest'
import type { DroppedFile } from '../support/whole/desk.ts'
import { openStage, runs } from './stage.ts'

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
const broken: DroppedFile = {
  name: 'broken.docx',
  bytes: 'no archive at all',
  mimeType: 'application/octet-stream',
}

// Each has a service and a process of its own, and mostly waits.
describe.concurrent.each(runs('slack'))('files on %s, %s', (service, _, rough) => {
  test('are dropped, known again, replaced, undone, kept beside, listed, handed out, forgotten and deleted', async (context) => {
    const { seat, act, deletes, sees, answers, count, alarms } = await openStage(service, rough, context)
    const { expect } = context
    const asks = (text: string) => act(() => seat.does({ text, mention: true }))
    const drops = (...files: readonly DroppedFile[]) => act(() => seat.does({ files }))

    await drops(ferry('seven'))
    await sees(/ferry\.md.*(?:ready|bereit) · 1/)
    await asks('From which pier does the ferry leave?')
    const cited = await answers(/leaves at 9:40 from pier seven\. \[1\]/)
    expect(cited.text).toMatch(/\[1\].*ferry\.md/)
    expect(cited.text).not.toContain('front-matter-word')

    const dropsBefore = await count(/ferry\.md/)
    await drops(ferry('seven'))
    await sees(
      /ferry\.md.*(?:ready|bereit).*\((?:the same file was here already|dieselbe Datei lag hier schon)\)/,
    )

    await drops(ferry('twelve'))
    await sees(/ferry\.md.*(?:replaces version 1|ersetzt Fassung 1)/, ({ buttons }) =>
      buttons.includes('Undo'),
    )
    await asks('From which pier does the ferry leave now?')
    await answers(/leaves at 9:40 from pier twelve\. \[1\]/)
    await act(() => seat.presses('Undo'))
    await sees(/ferry\.md.*(?:undone by|zurückgenommen von)/)
    await sees(/ferry\.md.*(?:ready|bereit).*(?:put back by|zurückgeholt von)/)
    await asks('From which pier does the ferry leave after all?')
    await answers(/pier seven\. \[1\]/, ({ id }) => id !== cited.id)

    await drops(ferry('thirteen'))
    await sees(/ferry\.md.*(?:replaces version|ersetzt Fassung)/, ({ buttons }) =>
      buttons.includes('Keep both'),
    )
    await act(() => seat.presses('Keep both'))
    await sees(/ferry \(2\)\.md.*(?:ready|bereit)/)

    await drops(lamp, broken)
    await sees(/lamp\.html.*(?:ready|bereit)[\s\S]*broken\.docx.*(?:failed|fehlgeschlagen): /)
    await act(() => seat.presses(/^Remove/))
    await sees(/broken\.docx.*(?:removed|entfernt)/)

    await asks('files')
    const list = await sees(/\*\*3 (?:files|Dateien)\*\*|3 (?:files|Dateien)/)
    for (const name of ['ferry.md', 'ferry (2).md', 'lamp.html'])
      expect(list.text.replaceAll('\\', '')).toContain(name)

    await asks('download lamp.html')
    await sees(/lamp\.html/, ({ files }) => files.includes('lamp.html'))

    await asks('What does the lighthouse lamp burn?')
    await answers(/burns kerosene since nineteen hundred\. \[1\]/)
    await asks('forget lamp.html')
    await sees(/lamp\.html/, ({ buttons }) => buttons.includes('Forget it') || buttons.includes('Vergessen'))
    await act(() => seat.presses(/^(?:Forget it|Vergessen)$/))
    await sees(/lamp\.html.*(?:is forgotten|ist vergessen)/)
    await asks('Once more: what does the lighthouse lamp burn?')
    await answers(/Not in this channel’s files|[Nn]icht in den Dateien/)

    const note = await drops({
      name: 'tide.txt',
      bytes: 'High tide comes at noon on Sunday.',
      mimeType: 'text/plain',
    })
    await sees(/tide\.txt.*(?:ready|bereit)/)
    await deletes(note)
    await expect.poll(() => count(/tide\.txt.*(?:ready|bereit)/)).toBe(0)
    await asks('When does high tide come on Sunday?')
    await expect.poll(() => count(/Not in this channel’s files|[Nn]icht in den Dateien/)).toBe(2)

    // One receipt a drop, whatever happened to the process.
    expect(await count(/ferry\.md.*(?:the same file was here already|dieselbe Datei lag hier schon)/)).toBe(1)
    expect(dropsBefore).toBe(2)
    expect(alarms().filter((line) => line.startsWith('50'))).toEqual([])
  }, 1_200_000)
})
