/** What is said about recordings. */
export interface VoiceTexts {
  readonly help: string
  readonly transcript: (spoken: string) => string
  /** The words that somebody put right. */
  readonly edited: (spoken: string) => string
  readonly translated: (spoken: string) => string
  readonly edit: string
  readonly editTitle: string
  readonly editLabel: string
  readonly keep: string
  readonly translate: string
  readonly speak: string
  readonly notYours: string
  readonly gone: string
  readonly nothingTyped: string
  readonly cantTranslate: string
  readonly cantSpeak: (why: string) => string
  readonly spoken: string
  /** Title of a recording that is kept as a file. */
  readonly fileTitle: (who: string) => string
}

export const voiceEn: VoiceTexts = {
  help: '- Send a voice memo: I answer what you said. You can put right what I understood, or keep it as a file.',
  transcript: (spoken) => `🎙️ “${spoken}”`,
  edited: (spoken) => `✏️ “${spoken}”`,
  translated: (spoken) => `🌐 “${spoken}”`,
  edit: 'Edit',
  editTitle: 'What was said',
  editLabel: 'The words, put right',
  keep: 'Keep as a file',
  translate: 'Translate and ask again',
  speak: '🔊 Listen',
  notYours: 'Only who recorded it can put it right.',
  gone: 'I don’t remember this recording any more. Please record it again.',
  nothingTyped: 'Nothing was typed, so everything stays as it is.',
  cantTranslate: 'I could not translate this. Please type the question in the language of the files.',
  cantSpeak: (why) => `I could not read the answer out: ${why}`,
  spoken: '🔊 The answer, read out',
  fileTitle: (who) => `Recording by ${who}`,
}

export const voiceDe: VoiceTexts = {
  help: '- Schick eine Sprachnachricht: ich beantworte, was du gesagt hast. Du kannst verbessern, was ich verstanden habe, oder sie als Datei behalten.',
  transcript: (spoken) => `🎙️ „${spoken}“`,
  edited: (spoken) => `✏️ „${spoken}“`,
  translated: (spoken) => `🌐 „${spoken}“`,
  edit: 'Verbessern',
  editTitle: 'Was gesagt wurde',
  editLabel: 'Die Wörter, verbessert',
  keep: 'Als Datei behalten',
  translate: 'Übersetzen und neu fragen',
  speak: '🔊 Anhören',
  notYours: 'Das kann nur verbessern, wer es aufgenommen hat.',
  gone: 'An diese Aufnahme erinnere ich mich nicht mehr. Bitte nimm sie noch einmal auf.',
  nothingTyped: 'Es wurde nichts eingetippt, also bleibt alles, wie es ist.',
  cantTranslate: 'Das konnte ich nicht übersetzen. Bitte tipp die Frage in der Sprache der Dateien.',
  cantSpeak: (why) => `Ich konnte die Antwort nicht vorlesen: ${why}`,
  spoken: '🔊 Die Antwort, vorgelesen',
  fileTitle: (who) => `Aufnahme von ${who}`,
}
