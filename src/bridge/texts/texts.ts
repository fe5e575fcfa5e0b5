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
    'Mention me with a question, or send me a direct message. I answer from the files that were dropped in the same place, and show the passages.',
  alone: 'Ask a question. I answer from the files that were dropped in the same place, and show the passages.',
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
    'There are no files here yet. Drop one (PDF, Office, text, mail …). When its receipt says *ready*, ask me again.',
  /** For thanks, where no model can converse. */
  welcome: 'You’re welcome.',
  /** The same as `dropFirst`, while dropped files are not ready. */
  waitFirst:
    'None of the files here is ready yet. `files` shows how far they are, or why they failed. When a receipt says *ready*, ask me again.',
  /** Note under the first answer to each person. */
  automated: (isFromFiles: boolean): string =>
    isFromFiles
      ? 'This is an automated answer from files. Check what matters in the file itself.'
      : 'This is an automated answer. Check what matters.',
  /** Below the beginning of long code or a long table. */
  answerFile: (file: string, more: number): string => `_${more} more lines: all of it is in **${file}** below._`,
  /** Note under an answer without sources, when the channel has no file. */
  notFromFiles: '_Not from files: there are none here yet._',
  notYetFromFiles: '_Not from files: none of the files here is ready. `files` shows why._',
  cutByLength: '_The answer ends here because the model reached its length limit. Ask me to go on._',
  cutByFilter: '_A filter of the model stopped the answer here. It is not complete._',
  stopped: '_Stopped._',
  brokeOff: (why: string): string => `**This answer is not complete.** ${why}`,
  nothingHeard:
    'I could not hear any words in this recording. Please record it again, a little closer to the microphone.',
  explainDrop: 'I read the files that are dropped here and answer questions about them. Whoever can read here can ask.',
  stopCollecting: "Don't collect files here",
  collectingOff: 'From now on I leave files in this channel alone. Say `files on` to me to have me collect them again.',
  collectingOn: 'From now on I collect the files that are dropped in this channel, and answer from them.',
  notCollecting: 'I do not collect files in this channel. Say `files on` to me to change that.',
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
      '- `files off`: I leave dropped files alone here. `files on`: I collect them again.',
      ...filesEn.help,
      ...escalationEn.help,
      ...(isAlone ? [] : [...channelsEn.help, escalationEn.helpGroup]),
      ...conversationEn.help,
      usageEn.help,
    ].join('\n'),
  gaveUpAfterDeaths:
    'I stopped several times while I worked on this, so I have put it aside. Your message may not be the cause: press Retry. If it happens again, tell whoever runs me; the log says more.',
  giveUp:
    'Something went wrong on my side, and I could not finish this. Please try again. If it happens again, tell whoever runs me; the log says why.',
  blocked:
    'The moderation rules of this server (AutoMod) blocked my message. Ask an administrator of the server to exempt my role from the rule, or ask in another way.',
  /** @param link to the message that asked. @param canRetry a button does it once more */
  closed: (link: string | undefined, canRetry: boolean): string =>
    `I could not answer ${link === undefined ? 'you' : `[your message](${link})`}: the thread is closed or locked, so I may not write in it. Ask somebody who manages it to open it again (on Discord: or to give my role *Manage Threads*). Then ${canRetry ? 'press *Retry*' : 'ask me once more'}.`,
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
  fileGone: (why: string): string => `could not be downloaded. ${why}`,
  fileGivenUp: 'I stopped several times while I worked on it. Press Retry. If it happens again, tell whoever runs me.',
  filePlatformKey: 'the platform refuses my key. Tell whoever runs me; the log says what to do.',
  filePlatformAway: 'the platform could not take it just now. Press Retry in a few minutes.',
  indexSlow: 'the platform did not finish indexing it in time. The file is stored: press Retry later.',
  noChunks: 'no text was found in it. If it is a scan, make it larger, upright and sharp, and drop it again.',
  failures: failuresEn,
}

/** All sentences that people read, by topic. Each language is one object. */
export type Texts = typeof EN

const HOW_DE = {
  shared:
    'Erwähne mich mit einer Frage, oder schreib mir direkt. Ich antworte aus den Dateien, die am selben Ort abgelegt wurden, und zeige die Stellen.',
  alone: 'Stell eine Frage. Ich antworte aus den Dateien, die am selben Ort abgelegt wurden, und zeige die Stellen.',
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
    'Hier liegt noch keine Datei. Leg eine ab (PDF, Office, Text, Mail …). Sobald ihre Quittung *bereit* meldet, frag mich noch einmal.',
  welcome: 'Gern.',
  waitFirst:
    'Noch ist keine der Dateien hier bereit. `dateien` zeigt, wie weit sie sind oder woran es lag. Sobald eine Quittung *bereit* meldet, frag mich noch einmal.',
  automated: (isFromFiles) =>
    isFromFiles
      ? 'Das ist eine automatische Antwort aus Dateien: Prüfe in der Datei selbst, worauf es ankommt.'
      : 'Das ist eine automatische Antwort: Prüfe, worauf es ankommt.',
  answerFile: (file, more) => `_${more} weitere Zeilen: alles steht unten in **${file}**._`,
  notFromFiles: '_Nicht aus Dateien: hier liegt noch keine._',
  notYetFromFiles: '_Nicht aus Dateien: Keine der Dateien hier ist bereit. `dateien` zeigt, warum._',
  cutByLength:
    '_Die Antwort endet hier, weil das Modell seine Längengrenze erreicht hat. Sag mir, dass ich weiterschreiben soll._',
  cutByFilter: '_Ein Filter des Modells hat die Antwort hier abgebrochen. Sie ist nicht vollständig._',
  stopped: '_Angehalten._',
  brokeOff: (why) => `**Diese Antwort ist nicht vollständig.** ${why}`,
  nothingHeard: 'In dieser Aufnahme war kein Wort zu verstehen. Bitte sprich sie näher am Mikrofon noch einmal auf.',
  explainDrop:
    'Ich lese die Dateien, die hier abgelegt werden, und beantworte Fragen dazu. Fragen kann, wer hier mitlesen kann.',
  stopCollecting: 'Hier keine Dateien sammeln',
  collectingOff: 'Dateien in diesem Kanal lasse ich ab jetzt in Ruhe. Sag `files on`, damit ich sie wieder sammle.',
  collectingOn: 'Ab jetzt sammle ich die Dateien, die in diesem Kanal abgelegt werden, und antworte aus ihnen.',
  notCollecting: 'In diesem Kanal sammle ich keine Dateien. Sag `files on`, um das zu ändern.',
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
      '- `files off`: Ich lasse Dateien hier in Ruhe. `files on`: Ich sammle sie wieder.',
      ...filesDe.help,
      ...escalationDe.help,
      ...(isAlone ? [] : [...channelsDe.help, escalationDe.helpGroup]),
      ...conversationDe.help,
      usageDe.help,
    ].join('\n'),
  gaveUpAfterDeaths:
    'Ich wurde mehrmals beendet, während ich daran gearbeitet habe, und habe es deshalb zurückgestellt. Deine Nachricht muss nicht der Grund sein: Drück „Erneut versuchen“. Geschieht es wieder, sag es denen, die mich betreiben; im Protokoll steht mehr.',
  giveUp:
    'Bei mir ist etwas schiefgegangen, und ich konnte das nicht zu Ende bringen. Bitte versuch es noch einmal. Geschieht es wieder, sag es denen, die mich betreiben; der Grund steht im Protokoll.',
  blocked:
    'Die Moderationsregeln dieses Servers (AutoMod) haben meine Nachricht blockiert. Bitte die Verwaltung des Servers, meine Rolle von der Regel auszunehmen, oder frag anders.',
  closed: (link, canRetry) =>
    `${link === undefined ? 'Dir' : `Auf [deine Nachricht](${link})`} konnte ich nicht antworten: Der Thread ist geschlossen oder gesperrt, deshalb darf ich darin nicht schreiben. Bitte jemanden, der ihn verwaltet, ihn wieder zu öffnen (auf Discord: oder meiner Rolle *Threads verwalten* zu geben). ${canRetry ? 'Drück dann auf *Erneut versuchen*' : 'Frag mich dann noch einmal'}.`,
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
  fileTooLarge: (megabytes) =>
    `die Datei ist größer als ${megabytes} MB; mehr nehme ich nicht. Teil sie auf, und leg die Teile ab.`,
  fileUnsupported:
    'Dateien dieser Art kann ich nicht lesen. Ich nehme PDF-, Text-, Markdown-, Office-, EPUB-, HTML-, Mail- und CSV-Dateien: bitte als eine davon speichern und ablegen.',
  fileGone: (why) => `Herunterladen nicht möglich. ${why}`,
  fileGivenUp:
    'Ich wurde mehrmals beendet, während ich daran gearbeitet habe. Drück „Erneut versuchen“. Geschieht es wieder, sag es denen, die mich betreiben.',
  filePlatformKey:
    'die Plattform lehnt meinen Schlüssel ab. Sag es denen, die mich betreiben; im Protokoll steht, was zu tun ist.',
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
