import type { TokenScope } from '../port/person-access.ts'

/** Sentences about slash commands and commands on a message. */
export const commandsEn = {
  share: 'Share in channel',
  /** Above an answer that somebody shares. */
  sharedBy: (name: string, question: string): string => `**${name}** asked: ${question}`,
  shared: 'Everybody here can read it now.',
  notYourAnswer: 'Only the person who asked can share this answer.',
  /** Below the beginning of an answer that a message links to. */
  cardFrom: (files: readonly string[]): string => `Footbridge, from ${files.join(', ')}`,
  /** Below the beginning of a file that a message links to. */
  cardDropped: (name: string): string => `Footbridge, dropped by ${name}`,
  askWhat: 'There is no text to ask about. Write your question after `/ask`.',
  addWhat: 'No file came with the command. Type `/add` and choose one.',
  adding: (count: number): string =>
    `I am adding ${count === 1 ? 'the file' : `${count} files`} to this channel. The receipt shows the progress.`,
  addingOwn: (count: number): string =>
    `I am adding ${count === 1 ? 'the file' : `${count} files`} to your own files. The receipt is in our direct conversation.`,
  notCollectingOwn: 'I do not collect your own files. Say `files on` to me in our direct conversation to change that.',
  saving: 'I keep this message as a file here. Its receipt shows how far it is.',
  savingElsewhere: 'I keep this message in your own files. Its receipt is in our direct conversation.',
  nothingToTranslate: 'There is no text in this message to translate.',
  noTranslator:
    'I can’t translate this now: no language model is set up here, or it did not answer. Try again in a minute.',
  translated: (language: string): string => `_Translated into ${language} by a model:_`,
  nothingToForget: 'No file here came from this message.',
  forgetWhat: 'Say which file to forget. `files` lists them.',
  notHere: (name: string): string => `\`${name}\` is not available here yet.`,
  token: (name: string, token: string, address: string, { channel, tools }: TokenScope): string =>
    `Token **${name}**, shown only once:\n\`\`\`\n${token}\n\`\`\`\nA program that has it can read ${channel === undefined ? 'the files of all channels that you may read at that moment' : 'this channel, as long as you may read it'}.${tools === undefined ? '' : ` It can use only ${tools.join(', ')}.`} The program connects to ${address}. \`disconnect ${name}\` ends it.`,
  /** Kept in place of the message with the token. */
  tokenMade: (name: string): string => `The token **${name}** was shown once.`,
  tokenTaken: (name: string): string =>
    `You already have a token **${name}**, or you have reached the limit. End one with \`disconnect\` and its name.`,
  tokenLine: (name: string, made: string, used: string | undefined, { channel, tools }: TokenScope): string =>
    [
      `- **${name}**`,
      `made ${made}`,
      used === undefined ? 'never used' : `last used ${used}`,
      ...(channel === undefined ? [] : ['for one channel only']),
      ...(tools === undefined ? [] : [`for ${tools.join(' and ')} only`]),
    ].join(', '),
  tokens: (lines: readonly string[], tools: readonly string[]): string =>
    [
      lines.length === 0 ? 'You have no tokens.' : 'These programs act for you:',
      ...lines,
      'A token lets a program (Claude, ChatGPT, Cursor …) read the files of all channels that you may read. `connect laptop` makes one, with any name of one word. `disconnect laptop` ends it.',
      `\`connect laptop here\` makes one for this channel only. To allow only some tools, add their names: ${tools.join(', ')}.`,
    ].join('\n'),
  tokenRevoked: (name: string): string => `The token **${name}** is ended.`,
  noToken: (name: string): string => `You have no token **${name}**. \`connect\` lists them.`,
  noCollection: 'I don’t know this collection, or you can’t read its channel.',
}

export const commandsDe: typeof commandsEn = {
  share: 'Im Kanal teilen',
  sharedBy: (name, question) => `**${name}** hat gefragt: ${question}`,
  shared: 'Jetzt können es alle hier lesen.',
  notYourAnswer: 'Diese Antwort kann nur teilen, wer gefragt hat.',
  cardFrom: (files) => `Footbridge, aus ${files.join(', ')}`,
  cardDropped: (name) => `Footbridge, abgelegt von ${name}`,
  askWhat: 'Hier ist kein Text, zu dem ich etwas suchen kann. Schreib deine Frage hinter `/ask`.',
  addWhat: 'Mit dem Befehl kam keine Datei. Tipp `/add` und wähl eine.',
  adding: (count: number): string =>
    `Ich füge ${count === 1 ? 'die Datei' : `${count} Dateien`} diesem Kanal hinzu. Die Quittung zeigt den Stand.`,
  addingOwn: (count: number): string =>
    `Ich füge ${count === 1 ? 'die Datei' : `${count} Dateien`} deinen eigenen Dateien hinzu. Die Quittung steht in unserem Direktgespräch.`,
  notCollectingOwn:
    'Deine eigenen Dateien sammle ich nicht. Sag `files on` in unserem Direktgespräch, um das zu ändern.',
  saving: 'Ich behalte diese Nachricht hier als Datei. Die Quittung zeigt, wie weit sie ist.',
  savingElsewhere:
    'Ich behalte diese Nachricht bei deinen eigenen Dateien. Die Quittung steht in unserem Direktgespräch.',
  nothingToTranslate: 'In dieser Nachricht steht kein Text, den ich übersetzen kann.',
  noTranslator:
    'Das kann ich gerade nicht übersetzen: Hier ist kein Sprachmodell eingerichtet, oder es hat nicht geantwortet. Versuch es in einer Minute noch einmal.',
  translated: (language) => `_Von einem Modell übersetzt (${language}):_`,
  nothingToForget: 'Aus dieser Nachricht ist hier keine Datei entstanden.',
  forgetWhat: 'Nenn die Datei, die ich vergessen soll. `dateien` zeigt sie alle.',
  notHere: (name) => `\`${name}\` gibt es hier noch nicht.`,
  token: (name, token, address, { channel, tools }) =>
    `Zugang **${name}**, nur dieses eine Mal gezeigt:\n\`\`\`\n${token}\n\`\`\`\nEin Programm, das ihn hat, kann ${channel === undefined ? 'die Dateien aller Kanäle lesen, die du in diesem Moment lesen darfst' : 'diesen Kanal lesen, solange du ihn lesen darfst'}.${tools === undefined ? '' : ` Es kann nur ${tools.join(', ')} benutzen.`} Das Programm verbindet sich mit ${address}. \`disconnect ${name}\` beendet ihn.`,
  tokenMade: (name) => `Der Zugang **${name}** wurde einmal gezeigt.`,
  tokenTaken: (name) =>
    `Du hast schon einen Zugang **${name}**, oder du hast die Grenze erreicht. Beende einen mit \`disconnect\` und seinem Namen.`,
  tokenLine: (name, made, used, { channel, tools }) =>
    [
      `- **${name}**`,
      `angelegt ${made}`,
      used === undefined ? 'nie benutzt' : `zuletzt benutzt ${used}`,
      ...(channel === undefined ? [] : ['nur für einen Kanal']),
      ...(tools === undefined ? [] : [`nur für ${tools.join(' und ')}`]),
    ].join(', '),
  tokens: (lines, tools) =>
    [
      lines.length === 0 ? 'Du hast keine Zugänge.' : 'Diese Programme handeln für dich:',
      ...lines,
      'Mit einem Zugang liest ein Programm (Claude, ChatGPT, Cursor …) die Dateien aller Kanäle, die du lesen darfst. `connect laptop` legt einen an, mit einem beliebigen Namen aus einem Wort. `disconnect laptop` beendet ihn.',
      `\`connect laptop hier\` legt einen nur für diesen Kanal an. Um nur manche Werkzeuge zu erlauben, häng ihre Namen an: ${tools.join(', ')}.`,
    ].join('\n'),
  tokenRevoked: (name) => `Der Zugang **${name}** ist beendet.`,
  noToken: (name) => `Einen Zugang **${name}** hast du nicht. \`connect\` zeigt alle.`,
  noCollection: 'Diese Sammlung kenne ich nicht, oder du kannst ihren Kanal nicht lesen.',
}
