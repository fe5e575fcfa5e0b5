/** What is said where the files do not answer, and about asking people. */
export interface HonestTexts {
  readonly help: readonly string[]
  readonly notInFiles: string
  /** In a direct conversation. */
  readonly notInYourFiles: string
  readonly searched: (files: number, query: string | undefined) => string
  /** The status while it is searched for in other words. */
  readonly lookingAgain: string
  /** After a second look in vain. */
  readonly searchedAgain: (files: number, words: string) => string
  readonly askPerson: string
  readonly wanted: (question: string) => string
  /** Where nobody in particular can be asked. */
  readonly wantedOfAll: (question: string) => string
  readonly askedAlready: string
  readonly notOpen: string
  readonly fileIt: (name: string) => string
  readonly fileYes: string
  readonly fileNo: string
  readonly notYours: string
  readonly filed: (name: string) => string
  readonly notFiled: string
  /** Under the answer in its file. */
  readonly answeredBy: (name: string, day: string) => string
  readonly gaps: (lines: readonly string[], more: number) => string
  readonly gap: (question: string, name: string, day: string, link: string | undefined) => string
  readonly noGaps: string
  readonly gapClose: (number: number) => string
  readonly gapClosed: (question: string) => string
  readonly gapNotYours: string
  readonly groupSet: (names: string) => string
  readonly groupIs: (names: string) => string
  readonly groupNone: string
  readonly groupOff: string
  readonly groupHow: string
}

const quoted = (question: string) => `> ${question.trim().replaceAll(/\n+/g, '\n> ')}`

export const honestEn: HonestTexts = {
  help: [
    '- `gaps`: the questions that the files here did not answer.',
    '- `ask group @…`, for who administers: whom *Ask a person* asks in this channel.',
  ],
  notInFiles: '**Not in this channel’s files.**',
  notInYourFiles: '**Not in your files here.**',
  searched: (files, query) =>
    `I searched ${files === 1 ? '1 file' : `${files} files`}${query ? ` for “${query}”` : ''} and found nothing that answers it.`,
  lookingAgain: 'is looking again in other words…',
  searchedAgain: (files, words) =>
    `I searched ${files === 1 ? '1 file' : `${files} files`}, a second time in other words (“${words}”), and found nothing that answers it.`,
  askPerson: 'Ask a person',
  wanted: (question) =>
    `Who knows this? The files here do not say, and yours come nearest.\n\n${quoted(question)}\n\nReply to this message; I then offer to keep your answer as a file.`,
  wantedOfAll: (question) =>
    `Who knows this? The files here do not say.\n\n${quoted(question)}\n\nReply to this message; I then offer to keep your answer as a file.`,
  askedAlready: 'People were asked already; the question stands in this conversation.',
  notOpen: 'This question is closed.',
  fileIt: (name) =>
    `Thank you, ${name}. Shall I file this answer, so that it is found and cited from now on? Whoever asked, or whoever replied, can say so.`,
  fileYes: 'File this answer',
  fileNo: 'No',
  notYours: 'Only who asked or who replied can decide this.',
  filed: (name) => `Filed: the answer of ${name} is one of this channel’s files now.`,
  notFiled: 'Not filed.',
  answeredBy: (name, day) => `Answered by ${name} on ${day}.`,
  gaps: (lines, more) =>
    [
      'These questions were not answered by the files here:',
      ...lines,
      ...(more > 0 ? [`… and ${more} more.`] : []),
    ].join('\n'),
  gap: (question, name, day, link) => `“${question}” — ${name}, ${day}${link ? ` · [message](${link})` : ''}`,
  noGaps: 'No question is open here: the files answered all of them, or somebody did.',
  gapClose: (number) => `Close ${number}`,
  gapClosed: (question) => `Closed: “${question}”`,
  gapNotYours: 'Only who asked, or who administers this channel, can close this question.',
  groupSet: (names) => `From now on *Ask a person* asks ${names} here. \`ask group off\` ends that.`,
  groupIs: (names) => `*Ask a person* asks ${names} here. \`ask group off\` ends that.`,
  groupNone: '*Ask a person* asks those here who dropped the nearest files. `ask group @…` names others.',
  groupOff: '*Ask a person* asks again those who dropped the nearest files.',
  groupHow: 'Mention the people to be asked: `ask group @…`.',
}

export const honestDe: HonestTexts = {
  help: [
    '- `gaps`: die Fragen, die die Dateien hier nicht beantwortet haben.',
    '- `ask group @…`, für alle, die verwalten: wen *Einen Menschen fragen* in diesem Kanal fragt.',
  ],
  notInFiles: '**Das steht nicht in den Dateien dieses Kanals.**',
  notInYourFiles: '**Das steht nicht in deinen Dateien hier.**',
  searched: (files, query) =>
    `Ich habe ${files === 1 ? 'eine Datei' : `${files} Dateien`}${query ? ` nach „${query}“` : ''} durchsucht und nichts gefunden, was die Frage beantwortet.`,
  lookingAgain: 'sucht noch einmal mit anderen Worten …',
  searchedAgain: (files, words) =>
    `Ich habe ${files === 1 ? 'eine Datei' : `${files} Dateien`} durchsucht, ein zweites Mal mit anderen Worten („${words}“), und nichts gefunden, was die Frage beantwortet.`,
  askPerson: 'Einen Menschen fragen',
  wanted: (question) =>
    `Wer weiß das? In den Dateien hier steht es nicht, und eure kommen ihm am nächsten.\n\n${quoted(question)}\n\nAntwortet auf diese Nachricht; dann biete ich an, die Antwort als Datei zu behalten.`,
  wantedOfAll: (question) =>
    `Wer weiß das? In den Dateien hier steht es nicht.\n\n${quoted(question)}\n\nAntwortet auf diese Nachricht; dann biete ich an, die Antwort als Datei zu behalten.`,
  askedAlready: 'Es wurde schon jemand gefragt; die Frage steht in diesem Gespräch.',
  notOpen: 'Diese Frage ist abgeschlossen.',
  fileIt: (name) =>
    `Danke, ${name}. Soll ich diese Antwort ablegen, damit sie ab jetzt gefunden und zitiert wird? Wer gefragt oder geantwortet hat, kann das sagen.`,
  fileYes: 'Antwort ablegen',
  fileNo: 'Nein',
  notYours: 'Das können nur entscheiden, wer gefragt und wer geantwortet hat.',
  filed: (name) => `Abgelegt: die Antwort von ${name} gehört jetzt zu den Dateien dieses Kanals.`,
  notFiled: 'Nicht abgelegt.',
  answeredBy: (name, day) => `Beantwortet von ${name} am ${day}.`,
  gaps: (lines, more) =>
    [
      'Diese Fragen haben die Dateien hier nicht beantwortet:',
      ...lines,
      ...(more > 0 ? [`… und ${more} weitere.`] : []),
    ].join('\n'),
  gap: (question, name, day, link) =>
    `„${question}“ — ${name}, ${day}${link ? ` · [Nachricht](${link})` : ''}`,
  noGaps: 'Hier ist keine Frage offen: die Dateien haben alle beantwortet, oder jemand hat es getan.',
  gapClose: (number) => `${number} schließen`,
  gapClosed: (question) => `Abgeschlossen: „${question}“`,
  gapNotYours: 'Diese Frage können nur schließen, wer sie gestellt hat und wer diesen Kanal verwaltet.',
  groupSet: (names) =>
    `Ab jetzt fragt *Einen Menschen fragen* hier ${names}. Mit \`ask group off\` endet das.`,
  groupIs: (names) => `*Einen Menschen fragen* fragt hier ${names}. Mit \`ask group off\` endet das.`,
  groupNone:
    '*Einen Menschen fragen* fragt hier, wer die nächstliegenden Dateien abgelegt hat. `ask group @…` nennt andere.',
  groupOff: '*Einen Menschen fragen* fragt wieder, wer die nächstliegenden Dateien abgelegt hat.',
  groupHow: 'Erwähne, wer gefragt werden soll: `ask group @…`.',
}
