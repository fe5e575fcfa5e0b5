const quoted = (question: string) => `> ${question.trim().replaceAll(/\n+/g, '\n> ')}`

/** Sentences about asking people, and about unanswered questions. */
export const escalationEn = {
  help: ['- `gaps` lists the questions that the files here did not answer.'],
  helpGroup: '- For administrators: `ask group @…` names the people that *Ask a person* asks in this channel.',
  askPerson: 'Ask a person',
  wanted: (question: string): string =>
    `Who knows this? The files here do not answer it; yours come nearest.\n\n${quoted(question)}\n\nReply to this message. I then offer to keep your answer as a file.`,
  /** For channels where no particular person can be asked. */
  wantedOfAll: (question: string): string =>
    `Who knows this? The files here do not answer it.\n\n${quoted(question)}\n\nReply to this message. I then offer to keep your answer as a file.`,
  askedAlready: 'I have already asked: the question is in this conversation.',
  notOpen: 'This question is closed.',
  fileIt: (name: string): string =>
    `Thank you, ${name}. Shall I save this answer as a file, so that I find and cite it from now on? The person who asked or the one who replied can decide.`,
  fileYes: 'Save this answer',
  fileNo: 'No',
  notYours: 'Only the person who asked or the one who replied can decide this.',
  filed: (name: string): string => `Saved: the answer of ${name} is one of this channel’s files now.`,
  notFiled: 'Not saved.',
  /** The line under the answer in its file. */
  answeredBy: (name: string, day: string): string => `Answered by ${name} on ${day}.`,
  gaps: (lines: readonly string[], more: number): string =>
    [
      'These questions are open: the files here did not answer them.',
      ...lines,
      ...(more > 0 ? [`… and ${more} more.`] : []),
    ].join('\n'),
  gap: (question: string, name: string, day: string, link: string | undefined): string =>
    `“${question}” — ${name}, ${day}${link ? ` · [message](${link})` : ''}`,
  noGaps: 'No question is open here: the files answered all of them, or somebody did.',
  gapClose: (number: number): string => `Close ${number}`,
  gapClosed: (question: string): string => `Closed: “${question}”`,
  gapNotYours: 'Only the person who asked, or somebody who administers this channel, can close this question.',
  groupSet: (names: string): string => `From now on *Ask a person* asks ${names} here. \`ask group off\` ends that.`,
  groupIs: (names: string): string => `*Ask a person* asks ${names} here. \`ask group off\` ends that.`,
  groupNone:
    '*Ask a person* asks the people here whose files come nearest to the question. `ask group @…` names others.',
  groupOff: '*Ask a person* again asks the people whose files come nearest to the question.',
  groupHow: 'Mention the people to be asked: `ask group @…`.',
}

export const escalationDe: typeof escalationEn = {
  help: ['- `lücken` zeigt die Fragen, die die Dateien hier nicht beantwortet haben.'],
  helpGroup: '- Für alle, die verwalten: `ask group @…` bestimmt, wen *Einen Menschen fragen* in diesem Kanal fragt.',
  askPerson: 'Einen Menschen fragen',
  wanted: (question) =>
    `Wer weiß das? In den Dateien hier steht es nicht; eure kommen der Frage am nächsten.\n\n${quoted(question)}\n\nAntwortet auf diese Nachricht. Dann biete ich an, die Antwort als Datei zu behalten.`,
  wantedOfAll: (question) =>
    `Wer weiß das? In den Dateien hier steht es nicht.\n\n${quoted(question)}\n\nAntwortet auf diese Nachricht. Dann biete ich an, die Antwort als Datei zu behalten.`,
  askedAlready: 'Ich habe schon gefragt: Die Frage steht in diesem Gespräch.',
  notOpen: 'Diese Frage ist abgeschlossen.',
  fileIt: (name) =>
    `Danke, ${name}. Soll ich diese Antwort als Datei ablegen, damit ich sie ab jetzt finde und zitiere? Entscheiden kann, wer gefragt oder geantwortet hat.`,
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
  gap: (question, name, day, link) => `„${question}“ — ${name}, ${day}${link ? ` · [Nachricht](${link})` : ''}`,
  noGaps: 'Hier ist keine Frage offen: die Dateien haben alle beantwortet, oder jemand hat es getan.',
  gapClose: (number) => `${number} schließen`,
  gapClosed: (question) => `Abgeschlossen: „${question}“`,
  gapNotYours: 'Diese Frage können nur schließen, wer sie gestellt hat und wer diesen Kanal verwaltet.',
  groupSet: (names) => `Ab jetzt fragt *Einen Menschen fragen* hier ${names}. Mit \`ask group off\` endet das.`,
  groupIs: (names) => `*Einen Menschen fragen* fragt hier ${names}. Mit \`ask group off\` endet das.`,
  groupNone:
    '*Einen Menschen fragen* fragt hier die, deren Dateien der Frage am nächsten kommen. `ask group @…` nennt andere.',
  groupOff: '*Einen Menschen fragen* fragt wieder die, deren Dateien der Frage am nächsten kommen.',
  groupHow: 'Erwähne, wer gefragt werden soll: `ask group @…`.',
}
