import { LANGUAGES } from '#lexicon/languages.ts'
import { matchStart, phrasesIn } from '#lexicon/match.ts'
import { messageLanguage } from '#lexicon/text-language.ts'
import {
  conversationDe,
  conversationEn,
  feedbackDe,
  feedbackEn,
  noAnswerDe,
  noAnswerEn,
  referencesDe,
  referencesEn,
  shelfDe,
  shelfEn,
} from './answers.ts'
import { channelsDe, channelsEn } from './channels.ts'
import { commandsDe, commandsEn } from './commands.ts'
import { failuresDe, failuresEn } from './errors.ts'
import { settingsDe, settingsEn } from './settings.ts'
import { escalationDe, escalationEn } from './escalation.ts'
import { usageDe, usageEn } from './usage.ts'
import type { Message } from '../port/message.ts'
import { filesDe, filesEn } from './files.ts'
import { voiceDe, voiceEn } from './voice.ts'

const asSentence = (why: string) => `${why.charAt(0).toUpperCase()}${why.slice(1)}`

const HOW_EN = {
  shared:
    'Mention me with a question in a channel, or write to me directly: I answer from the files that were dropped in the same place, with references.',
  alone: 'Ask a question: I answer from the files that were dropped in the same place, with references.',
} as const

const EN = {
  /** The language of these sentences. */
  language: 'en',
  shelf: shelfEn,
  references: referencesEn,
  channels: channelsEn,
  commands: commandsEn,
  settings: settingsEn,
  files: filesEn,
  voice: voiceEn,
  noAnswer: noAnswerEn,
  escalation: escalationEn,
  conversation: conversationEn,
  feedback: feedbackEn,
  usage: usageEn,
  thinking: 'is reading…',
  listening: 'is listening…',
  /** Note under the first question of an absence that is too old for an answer. */
  wasAway: 'I was away when you asked this, so I did not answer. Ask again if you still want to know.',
  /** For a model that can't chat, when the channel has no file. */
  dropFirst:
    'I answer from the files that are dropped here, and there are none yet. Drop one (PDF, Office, text, mail …); when its receipt says *ready*, ask me again.',
  /** For thanks, where no model can converse. */
  welcome: 'You’re welcome.',
  /** The same as `dropFirst`, while dropped files are not ready. */
  waitFirst:
    'I answer from the files that are dropped here, and none of those is ready. `files` shows how far they are, or why they failed; when a receipt says *ready*, ask me again.',
  /** Note under the first answer to each person. */
  automated: (isFromFiles: boolean): string =>
    isFromFiles
      ? 'This is an automated answer from files: check what matters in the file itself.'
      : 'This is an automated answer: check what matters.',
  /** Below the beginning of long code or a long table. */
  answerFile: (file: string, more: number): string => `_${more} more lines: all of it is in **${file}** below._`,
  /** Note under an answer without sources, when the channel has no file. */
  notFromFiles: '_Not from files: none was dropped here yet._',
  notYetFromFiles: '_Not from files: none of those that were dropped here is ready. `files` shows why._',
  cutByLength: '_The answer ends here because the model reached its length limit. Ask me to go on._',
  cutByFilter: '_The answer ends here because a filter of the model stopped it: it is not complete._',
  stopped: '_Stopped._',
  brokeOff: (why: string): string => `**This answer is not complete.** ${why}`,
  nothingHeard:
    'I could not hear any words in this recording. Please record it again, a little closer to the microphone.',
  explainDrop: 'I read the files that are dropped here and answer questions about them. Whoever can read here can ask.',
  stopCollecting: "Don't collect files here",
  collectingOff:
    'Files dropped in this channel are left alone from now on. Say `files on` to me to collect them again.',
  collectingOn: 'From now on I collect the files that are dropped in this channel, and answer from them.',
  notCollecting: 'Collecting files is switched off in this channel. Say `files on` to me to switch it on.',
  /** `isAlone`: one person uses the service, as the page. */
  help: (isAlone: boolean): string =>
    [
      HOW_EN[isAlone ? 'alone' : 'shared'],
      '- Drop a file: I answer from it as soon as it is ready.',
      '- `files` lists the files here. `forget <file>` removes one.',
      '- `help more` lists all commands.',
    ].join('\n'),
  helpMore: (isAlone: boolean): string =>
    [
      HOW_EN[isAlone ? 'alone' : 'shared'],
      '- Drop a file (PDF, text, markdown, Office, EPUB, HTML, mail, CSV): I answer from it from then on.',
      voiceEn.help,
      '- `files off` and `files on`: leave dropped files alone here, or collect them.',
      ...filesEn.help,
      ...escalationEn.help,
      ...(isAlone ? [] : [...channelsEn.help, escalationEn.helpGroup]),
      ...conversationEn.help,
      usageEn.help,
    ].join('\n'),
  gaveUpAfterDeaths:
    'I stopped several times while I worked on this, so I have put it aside. Your message need not be the cause: press Retry, and tell whoever runs me if it happens again. It is in the log.',
  giveUp:
    'Something went wrong on my side and I could not finish this. It is in the log; please try again, and tell whoever runs me if it happens again.',
  blocked:
    'The moderation rules of this server (AutoMod) blocked what I wanted to write here, so it is not shown. Ask whoever administers the server to exempt my role from the rule, or ask in another way.',
  /** @param link to the message that asked */
  closed: (link: string): string =>
    `I could not answer you there: the thread is closed or locked, so I may not write in it. ${link}\nAsk somebody who manages it to open it again, or to give my role *Manage Threads*. Then ask me once more.`,
  tryingAgain: 'I am trying this again.',
  receipt: {
    received: 'received',
    downloading: 'downloading',
    converting: 'converting',
    uploading: 'uploading',
    indexing: 'indexing',
    ready: 'ready',
    failed: (why: string): string => `failed. ${asSentence(why)}`,
    files: (count: number): string => `${count} files`,
    removed: 'removed',
  },
  replaced: 'replaces the earlier file of this name',
  known: 'the same file was here already',
  fileEmpty: 'the file is empty. Check it and drop it again.',
  fileTooLarge: (megabytes: number): string =>
    `the file is larger than ${megabytes} MB, the most I take. Split it and drop the parts.`,
  fileUnsupported:
    'I can’t read this kind of file. I take PDF, text, markdown, Office, EPUB, HTML, mail and CSV files: export it as one of these and drop that.',
  fileGone: (why: string): string => `it could not be downloaded. ${why}`,
  fileGivenUp:
    'I stopped several times while I worked on it. Press Retry, and tell whoever runs me if it happens again.',
  filePlatformKey: 'the platform does not let me in any more. Tell whoever runs me; the log says what to do.',
  filePlatformAway: 'the platform could not take it just now. Press Retry in a few minutes.',
  indexSlow:
    'the platform did not finish indexing it in time. It is stored there; press Retry later to have another try.',
  noChunks: 'no text was found in it. If it is a scan, make it larger, upright and sharp, and drop it again.',
  failures: failuresEn,
}

/** All sentences that people read, by topic. Each language is one object. */
export type Texts = typeof EN

const HOW_DE = {
  shared:
    'Erwähne mich in einem Kanal mit einer Frage, oder schreib mir direkt: ich antworte aus den Dateien, die am selben Ort abgelegt wurden, mit Belegen.',
  alone: 'Stell eine Frage: ich antworte aus den Dateien, die am selben Ort abgelegt wurden, mit Belegen.',
} as const

const DE: Texts = {
  language: 'de',
  shelf: shelfDe,
  references: referencesDe,
  channels: channelsDe,
  commands: commandsDe,
  settings: settingsDe,
  files: filesDe,
  voice: voiceDe,
  noAnswer: noAnswerDe,
  escalation: escalationDe,
  conversation: conversationDe,
  feedback: feedbackDe,
  usage: usageDe,
  thinking: 'liest …',
  listening: 'hört zu …',
  wasAway:
    'Ich war nicht da, als du das gefragt hast, und habe deshalb nicht geantwortet. Frag noch einmal, wenn du es noch wissen willst.',
  dropFirst:
    'Ich antworte aus den Dateien, die hier abgelegt werden, und noch liegt keine hier. Leg eine ab (PDF, Office, Text, Mail …); sobald ihre Quittung *bereit* meldet, frag mich noch einmal.',
  welcome: 'Gern.',
  waitFirst:
    'Ich antworte aus den Dateien, die hier abgelegt werden, und keine davon ist bereit. `dateien` zeigt, wie weit sie sind oder woran es lag; sobald eine Quittung *bereit* meldet, frag mich noch einmal.',
  automated: (isFromFiles) =>
    isFromFiles
      ? 'Das ist eine automatische Antwort aus Dateien: Prüfe in der Datei selbst, worauf es ankommt.'
      : 'Das ist eine automatische Antwort: Prüfe, worauf es ankommt.',
  answerFile: (file, more) => `_${more} weitere Zeilen: alles steht unten in **${file}**._`,
  notFromFiles: '_Nicht aus Dateien: hier liegt noch keine._',
  notYetFromFiles: '_Nicht aus Dateien: keine, die hier abgelegt wurde, ist bereit. `dateien` zeigt, warum._',
  cutByLength: '_Die Antwort endet hier, weil das Modell seine Längengrenze erreicht hat. Bitte mich fortzufahren._',
  cutByFilter: '_Die Antwort endet hier, weil ein Filter des Modells sie abgebrochen hat: Sie ist nicht vollständig._',
  stopped: '_Angehalten._',
  brokeOff: (why) => `**Diese Antwort ist nicht vollständig.** ${why}`,
  nothingHeard: 'In dieser Aufnahme war kein Wort zu verstehen. Bitte sprich sie näher am Mikrofon noch einmal auf.',
  explainDrop:
    'Ich lese die Dateien, die hier abgelegt werden, und beantworte Fragen dazu. Fragen kann, wer hier mitlesen kann.',
  stopCollecting: 'Hier keine Dateien sammeln',
  collectingOff: 'Dateien in diesem Kanal lasse ich ab jetzt in Ruhe. Mit `files on` sammle ich sie wieder.',
  collectingOn: 'Ab jetzt sammle ich die Dateien, die in diesem Kanal abgelegt werden, und antworte aus ihnen.',
  notCollecting: 'In diesem Kanal sammle ich keine Dateien. Mit `files on` schaltest du es ein.',
  help: (isAlone) =>
    [
      HOW_DE[isAlone ? 'alone' : 'shared'],
      '- Leg eine Datei ab: Sobald sie bereit ist, antworte ich auch aus ihr.',
      '- `dateien` zeigt die Dateien hier. `vergiss <Datei>` entfernt eine.',
      '- `hilfe mehr` zeigt alle Befehle.',
    ].join('\n'),
  helpMore: (isAlone) =>
    [
      HOW_DE[isAlone ? 'alone' : 'shared'],
      '- Leg eine Datei ab (PDF, Text, Markdown, Office, EPUB, HTML, Mail, CSV): ab dann antworte ich auch aus ihr.',
      voiceDe.help,
      '- `files off` und `files on`: Dateien hier in Ruhe lassen oder sammeln.',
      ...filesDe.help,
      ...escalationDe.help,
      ...(isAlone ? [] : [...channelsDe.help, escalationDe.helpGroup]),
      ...conversationDe.help,
      usageDe.help,
    ].join('\n'),
  gaveUpAfterDeaths:
    'Ich wurde mehrmals beendet, während ich daran gearbeitet habe, und habe es deshalb zurückgestellt. Deine Nachricht muss nicht der Grund sein: Drück „Erneut versuchen“, und sag es denen, die mich betreiben, falls es wieder geschieht. Es steht im Protokoll.',
  giveUp:
    'Bei mir ist etwas schiefgegangen, und ich konnte das nicht zu Ende bringen. Es steht im Protokoll; bitte versuch es noch einmal, und sag es denen, die mich betreiben, falls es wieder geschieht.',
  blocked:
    'Die Moderationsregeln dieses Servers (AutoMod) haben blockiert, was ich hier schreiben wollte; deshalb ist es nicht zu sehen. Bitte die Verwaltung des Servers, meine Rolle von der Regel auszunehmen, oder frag anders.',
  closed: (link: string): string =>
    `Ich konnte dir dort nicht antworten: Der Thread ist geschlossen oder gesperrt, deshalb darf ich darin nicht schreiben. ${link}\nBitte jemanden, der ihn verwaltet, ihn wieder zu öffnen oder meiner Rolle *Threads verwalten* zu geben. Frag mich dann noch einmal.`,
  tryingAgain: 'Ich versuche es noch einmal.',
  receipt: {
    received: 'angekommen',
    downloading: 'wird geladen',
    converting: 'wird umgewandelt',
    uploading: 'wird übertragen',
    indexing: 'wird indiziert',
    ready: 'bereit',
    failed: (why) => `fehlgeschlagen. ${asSentence(why)}`,
    files: (count) => `${count} Dateien`,
    removed: 'entfernt',
  },
  replaced: 'ersetzt die frühere Datei dieses Namens',
  known: 'dieselbe Datei lag hier schon',
  fileEmpty: 'die Datei ist leer. Bitte prüfen und noch einmal ablegen.',
  fileTooLarge: (megabytes) => `die Datei ist größer als ${megabytes} MB, mehr nehme ich nicht. Bitte teilen.`,
  fileUnsupported:
    'Dateien dieser Art kann ich nicht lesen. Ich nehme PDF-, Text-, Markdown-, Office-, EPUB-, HTML-, Mail- und CSV-Dateien: bitte als eine davon speichern und ablegen.',
  fileGone: (why) => `sie ließ sich nicht laden. ${why}`,
  fileGivenUp:
    'Ich wurde mehrmals beendet, während ich daran gearbeitet habe. Drück „Erneut versuchen“, und sag es denen, die mich betreiben, falls es wieder geschieht.',
  filePlatformKey:
    'die Plattform lässt mich nicht mehr hinein. Sag es denen, die mich betreiben; im Protokoll steht, was zu tun ist.',
  filePlatformAway: 'die Plattform konnte sie gerade nicht annehmen. Bitte in ein paar Minuten erneut versuchen.',
  indexSlow:
    'die Plattform wurde mit dem Indizieren nicht rechtzeitig fertig. Die Datei liegt dort; versuch es später erneut.',
  noChunks: 'darin war kein Text zu finden. Ist es ein Scan, mach ihn größer, aufrecht und scharf und leg ihn neu ab.',
  failures: failuresDe,
}

/** Sentences of each language, by ISO 639-1. */
const TEXTS: ReadonlyMap<string, Texts> = new Map([EN, DE].map((texts) => [texts.language, texts]))

/** @param language BCP 47 tag of the person, if the service provides it; default English */
export function textsFor(language: string | undefined): Texts {
  return TEXTS.get(language?.toLowerCase().split('-', 1)[0] ?? '') ?? EN
}

/** Commands by which a message is in their language. */
const COMMANDS = LANGUAGES.map(({ code, commandStarts }) => ({ code, starts: matchStart(phrasesIn(commandStarts)) }))

/** Names of files and quotations are in the language of somebody else. */
const QUOTED = /"[^"\n]*"|`[^`\n]*`|[„“«][^„“”«»\n]*[“”»]|(?<![^\s"])[^\s"]+\.[a-z][a-z\d]{1,4}\b/gi
/** Words by which a message overrules what the service reports: a `thanks` alone is said in every language. */
const MIN_LEAD = 2

/**
 * The language for replies: the one that was chosen here, that of the message where its words tell, else as the service
 * reports it. Undefined: unknown.
 */
export function languageOf({ author, text }: Pick<Message, 'author' | 'text'>): string | undefined {
  const { language, isLanguageChosen } = author
  if (isLanguageChosen === true) return language
  const command = COMMANDS.find(({ starts }) => starts.test(text))?.code
  const said = command ?? messageLanguage(text.replaceAll(QUOTED, ' '), language === undefined ? 1 : MIN_LEAD)
  const isOfAuthor = said === undefined || language?.toLowerCase().split('-', 1)[0] === said
  return isOfAuthor ? language : said
}
