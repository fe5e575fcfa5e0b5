import { ferry } from './drops.ts'
import { scenario } from './scenario.ts'

scenario(
  'people are named as a group, are asked, and what they reply is declined',
  { killedOn: 'web' },
  async ({ workspace, ada, ben, errors, expect }) => {
    const isPage = workspace.service === 'web'
    await ada.drops(ferry)
    await ada.sees(/ferry\.md.*ready/)

    await ada.asks(`ask group ${workspace.mention('Ben')}`)
    // On the page there is nobody to name.
    await ada.sees(isPage ? /ask group/ : /asks Ben here/)

    // The question is German, and so may be what is said of it.
    await ada.asks('Wer streicht den Leuchtturm?')
    await ada.sees(
      /(?:keine Stelle|nicht sicher).*in einer Datei gesucht|(?:no passage|not sure).*in 1 file/s,
      ({ buttons }) => buttons.some((label) => /Ask a person|Einen Menschen fragen/.test(label)),
    )
    await ada.presses(/Ask a person|Einen Menschen fragen/)
    const wanted = await ada.sees(/Wer streicht den Leuchtturm\?/, ({ buttons }) => buttons.length === 0)
    // Ada dropped the nearest file, and asks herself: the group is asked.
    await expect.poll(() => workspace.called()).toEqual(isPage ? [] : ['Ben'])

    await ben.says('No idea, perhaps old Tomas does it.', { after: wanted.id })
    await ada.sees(/Shall I save this answer|Soll ich diese Antwort/, ({ buttons }) => buttons.length === 2)
    await ada.presses(/^(?:No|Nein)$/)
    await ada.sees(/Not saved\.|Nicht abgelegt\./)
    expect(await ada.count(/\d{4}-\d{2}-\d{2}.*\.md/)).toBe(0)

    // Declined, the question stays open, until somebody closes it.
    await ada.asks('gaps')
    await ada.sees(/Wer streicht den Leuchtturm\?.*Ada/, ({ buttons }) => buttons.includes('Close 1'))
    await ada.presses('Close 1')
    await ada.sees(/(?:Closed: “|Abgeschlossen: „)Wer streicht den Leuchtturm\?/)
    await ada.asks('gaps')
    await ada.sees(/No question is open here/)
    expect(errors()).toEqual([])
  },
)
