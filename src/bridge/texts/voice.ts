/** Sentences about voice messages. */
export const voiceEn = {
  help: '- Send a voice message: I answer what you said. You can correct what I understood, or keep it as a file.',
  transcript: (spoken: string): string => `🎙️ “${spoken}”`,
  /** Status during a recording of minutes. */
  listening: (passed: string, length: string | undefined): string =>
    `is listening… ${passed}${length === undefined ? '' : `, recording of ${length}`}`,
  /** The same as a message. */
  listeningNow: (passed: string, length: string | undefined): string =>
    `🎙️ _Listening… ${passed}${length === undefined ? '' : `, recording of ${length}`}_`,
  /** The transcript after a correction. */
  edited: (spoken: string): string => `✏️ “${spoken}”`,
  /** Offered under a recording that may be meant for people. */
  offer: '_A voice message. I listen to it only if somebody wants an answer._',
  answerThis: 'Answer this?',
  edit: 'Edit',
  editTitle: 'What was said',
  editLabel: 'The corrected words',
  keep: 'Keep as a file',
  translate: 'Translate and ask again',
  speak: '🔊 Listen',
  notYours: 'Only the person who recorded it can correct it.',
  tooLong: (minutes: number): string =>
    `This recording is longer than ${minutes} minutes, the most that I can listen to. Please send it in parts.`,
  firstOnly: 'I listened only to the first recording. Please send each of the others in a message of its own.',
  gone: 'I don’t remember this recording any more. Please record it again.',
  nothingTyped: 'Nothing was typed, so everything stays as it is.',
  cantTranslate: 'I could not translate this. Please type the question in the language of the files.',
  cantSpeak: (why: string): string => `I could not read the answer out: ${why}`,
  spoken: '🔊 The answer, read out',
  /** Title of a saved recording. */
  fileTitle: (who: string): string => `Recording by ${who}`,
}

export const voiceDe: typeof voiceEn = {
  help: '- Schick eine Sprachnachricht: ich beantworte, was du gesagt hast. Du kannst verbessern, was ich verstanden habe, oder sie als Datei behalten.',
  transcript: (spoken) => `🎙️ „${spoken}“`,
  listening: (passed, length) => `hört zu … ${passed}${length === undefined ? '' : `, Aufnahme von ${length}`}`,
  listeningNow: (passed, length) =>
    `🎙️ _Ich höre zu… ${passed}${length === undefined ? '' : `, Aufnahme von ${length}`}_`,
  edited: (spoken) => `✏️ „${spoken}“`,
  offer: '_Eine Sprachnachricht. Ich höre sie nur an, wenn jemand eine Antwort möchte._',
  answerThis: 'Beantworten?',
  edit: 'Verbessern',
  editTitle: 'Was gesagt wurde',
  editLabel: 'Die Wörter, verbessert',
  keep: 'Als Datei behalten',
  translate: 'Übersetzen und neu fragen',
  speak: '🔊 Anhören',
  notYours: 'Das kann nur verbessern, wer es aufgenommen hat.',
  tooLong: (minutes) =>
    `Diese Aufnahme ist länger als ${minutes} Minuten; mehr kann ich nicht anhören. Bitte schick sie in Teilen.`,
  firstOnly: 'Ich habe nur die erste der Aufnahmen angehört. Bitte schick jede weitere in einer eigenen Nachricht.',
  gone: 'An diese Aufnahme erinnere ich mich nicht mehr. Bitte nimm sie noch einmal auf.',
  nothingTyped: 'Es wurde nichts eingetippt, also bleibt alles, wie es ist.',
  cantTranslate: 'Das konnte ich nicht übersetzen. Bitte tipp die Frage in der Sprache der Dateien.',
  cantSpeak: (why) => `Ich konnte die Antwort nicht vorlesen: ${why}`,
  spoken: '🔊 Die Antwort, vorgelesen',
  fileTitle: (who) => `Aufnahme von ${who}`,
}
