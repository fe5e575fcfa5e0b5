const marks = (numbers: readonly number[]) => numbers.map((number) => `[${number}]`).join(' ')

/** Sentences about the references under an answer. */
export const referencesEn = {
  /** The answer cites none of them. */
  read: '_This answer does not name its passages. These are the ones that were read for it:_',
  /** Numbers whose files could not be looked into in time. */
  unchecked: (numbers: readonly number[]): string =>
    `_Not checked: ${marks(numbers)}. I could not look into the file in time, so I don’t quote it. Ask again in a moment._`,
  /** The answer cites passages, and no file contains any of them. */
  noneStands: '_The files here do not contain what this answer cites, so I show no reference. Treat it with care._',
}

export const referencesDe: typeof referencesEn = {
  read: '_Diese Antwort nennt ihre Stellen nicht. Gelesen wurden dafür diese:_',
  unchecked: (numbers) =>
    `_Nicht geprüft: ${marks(numbers)}. Ich konnte nicht rechtzeitig in die Datei sehen und zitiere sie deshalb nicht. Bitte frag gleich noch einmal._`,
  noneStands:
    '_Keine Datei hier enthält, was diese Antwort zitiert; darum zeige ich keinen Beleg. Bitte mit Vorsicht lesen._',
}

/** Sentences about judging an answer. */
export const feedbackEn = {
  up: '👍',
  down: '👎',
  reasonTitle: 'What was wrong?',
  reasonLabel: 'In a few words, if you like',
  thanksUp: 'Thanks, noted.',
  thanksDown: 'Thanks, noted. Whoever runs me can see it, and improve me.',
  /** The answer is not on record any more. */
  tooOld: 'I have no record of this answer any more.',
  notShownHere: 'I can’t show this here: it comes from the files of another channel, or it was deleted.',
}

export const feedbackDe: typeof feedbackEn = {
  up: '👍',
  down: '👎',
  reasonTitle: 'Was stimmte nicht?',
  reasonLabel: 'In ein paar Worten, wenn du magst',
  thanksUp: 'Danke, ist notiert.',
  thanksDown: 'Danke, ist notiert. Wer mich betreibt, kann es sehen und mich verbessern.',
  tooOld: 'Diese Antwort habe ich nicht mehr in meinen Aufzeichnungen.',
  notShownHere:
    'Das kann ich hier nicht zeigen: Es stammt aus den Dateien eines anderen Kanals, oder es wurde gelöscht.',
}

/** Sentences about other answers, models, and saved messages. */
export const conversationEn = {
  help: [
    '- `model` lists the language models. `model …` chooses one for this conversation.',
    '- `new conversation`: I forget what was said before.',
    '- 📌 on a message, or `keep thread` in a thread: it becomes a file here, with names, times and links.',
  ],
  stop: 'Stop',
  notYours: 'Only the person who asked can stop this answer.',
  passages: 'Passages',
  noPassages: 'No passages are stored for this answer.',
  newConversation: 'New conversation',
  begun: 'This is a new conversation. I no longer use what was said before.',
  another: '↻',
  shorter: 'Shorter',
  longer: 'Longer',
  newestOnly: 'I rewrite only the newest answer of a conversation. Just ask me again.',
  noRewrite: (why: string): string => `The answer stays as it is: ${why}`,
  models: (lines: readonly string[]): string => ['These models can answer in this conversation:', ...lines].join('\n'),
  current: 'answers here now',
  onlyModel: (name: string): string => `There is only one model here: \`${name}\`.`,
  noModel: 'No language model is connected, so I quote the files. An administrator can connect one.',
  /** The same for administrators. */
  noModelYet:
    'No language model is connected, so I quote the files. Connect one with `npm run init`, or by the setting `UPSTREAM_BASE_URL`.',
  modelSet: (name: string): string =>
    `\`${name}\` answers in this conversation from now on. \`model usual\` ends that.`,
  modelSetHere: (name: string): string =>
    `\`${name}\` answers in this channel from now on. Choose \`usual\` to end that.`,
  modelReset: (name: string): string => `The usual model answers here again: \`${name}\`.`,
  modelUnknown: (name: string): string => `There is no model “${name}”. Say \`model\` to see which there are.`,
  withheld: 'The chat service does not show me what your reply says. Mention me in it, or use the command `/ask`.',
  nothingToKeep: 'I find nothing here that I can keep as a file.',
  keepInThread: 'Say this in a thread or as a reply, or put 📌 on a message. I then keep it as a file.',
  /** Heading of a thread that was kept. */
  keptThread: (day: string): string => `Conversation of ${day}`,
  keptMessage: (name: string, day: string): string => `${name}, ${day}`,
  toTheMessage: 'message',
}

export const conversationDe: typeof conversationEn = {
  help: [
    '- `modell` zeigt die Sprachmodelle. `modell …` wählt eines für dieses Gespräch.',
    '- `neues Gespräch`: Ich vergesse, was vorher gesagt wurde.',
    '- 📌 an einer Nachricht oder `keep thread` in einem Thread: Daraus wird hier eine Datei, mit Namen, Zeiten und Links.',
  ],
  stop: 'Anhalten',
  notYours: 'Nur wer gefragt hat, kann diese Antwort anhalten.',
  passages: 'Textstellen',
  noPassages: 'Zu dieser Antwort sind keine Textstellen gespeichert.',
  newConversation: 'Neues Gespräch',
  begun: 'Das ist ein neues Gespräch. Was vorher gesagt wurde, verwende ich nicht mehr.',
  another: '↻',
  shorter: 'Kürzer',
  longer: 'Länger',
  newestOnly: 'Ich schreibe nur die neueste Antwort eines Gesprächs um. Frag mich einfach noch einmal.',
  noRewrite: (why) => `Die Antwort bleibt, wie sie ist: ${why}`,
  models: (lines) => ['Diese Modelle können in diesem Gespräch antworten:', ...lines].join('\n'),
  current: 'antwortet hier jetzt',
  onlyModel: (name) => `Hier gibt es nur ein Modell: \`${name}\`.`,
  noModel: 'Es ist kein Sprachmodell angeschlossen; ich zitiere die Dateien. Administratoren können eines anschließen.',
  noModelYet:
    'Es ist kein Sprachmodell angeschlossen; ich zitiere die Dateien. Mit `npm run init` oder der Einstellung `UPSTREAM_BASE_URL` schließt du eines an.',
  modelSet: (name) => `In diesem Gespräch antwortet ab jetzt \`${name}\`. Mit \`model usual\` endet das.`,
  modelSetHere: (name) => `In diesem Kanal antwortet ab jetzt \`${name}\`. Mit \`usual\` endet das.`,
  modelReset: (name) => `Hier antwortet wieder das übliche Modell: \`${name}\`.`,
  modelUnknown: (name) => `Ein Modell „${name}“ gibt es nicht. Sag \`model\`, um zu sehen, welche es gibt.`,
  withheld:
    'Der Chat-Dienst zeigt mir nicht, was in deiner Antwort steht. Erwähne mich darin, oder nimm den Befehl `/ask`.',
  nothingToKeep: 'Ich finde hier nichts, was ich als Datei behalten kann.',
  keepInThread:
    'Sag das in einem Thread oder als Antwort, oder setz 📌 an eine Nachricht. Dann behalte ich sie als Datei.',
  keptThread: (day) => `Gespräch vom ${day}`,
  keptMessage: (name, day) => `${name}, ${day}`,
  toTheMessage: 'Nachricht',
}

/** Sentences where the files do not answer. */
export const noAnswerEn = {
  notInFiles: '**Not in this channel’s files.**',
  /** In a direct conversation. */
  notInYourFiles: '**Not in your files here.**',
  /** Where words alone were compared. */
  noSuchWords: '**I found no passage with these words.**',
  /** The same, where passages have some of them. */
  noSuchAnswer: '**I am not sure that the files answer this.**',
  /** `withTalk`: a question that depends on earlier ones was searched with their words. */
  comparedWords: (files: number, withTalk: boolean): string =>
    `I looked for the words of your question${withTalk ? ' and of what was said before' : ''} in ${files === 1 ? '1 file' : `${files} files`}.`,
  tryOtherWords: 'Try the words that the files use.',
  nearest: 'These passages may help:',
  searched: (files: number, query: string | undefined): string =>
    `I searched ${files === 1 ? '1 file' : `${files} files`}${query ? ` for “${query}”` : ''} and found nothing that answers it.`,
  searchingInOtherWords: 'is searching in other words…',
  searchedTwice: (files: number, words: string): string =>
    `I searched ${files === 1 ? '1 file' : `${files} files`}, a second time in other words (“${words}”), and found nothing that answers it.`,
}

export const noAnswerDe: typeof noAnswerEn = {
  notInFiles: '**Das steht nicht in den Dateien dieses Kanals.**',
  notInYourFiles: '**Das steht nicht in deinen Dateien hier.**',
  noSuchWords: '**Ich habe keine Stelle mit diesen Wörtern gefunden.**',
  noSuchAnswer: '**Ich bin nicht sicher, ob die Dateien das beantworten.**',
  comparedWords: (files, withTalk) =>
    `Ich habe die Wörter der Frage${withTalk ? ' und des Gesprächs davor' : ''} in ${files === 1 ? 'einer Datei' : `${files} Dateien`} gesucht.`,
  tryOtherWords: 'Versuch es mit den Wörtern der Dateien.',
  nearest: 'Diese Stellen helfen vielleicht:',
  searched: (files, query) =>
    `Ich habe ${files === 1 ? 'eine Datei' : `${files} Dateien`}${query ? ` nach „${query}“` : ''} durchsucht und nichts gefunden, was die Frage beantwortet.`,
  searchingInOtherWords: 'sucht noch einmal mit anderen Worten …',
  searchedTwice: (files, words) =>
    `Ich habe ${files === 1 ? 'eine Datei' : `${files} Dateien`} durchsucht, ein zweites Mal mit anderen Worten („${words}“), und nichts gefunden, was die Frage beantwortet.`,
}

/** Sentences about the files themselves. */
export const shelfEn = {
  contents: (file: string): string => `This is in **${file}**:`,
  table: (columns: string, rows: number): string => `a table of ${rows} ${rows === 1 ? 'row' : 'rows'} (${columns})`,
  moreSections: (count: number): string => `- … and ${count} more ${count === 1 ? 'part' : 'parts'}.`,
  moreFiles: (count: number): string => `… and ${count} more; \`files\` lists all.`,
  noSuchFile: (asked: string): string => `There is no file “${asked}” here. These are the newest:`,
  unread: (file: string): string =>
    `**${file}** can’t be read just now, or is too long for this. \`files\` shows how far it is, or why it failed.`,
  cut: '_The file is longer than I can read at once: this is its beginning._',
  dropped: (file: string, name: string, day: string, version: number, link: string | undefined): string =>
    `**${file}** was dropped by ${name} on ${day}${version > 1 ? `, as version ${version}` : ''}${link === undefined ? '' : `: [message](${link})`}.`,
  news: (count: number, day: string): string =>
    `**${count} ${count === 1 ? 'file is' : 'files are'} new** since ${day}:`,
  nothingNew: (day: string): string => `No file is new since ${day}. The newest one:`,
  newFile: (file: string, name: string, day: string, version: number): string =>
    `**${file}**${version > 1 ? `, version ${version}` : ''} — ${name}, ${day}`,
  newest: (count: number): string =>
    count === 1 ? 'The newest file:' : `The newest files, ${count} dropped together:`,
  several: 'Several files fit. Which one do you mean?',
  pages: (file: string, count: number, isSlides: boolean): string =>
    `**${file}** has ${count} ${isSlides ? 'slide' : 'page'}${count === 1 ? '' : 's'}.`,
  noPages: (file: string): string => `**${file}** has no page numbers. This is in it:`,
  page: (file: string, page: number, isSlide: boolean): string => `**${file}**, ${isSlide ? 'slide' : 'page'} ${page}:`,
  noPage: (page: number, isSlide: boolean): string => `There is no ${isSlide ? 'slide' : 'page'} ${page}.`,
  emptyPage: 'Nothing can be read on it.',
  toForget: (file: string): string => `Write \`forget ${file}\` to remove it. I ask before I do.`,
  onPages: (pages: readonly string[], file: string): string =>
    `It is on ${pages.length === 1 ? 'page' : 'pages'} ${pages.join(', ')} of **${file}**.`,
  inFiles: (files: readonly string[]): string => `It is in ${files.map((file) => `**${file}**`).join(', ')}.`,
}

export const shelfDe: typeof shelfEn = {
  contents: (file) => `Das steht in **${file}**:`,
  table: (columns, rows) => `eine Tabelle mit ${rows} ${rows === 1 ? 'Zeile' : 'Zeilen'} (${columns})`,
  moreSections: (count) => `- … und ${count} ${count === 1 ? 'weiterer Teil' : 'weitere Teile'}.`,
  moreFiles: (count) => `… und ${count} weitere; \`dateien\` nennt alle.`,
  noSuchFile: (asked) => `Eine Datei „${asked}“ kenne ich hier nicht. Die neuesten sind:`,
  unread: (file) =>
    `**${file}** lässt sich gerade nicht lesen oder ist zu lang dafür. \`dateien\` zeigt, wie weit sie ist oder woran es lag.`,
  cut: '_Die Datei ist länger, als ich auf einmal lesen kann: das ist ihr Anfang._',
  dropped: (file, name, day, version, link) =>
    `**${file}** hat ${name} am ${day} abgelegt${version > 1 ? `, als Fassung ${version}` : ''}${link === undefined ? '' : `: [Nachricht](${link})`}.`,
  news: (count, day) => `**${count} ${count === 1 ? 'Datei ist' : 'Dateien sind'} neu** seit dem ${day}:`,
  nothingNew: (day) => `Seit dem ${day} ist keine Datei neu. Die neueste:`,
  newFile: (file, name, day, version) => `**${file}**${version > 1 ? `, Fassung ${version}` : ''} — ${name}, ${day}`,
  newest: (count) => (count === 1 ? 'Die neueste Datei:' : `Die neuesten Dateien, ${count} zusammen abgelegt:`),
  several: 'Mehrere Dateien passen. Welche meinst du?',
  pages: (file, count, isSlides) =>
    `**${file}** hat ${count === 1 ? 'eine' : count} ${isSlides ? 'Folie' : 'Seite'}${count === 1 ? '' : 'n'}.`,
  noPages: (file) => `**${file}** hat keine Seitenzahlen. Das steht darin:`,
  page: (file, page, isSlide) => `**${file}**, ${isSlide ? 'Folie' : 'Seite'} ${page}:`,
  noPage: (page, isSlide) => `Eine ${isSlide ? 'Folie' : 'Seite'} ${page} gibt es nicht.`,
  emptyPage: 'Darauf ist nichts zu lesen.',
  toForget: (file) => `Schreib \`vergiss ${file}\`, um sie zu entfernen. Ich frage vorher nach.`,
  onPages: (pages, file) => `Das steht auf Seite ${pages.join(', ')} von **${file}**.`,
  inFiles: (files) => `Das steht in ${files.map((file) => `**${file}**`).join(', ')}.`,
}
