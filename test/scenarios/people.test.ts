import { describe, test } from 'vitest'
import { ferry } from './drops.ts'
import { openStage, runs } from './stage.ts'

describe.concurrent.each(runs('web'))('people on %s, %s', (service, _, rough) => {
  test('are named as a group, are asked, and what they reply is declined', async (context) => {
    const { seat, act, asks, drops, sees, count, alarms } = await openStage(service, rough, context)
    const { expect } = context
    await drops(ferry)
    await sees(/ferry\.md.*(?:ready|bereit)/)

    await asks(`ask group ${seat.name('Ben')}`)
    // On the page there is nobody to name.
    if (service === 'web') await sees(/ask group/)
    else await sees(/From now on \*Ask a person\* asks Ben here|asks Ben here/)

    await asks('Wer streicht den Leuchtturm?')
    await sees(
      /icht in den Dateien dieses Kanals.*eine Datei durchsucht|Not in this channel’s files.*I searched 1 file/s,
      ({ buttons }) => buttons.some((label) => /Ask a person|Einen Menschen fragen/.test(label)),
    )
    await act(() => seat.presses(/Ask a person|Einen Menschen fragen/))
    const wanted = await sees(/Wer streicht den Leuchtturm\?/, ({ buttons }) => buttons.length === 0)
    // Ada dropped the nearest file, and asks herself: the group is asked.
    await expect.poll(() => seat.called()).toEqual(service === 'web' ? [] : ['Ben'])

    await act(() => seat.does({ by: 'Ben', text: 'No idea, perhaps old Tomas does it.', after: wanted.id }))
    await sees(/Shall I file this answer|Soll ich diese Antwort/, ({ buttons }) => buttons.length === 2)
    await act(() => seat.presses(/^(?:No|Nein)$/))
    await sees(/Not filed\.|Nicht abgelegt\./)
    expect(await count(/\d{4}-\d{2}-\d{2}.*\.md/)).toBe(0)

    // Declined, the question stays open, until somebody closes it.
    await asks('gaps')
    await sees(/Wer streicht den Leuchtturm\?.*Ada/, ({ buttons }) => buttons.includes('Close 1'))
    await act(() => seat.presses('Close 1'))
    await sees(/(?:Closed: “|Abgeschlossen: „)Wer streicht den Leuchtturm\?/)
    await asks('gaps')
    await sees(/No question is open here/)
    expect(alarms().filter((line) => line.startsWith('50'))).toEqual([])
  }, 1_200_000)
})
