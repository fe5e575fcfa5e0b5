import type { DroppedFile } from '../support/people/workspace.ts'
import { readMemo } from '../support/speech.ts'
import { scenario } from './scenario.ts'

const lamp: DroppedFile = {
  name: 'leuchtturm.md',
  bytes:
    '# Leuchtturm\n\nDie Lampe im Leuchtturm brennt jede Nacht, und sie wird von dem Wärter am Abend um acht Uhr angezündet.\n',
  mimeType: 'text/markdown',
}

scenario(
  'files are indexed anew, a model is chosen, a voice message is translated and answered aloud, and a budget ends',
  { killedOn: 'discord', settings: { SPEECH_MODEL: 'double-speech', BUDGET_PERSON: 'questions=4/hour' } },
  async ({ ada, spoken, errors, expect }) => {
    await ada.drops(lamp)
    await ada.sees(/leuchtturm\.md.*ready/)
    await ada.asks('reindex')
    await ada.sees(/Index the one file/, ({ buttons }) => buttons.length > 0)
    await ada.presses('Reindex')
    await ada.sees(/Indexed again: 1 file ready/)

    await ada.asks('model')
    await ada.sees(/double-chat/)

    spoken.push('When does the lamp burn?')
    await ada.records(readMemo('lighthouse.ogg'))
    await ada.sees(/When does the lamp burn\?/, ({ buttons }) => buttons.includes('Translate and ask again'))
    await ada.sees(/I found no passage|I am not sure that/)
    await ada.presses('Translate and ask again')
    await ada.sees(/✏️ “Wann brennt die Lampe im Leuchtturm\?”/)
    await ada.sees(/brennt jede Nacht.*\[1\]/, ({ buttons }) => buttons.includes('🔊 Listen'))
    await ada.presses('🔊 Listen')
    await ada.sees(/read out|vorgelesen/, ({ files }) => files.includes('answer.mp3'))

    // German questions may be answered in German.
    await ada.asks('Wann brennt die Lampe im Leuchtturm?')
    await ada.asks('Und wer hat die Lampe im Leuchtturm angezündet?')
    await ada.asks('Wie lange brennt die Lampe im Leuchtturm?')
    await ada.sees(
      /Your budget \(4 questions an hour\) is used up\. You can ask again |Kontingent \(4 Fragen in der Stunde\) ist aufgebraucht\. Du kannst /,
    )
    await ada.asks('budget')
    await ada.sees(/Your budget: 4 of 4 questions an hour used\.|Dein Kontingent: 4 von 4 Fragen/)

    expect(await ada.count(/✏️/)).toBe(1)
    expect(await ada.count(/read out|vorgelesen/)).toBe(1)
    expect(errors()).toEqual([])
  },
)
