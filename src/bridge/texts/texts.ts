import { budgetDe, budgetEn, type BudgetTexts } from './budget.ts'
import { conversationDe, conversationEn, type ConversationTexts } from './conversation.ts'
import { feedbackDe, feedbackEn, type FeedbackTexts } from './feedback.ts'
import { honestDe, honestEn, type HonestTexts } from './honest.ts'
import { filesDe, filesEn, type FileTexts } from './files.ts'
import { referencesDe, referencesEn, type ReferenceTexts } from './references.ts'
import { scopeDe, scopeEn, type ScopeTexts } from './scope.ts'
import { voiceDe, voiceEn, type VoiceTexts } from './voice.ts'

/** Every sentence that people read, by what it is about in texts/. English and German; another language is another object. */
export interface Texts {
  readonly thinking: string
  readonly listening: string
  /** A model that can't chat, and nothing dropped yet. */
  readonly dropFirst: string
  /** The same, while what was dropped is not ready. */
  readonly waitFirst: string
  /** Under an answer that no file supports because there is none. */
  readonly notFromFiles: string
  readonly notYetFromFiles: string
  readonly cutByLength: string
  readonly stopped: string
  readonly brokeOff: (why: string) => string
  readonly nothingHeard: string
  readonly explainDrop: string
  readonly stopCollecting: string
  readonly collectingOff: string
  readonly collectingOn: string
  readonly notCollecting: string
  readonly help: string
  readonly giveUp: string
  readonly gaveUpAfterDeaths: string
  readonly references: ReferenceTexts
  readonly scope: ScopeTexts
  readonly files: FileTexts
  readonly voice: VoiceTexts
  readonly honest: HonestTexts
  readonly conversation: ConversationTexts
  readonly feedback: FeedbackTexts
  readonly budget: BudgetTexts
  readonly receipt: {
    readonly received: string
    readonly downloading: string
    readonly converting: string
    readonly uploading: string
    readonly indexing: string
    readonly ready: (chunks: number) => string
    readonly failed: (why: string) => string
    readonly removed: string
  }
  readonly replaced: string
  readonly known: string
  readonly fileEmpty: string
  readonly fileTooLarge: (megabytes: number) => string
  readonly fileUnsupported: string
  readonly fileGone: (why: string) => string
  readonly filePlatformKey: string
  readonly filePlatformAway: string
  readonly indexSlow: string
  readonly noChunks: string
  readonly failures: {
    readonly unauthorized: string
    readonly unreachable: string
    readonly timeout: string
    readonly rateLimited: (when: string | undefined) => string
    readonly locked: string
    readonly cut: string
    readonly empty: string
    readonly server: (detail: string) => string
    readonly refused: (detail: string) => string
    readonly noTranscription: (detail: string) => string
    /** The platform has no speech model at all. */
    readonly noSpeechModel: string
    readonly internal: string
  }
}

const EN: Texts = {
  references: referencesEn,
  scope: scopeEn,
  files: filesEn,
  voice: voiceEn,
  honest: honestEn,
  conversation: conversationEn,
  feedback: feedbackEn,
  budget: budgetEn,
  thinking: 'is reading…',
  listening: 'is listening…',
  dropFirst:
    'I answer from the files that are dropped here, and there is none yet. Drop one (PDF, Office, text, mail …); when its receipt says *ready*, ask me again.',
  waitFirst:
    'I answer from the files that are dropped here, and none of those is ready. `files` shows how far they are, or why they failed; when a receipt says *ready*, ask me again.',
  notFromFiles: '_Not from files: none was dropped here yet._',
  notYetFromFiles: '_Not from files: none of those that were dropped here is ready. `files` shows why._',
  cutByLength: '_The answer ends here because the model reached its length limit. Ask me to go on._',
  stopped: '_Stopped._',
  brokeOff: (why) => `**This answer is not complete.** ${why}`,
  nothingHeard:
    'I could not hear any words in this recording. Please record it again, a little closer to the microphone.',
  explainDrop:
    'Files dropped here go into a collection of their own; I answer questions from it and quote the passages.',
  stopCollecting: "Don't collect files here",
  collectingOff:
    'Files dropped in this channel are left alone from now on. Say `files on` to me to collect them again.',
  collectingOn: "Files dropped in this channel become this channel's knowledge from now on.",
  notCollecting: 'Collecting files is switched off in this channel. Say `files on` to me to switch it on.',
  help: [
    'Mention me with a question, or write to me directly: I answer from the files that were dropped there, with references.',
    '- Drop a file (PDF, text, markdown, Office, EPUB, HTML, mail, CSV): I answer from it from then on.',
    voiceEn.help,
    '- `files off` and `files on`: leave dropped files alone here, or collect them.',
    ...filesEn.help,
    ...scopeEn.help,
    ...honestEn.help,
    ...conversationEn.help,
    budgetEn.help,
  ].join('\n'),
  gaveUpAfterDeaths:
    'I stopped several times while I worked on this, so I have given it up. Try it in smaller parts, or tell whoever runs me: it is in the log.',
  giveUp:
    'Something went wrong on my side and I could not finish this. It is in the log; please ask again, and tell whoever runs me if it stays.',
  receipt: {
    received: 'received',
    downloading: 'downloading',
    converting: 'converting',
    uploading: 'uploading',
    indexing: 'indexing',
    ready: (chunks) => `ready · ${chunks} ${chunks === 1 ? 'chunk' : 'chunks'}`,
    failed: (why) => `failed: ${why}`,
    removed: 'removed',
  },
  replaced: 'replaces the earlier file of this name',
  known: 'the same file was here already',
  fileEmpty: 'the file is empty. Check it and drop it again.',
  fileTooLarge: (megabytes) =>
    `the file is larger than ${megabytes} MB, the most I take. Split it and drop the parts.`,
  fileUnsupported:
    'this kind I can’t read. I take PDF, text, markdown, Office, EPUB, HTML, mail and CSV files: export it as one of these and drop that.',
  fileGone: (why) => `it could not be downloaded: ${why}`,
  filePlatformKey: 'the platform refused my key. Whoever runs me can set a new one (PLATFORM_API_KEY).',
  filePlatformAway: 'the platform could not take it just now. Press Retry in a few minutes.',
  indexSlow:
    'the platform did not finish indexing it in time. It is stored there; press Retry later to have another try.',
  noChunks: 'no text was found in it. If it is a scan, run text recognition over it and drop it again.',
  failures: {
    unauthorized:
      'The platform refused my key: it is wrong or has expired. Whoever runs me can set a new one (PLATFORM_API_KEY).',
    unreachable:
      'I can’t reach the platform just now. Your message is safe; please ask again in a few minutes.',
    timeout: 'The platform took too long to answer. Please ask again in a moment.',
    rateLimited: (when) =>
      when === undefined
        ? 'The limit of the platform is reached for now. Please ask again later.'
        : `The limit of the platform is reached for now. You can ask again at ${when}.`,
    locked: 'The files here are being indexed just now. Please ask again in a minute.',
    cut: 'The connection to the model broke in the middle. Please ask again.',
    empty: 'The model answered with nothing at all. Please ask again, or in other words.',
    server: (detail) => `The platform reported an error: ${detail} Please ask again in a moment.`,
    refused: (detail) => `The platform did not accept this: ${detail}`,
    noTranscription: (detail) => `I could not turn this recording into text: ${detail}`,
    noSpeechModel:
      'I can’t listen to recordings here: no speech model is set up. Please type your question; whoever runs me can set one (UPSTREAM_TRANSCRIPTION_MODEL).',
    internal: 'Something went wrong on my side. It is in the log; please try again.',
  },
}

const DE: Texts = {
  references: referencesDe,
  scope: scopeDe,
  files: filesDe,
  voice: voiceDe,
  honest: honestDe,
  conversation: conversationDe,
  feedback: feedbackDe,
  budget: budgetDe,
  thinking: 'liest …',
  listening: 'hört zu …',
  dropFirst:
    'Ich antworte aus den Dateien, die hier abgelegt werden, und noch liegt keine hier. Leg eine ab (PDF, Office, Text, Mail …); sobald ihre Quittung *bereit* meldet, frag mich noch einmal.',
  waitFirst:
    'Ich antworte aus den Dateien, die hier abgelegt werden, und keine davon ist bereit. `dateien` zeigt, wie weit sie sind oder woran es lag; sobald eine Quittung *bereit* meldet, frag mich noch einmal.',
  notFromFiles: '_Nicht aus Dateien: hier liegt noch keine._',
  notYetFromFiles: '_Nicht aus Dateien: keine, die hier abgelegt wurde, ist bereit. `dateien` zeigt, warum._',
  cutByLength:
    '_Die Antwort endet hier, weil das Modell seine Längengrenze erreicht hat. Bitte mich fortzufahren._',
  stopped: '_Angehalten._',
  brokeOff: (why) => `**Diese Antwort ist nicht vollständig.** ${why}`,
  nothingHeard:
    'In dieser Aufnahme war kein Wort zu verstehen. Bitte sprich sie näher am Mikrofon noch einmal auf.',
  explainDrop:
    'Dateien, die hier abgelegt werden, kommen in eine eigene Sammlung; aus ihr beantworte ich Fragen und zitiere die Stellen.',
  stopCollecting: 'Hier keine Dateien sammeln',
  collectingOff: 'Dateien in diesem Kanal lasse ich ab jetzt in Ruhe. Mit `files on` sammle ich sie wieder.',
  collectingOn: 'Dateien, die in diesem Kanal abgelegt werden, gehören ab jetzt zu seinem Wissen.',
  notCollecting: 'In diesem Kanal sammle ich keine Dateien. Mit `files on` schaltest du es ein.',
  help: [
    'Erwähne mich mit einer Frage, oder schreib mir direkt: ich antworte aus den Dateien, die dort abgelegt wurden, mit Belegen.',
    '- Leg eine Datei ab (PDF, Text, Markdown, Office, EPUB, HTML, Mail, CSV): ab dann antworte ich auch aus ihr.',
    voiceDe.help,
    '- `files off` und `files on`: Dateien hier in Ruhe lassen oder sammeln.',
    ...filesDe.help,
    ...scopeDe.help,
    ...honestDe.help,
    ...conversationDe.help,
    budgetDe.help,
  ].join('\n'),
  gaveUpAfterDeaths:
    'Ich bin mehrmals abgestürzt, während ich daran gearbeitet habe, und gebe es deshalb auf. Versuch es in kleineren Teilen, oder sag es denen, die mich betreiben: Es steht im Protokoll.',
  giveUp:
    'Bei mir ist etwas schiefgegangen, und ich konnte das nicht zu Ende bringen. Es steht im Protokoll; bitte frag noch einmal, und sag es denen, die mich betreiben, falls es bleibt.',
  receipt: {
    received: 'angekommen',
    downloading: 'wird geladen',
    converting: 'wird umgewandelt',
    uploading: 'wird übertragen',
    indexing: 'wird indiziert',
    ready: (chunks) => `bereit · ${chunks} ${chunks === 1 ? 'Abschnitt' : 'Abschnitte'}`,
    failed: (why) => `fehlgeschlagen: ${why}`,
    removed: 'entfernt',
  },
  replaced: 'ersetzt die frühere Datei dieses Namens',
  known: 'dieselbe Datei lag hier schon',
  fileEmpty: 'die Datei ist leer. Bitte prüfen und noch einmal ablegen.',
  fileTooLarge: (megabytes) =>
    `die Datei ist größer als ${megabytes} MB, mehr nehme ich nicht. Bitte teilen.`,
  fileUnsupported:
    'diese Art kann ich nicht lesen. Ich nehme PDF-, Text-, Markdown-, Office-, EPUB-, HTML-, Mail- und CSV-Dateien: bitte als eine davon speichern und ablegen.',
  fileGone: (why) => `sie ließ sich nicht laden: ${why}`,
  filePlatformKey:
    'die Plattform hat meinen Schlüssel abgelehnt. Wer mich betreibt, kann einen neuen setzen (PLATFORM_API_KEY).',
  filePlatformAway:
    'die Plattform konnte sie gerade nicht annehmen. Bitte in ein paar Minuten erneut versuchen.',
  indexSlow:
    'die Plattform wurde mit dem Indizieren nicht rechtzeitig fertig. Die Datei liegt dort; versuch es später erneut.',
  noChunks:
    'darin war kein Text zu finden. Ist es ein Scan, lass eine Texterkennung darüber laufen und leg ihn neu ab.',
  failures: {
    unauthorized:
      'Die Plattform hat meinen Schlüssel abgelehnt: er ist falsch oder abgelaufen. Wer mich betreibt, kann einen neuen setzen (PLATFORM_API_KEY).',
    unreachable:
      'Ich erreiche die Plattform gerade nicht. Deine Nachricht ist nicht verloren; bitte frag in ein paar Minuten noch einmal.',
    timeout: 'Die Plattform hat zu lange gebraucht. Bitte frag gleich noch einmal.',
    rateLimited: (when) =>
      when === undefined
        ? 'Das Kontingent der Plattform ist im Augenblick aufgebraucht. Bitte frag später noch einmal.'
        : `Das Kontingent der Plattform ist im Augenblick aufgebraucht. Ab ${when} kannst du wieder fragen.`,
    locked: 'Die Dateien hier werden gerade indiziert. Bitte frag in einer Minute noch einmal.',
    cut: 'Die Verbindung zum Modell ist mittendrin abgerissen. Bitte frag noch einmal.',
    empty: 'Das Modell hat gar nichts geantwortet. Bitte frag noch einmal oder mit anderen Worten.',
    server: (detail) => `Die Plattform meldet einen Fehler: ${detail} Bitte frag gleich noch einmal.`,
    refused: (detail) => `Die Plattform hat das nicht angenommen: ${detail}`,
    noTranscription: (detail) => `Diese Aufnahme ließ sich nicht in Text verwandeln: ${detail}`,
    noSpeechModel:
      'Aufnahmen kann ich hier nicht anhören: es ist kein Sprachmodell zum Mitschreiben eingerichtet. Bitte tipp deine Frage; wer mich betreibt, kann eines setzen (UPSTREAM_TRANSCRIPTION_MODEL).',
    internal: 'Bei mir ist etwas schiefgegangen. Es steht im Protokoll; bitte versuch es noch einmal.',
  },
}

/** @param language BCP 47 tag of the person, where the service tells it; English otherwise. */
export function textsFor(language: string | undefined): Texts {
  return language?.toLowerCase().startsWith('de') === true ? DE : EN
}
