import { describe, test } from 'vitest'
import type { DroppedFile } from '../support/whole/desk.ts'
import { readMemo } from '../support/speech.ts'
import { openStage, runs } from './stage.ts'

const lamp: DroppedFile = {
  name: 'leuchtturm.md',
  bytes:
    '# Leuchtturm\n\nDie Lampe im Leuchtturm brennt jede Nacht, und sie wird von dem Wärter am Abend um acht Uhr angezündet.\n',
  mimeType: 'text/markdown',
}

describe.concurrent.each(runs('discord'))('further things on %s, %s', (service, _, rough) => {
  test('files are indexed anew, a model is chosen, a memo translated and answered aloud, and a budget ends', async (context) => {
    const settings = { SPEECH_MODEL: 'double-speech', BUDGET_PERSON: 'questions=4/hour' }
    const { seat, act, sees, count, spoken, alarms } = await openStage(service, rough, context, { settings })
    const { expect } = context
    const asks = (text: string) => act(() => seat.does({ text, mention: true }))

    await act(() => seat.does({ files: [lamp] }))
    await sees(/leuchtturm\.md.*(?:ready|bereit)/)
    await asks('reindex')
    await sees(/Index the one file|Soll ich die eine Datei/, ({ buttons }) => buttons.length > 0)
    await act(() => seat.presses(/^(?:Reindex|Neu indizieren)$/))
    await sees(/(?:Indexed anew: 1 file ready|Neu indiziert: 1 Datei bereit)/)

    await asks('model')
    await sees(/double-chat/)

    spoken.push('When does the lamp burn?')
    await act(() => seat.does({ memo: Uint8Array.from(readMemo('lighthouse.ogg')) }))
    await sees(/When does the lamp burn\?/, ({ buttons }) => buttons.includes('Translate and ask again'))
    await sees(/Not in this channel’s files|[Nn]icht in den Dateien/)
    await act(() => seat.presses('Translate and ask again'))
    await sees(/✏️ “Wann brennt die Lampe im Leuchtturm\?”/)
    await sees(/brennt jede Nacht.*\[1\]/, ({ buttons }) => buttons.includes('🔊 Listen'))
    await act(() => seat.presses('🔊 Listen'))
    await sees(/read out|vorgelesen/, ({ files }) => files.includes('answer.mp3'))

    await asks('Wann brennt die Lampe im Leuchtturm?')
    await asks('Und wer hat die Lampe im Leuchtturm angezündet?')
    await asks('Wie lange brennt die Lampe im Leuchtturm?')
    await sees(
      /Your budget of 4 questions an hour is used up\. You can ask again at|Kontingent von 4 Fragen in der Stunde ist aufgebraucht\. Ab /,
    )
    await asks('budget')
    await sees(/Your budget: 4 of 4 questions an hour used\.|Dein Kontingent: 4 von 4 Fragen/)

    expect(await count(/✏️/)).toBe(1)
    expect(await count(/read out|vorgelesen/)).toBe(1)
    expect(alarms().filter((line) => line.startsWith('50'))).toEqual([])
  }, 1_200_000)
})
