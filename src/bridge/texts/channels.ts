const ONE_PROGRAM = {
  en: 'To admit one program, mention it or write its id: `access bots @name ask`.',
  de: 'Um ein einzelnes Programm zuzulassen, erwähne es oder schreib seine ID: `access bots @name ask`.',
}

/** Sentences about channel links and permissions. */
export const channelsEn = {
  /** Commands that need other people or other places. */
  help: [
    '- In a direct message, `ask in #channel …`: I answer from the files of a channel that you are in.',
    '- `access` shows who may use me here. Administrators can change it.',
    '- For administrators: `link #channel` lets this channel use the files of another one, `unlink` ends that, `links` shows it. To link a web channel, paste the address of one of its answers.',
  ],
  adminsOnly: 'Only somebody who administers this channel can do that.',
  /** Reasons of a refusal; only the person sees them. */
  denied: {
    guest: 'Guests may not use me here. Somebody who administers this channel can allow it with `access guests ask`.',
    external:
      'People of other companies may not use me here. Somebody who administers this channel can allow it with `access others ask`.',
    bot: 'Other programs may not use me here.',
    admins: 'Only those who administer this channel may add files here. I left yours alone.',
    frozen:
      'More people can read this channel than when its files were dropped. Its files stay closed until somebody who administers this channel opens them.',
    stranger: 'You may not read this channel, so I do not answer from it. Whoever administers it can let you in.',
    unknown:
      'The chat service does not tell me who may read this channel or who you are, so I can’t help here. Invite me to this channel; if I am in it, whoever runs me finds the reason in the log.',
  },
  openKnowledge: 'Open the files to everybody here',
  opened: (name: string): string => `${name} opened the files of this channel to everybody who can read it now.`,
  access: {
    company: (guests: string, bots: string, others: string): string =>
      `Members may ask and add files here. Guests: ${guests}. People of other companies: ${others}. Bots: ${bots}.\n\nAdministrators can change that, for example with \`access guests ask\`. Write \`nothing\`, \`ask\` or \`all\` after \`guests\`, \`others\` or \`bots\`. Add \`everywhere\` to change the whole workspace. ${ONE_PROGRAM.en}`,
    server: (guests: string, bots: string): string =>
      `Members may ask and add files here. Guests, who have not accepted the rules yet or came into a voice channel only: ${guests}. Bots: ${bots}.\n\nAdministrators can change that, for example with \`access guests ask\`. Write \`nothing\`, \`ask\` or \`all\` after \`guests\` or \`bots\`. Add \`everywhere\` to change the whole server. ${ONE_PROGRAM.en}`,
  },
  accessOf: { nothing: 'nothing', ask: 'may ask', all: 'may ask and add files' },
  oneProgram: ONE_PROGRAM.en,
  accessSet: 'Done.',
  noProgram: 'I don’t know that program. Mention it, or write its id.',
  accessEverywhere: 'Only somebody who administers the whole workspace can change that everywhere.',
  nameChannel:
    'I don’t know that channel. Name it so that it becomes a link: type #, and pick it from the list if this chat has one. I have to be in it, too.',
  linkSelf: 'That is this channel itself.',
  linkDirect: 'A direct conversation keeps its own files. Use `ask in #channel …` here instead.',
  linkFar: (name: string): string =>
    `${name} belongs to another workspace: only channels of the same workspace can be linked. In a direct message, \`ask in #channel …\` reaches both.`,
  linkElsewhere:
    'Only people who administer everything here can link to a channel by an address: ask whoever runs me to do that.',
  linkTwice: (name: string): string =>
    `${name} uses the files of another channel itself. Link to that one, or say \`unlink\` in ${name} first.`,
  linkTarget: (name: string): string =>
    `Other channels use the files of this one (${name}), so it can’t use those of another. Say \`unlink\` there first.`,
  linkNotAdmin: (name: string): string =>
    `To link this channel to ${name} you have to be in ${name} and administer both. Ask somebody who does.`,
  linkUnseen: (name: string): string => `I can’t see ${name}. Invite me there and try again.`,
  linkAsk: (name: string): string =>
    `I then answer questions here from the files of ${name}, and files dropped here go there. Everybody in either channel can read them. Shall I link this channel to ${name}?`,
  linkYes: 'Link',
  /** The channel would show files that are private elsewhere. */
  linkShows: (name: string): string =>
    `**${name} is open to fewer people than this channel: everybody here will be able to read all files of ${name}.** Are you sure?`,
  /** Files dropped in this private channel will be read in a public one. */
  linkGives: (name: string): string =>
    `**This channel is open to fewer people than ${name}: everybody there will be able to read every file that is dropped here.** Are you sure?`,
  linkYesSurely: 'Yes, let everybody read them',
  linked: (name: string): string => `This channel uses the files of ${name} from now on. \`unlink\` ends that.`,
  unlinked: 'This channel uses its own files again. What was dropped here meanwhile stays in the other channel.',
  notLinked: 'This channel uses its own files; there is no link.',
  linkedWith: (to: string | undefined, from: readonly string[]): string =>
    [
      to === undefined ? 'This channel uses its own files.' : `This channel uses the files of ${to}.`,
      ...(from.length === 0 ? [] : [`These channels use the files of this one: ${from.join(', ')}.`]),
    ].join(' '),
  offerOver: 'This button was used already, or is too old.',
  linkRests:
    '_The link to another channel is paused: one of the two is public now, or I can’t see it any more. This answer is from this channel’s own files. Somebody who administers both can say_ `link` _again._',
  askInDirectOnly:
    'I answer from another channel only in a direct message, so that nobody reads what is not for them. Ask me there: `ask in #channel …`.',
  askInNot: (name: string): string => `I can’t answer from ${name} for you: you are not in that channel, or I am not.`,
  askInRestricted: (name: string): string => `${name} is age-restricted: I answer from its files only there.`,
  answeredFrom: (name: string): string => `_From the files of ${name}._`,
}

export const channelsDe: typeof channelsEn = {
  help: [
    '- In einer Direktnachricht `frag in #kanal …`: ich antworte aus den Dateien eines Kanals, in dem du bist.',
    '- `access` zeigt, wer mich hier nutzen darf. Wer verwaltet, kann es ändern.',
    '- Für alle, die verwalten: Mit `link #kanal` nutzt dieser Kanal die Dateien eines anderen, `unlink` beendet das, `links` zeigt es. Um einen Kanal der Webseite zu verknüpfen, füg die Adresse einer seiner Antworten ein.',
  ],
  adminsOnly: 'Das kann nur, wer diesen Kanal verwaltet.',
  denied: {
    guest: 'Gäste dürfen mich hier nicht nutzen. Wer diesen Kanal verwaltet, kann es mit `access guests ask` erlauben.',
    external:
      'Leute anderer Firmen dürfen mich hier nicht nutzen. Wer diesen Kanal verwaltet, kann es mit `access others ask` erlauben.',
    bot: 'Andere Programme dürfen mich hier nicht nutzen.',
    admins: 'Nur wer diesen Kanal verwaltet, darf hier Dateien hinzufügen. Deine habe ich in Ruhe gelassen.',
    frozen:
      'Diesen Kanal können mehr Leute lesen als zu der Zeit, in der seine Dateien abgelegt wurden. Seine Dateien bleiben verschlossen, bis jemand sie öffnet, der den Kanal verwaltet.',
    stranger:
      'Du darfst diesen Kanal nicht lesen, also antworte ich nicht daraus. Wer ihn verwaltet, kann dich hereinlassen.',
    unknown:
      'Der Chat-Dienst sagt mir nicht, wer diesen Kanal lesen kann oder wer du bist; deshalb kann ich hier nicht helfen. Lad mich in diesen Kanal ein; bin ich schon darin, findet den Grund im Protokoll, wer mich betreibt.',
  },
  openKnowledge: 'Die Dateien für alle hier öffnen',
  opened: (name) => `${name} hat die Dateien dieses Kanals für alle geöffnet, die ihn jetzt lesen können.`,
  access: {
    company: (guests, bots, others) =>
      `Mitglieder dürfen hier fragen und Dateien hinzufügen. Gäste: ${guests}. Leute anderer Firmen: ${others}. Bots: ${bots}.\n\nWer verwaltet, kann das ändern, zum Beispiel mit \`access guests ask\`. Schreib \`nothing\`, \`ask\` oder \`all\` hinter \`guests\`, \`others\` oder \`bots\`. Häng \`everywhere\` an, um den ganzen Workspace zu ändern. ${ONE_PROGRAM.de}`,
    server: (guests, bots) =>
      `Mitglieder dürfen hier fragen und Dateien hinzufügen. Gäste, die die Regeln noch nicht angenommen haben oder nur in einen Sprachkanal kamen: ${guests}. Bots: ${bots}.\n\nWer verwaltet, kann das ändern, zum Beispiel mit \`access guests ask\`. Schreib \`nothing\`, \`ask\` oder \`all\` hinter \`guests\` oder \`bots\`. Häng \`everywhere\` an, um den ganzen Server zu ändern. ${ONE_PROGRAM.de}`,
  },
  accessOf: { nothing: 'nichts', ask: 'dürfen fragen', all: 'dürfen fragen und Dateien hinzufügen' },
  oneProgram: ONE_PROGRAM.de,
  accessSet: 'Erledigt.',
  noProgram: 'Dieses Programm kenne ich nicht. Erwähn es, oder schreib seine ID.',
  accessEverywhere: 'Überall ändern kann das nur, wer den ganzen Workspace verwaltet.',
  nameChannel:
    'Diesen Kanal kenne ich nicht. Nenn ihn so, dass er ein Link wird: Tipp #, und wähl ihn aus der Liste, wenn dieser Chat eine hat. Ich muss auch darin sein.',
  linkSelf: 'Das ist dieser Kanal selbst.',
  linkDirect: 'Ein Direktgespräch behält seine eigenen Dateien. Nimm hier stattdessen `frag in #kanal …`.',
  linkFar: (name) =>
    `${name} gehört zu einem anderen Workspace: Nur Kanäle desselben Workspace lassen sich verknüpfen. In einer Direktnachricht erreicht \`frag in #kanal …\` beide.`,
  linkElsewhere:
    'Nur wer hier alles verwaltet, kann einen Kanal über eine Adresse verknüpfen. Bitte die darum, die mich betreiben.',
  linkTwice: (name) =>
    `${name} nutzt selbst die Dateien eines anderen Kanals. Verknüpf mit jenem, oder sag zuerst in ${name} \`unlink\`.`,
  linkTarget: (name) =>
    `Andere Kanäle nutzen die Dateien von diesem (${name}), deshalb kann er nicht die eines anderen nutzen. Sag dort zuerst \`unlink\`.`,
  linkNotAdmin: (name) =>
    `Um diesen Kanal mit ${name} zu verknüpfen, musst du in ${name} sein und beide verwalten. Frag jemanden, der das tut.`,
  linkUnseen: (name) => `Ich kann ${name} nicht sehen. Lad mich dort ein und versuch es noch einmal.`,
  linkAsk: (name) =>
    `Dann beantworte ich Fragen hier aus den Dateien von ${name}, und was hier abgelegt wird, kommt dorthin. Alle in beiden Kanälen können es lesen. Soll ich diesen Kanal mit ${name} verknüpfen?`,
  linkYes: 'Verknüpfen',
  linkShows: (name) =>
    `**${name} ist für weniger Leute offen als dieser Kanal: alle hier werden alle Dateien von ${name} lesen können.** Bist du sicher?`,
  linkGives: (name) =>
    `**Dieser Kanal ist für weniger Leute offen als ${name}: alle dort werden jede Datei lesen können, die hier abgelegt wird.** Bist du sicher?`,
  linkYesSurely: 'Ja, alle dürfen sie lesen',
  linked: (name) => `Dieser Kanal nutzt ab jetzt die Dateien von ${name}. Mit \`unlink\` endet das.`,
  unlinked:
    'Dieser Kanal nutzt wieder seine eigenen Dateien. Was inzwischen hier abgelegt wurde, bleibt im anderen Kanal.',
  notLinked: 'Dieser Kanal nutzt seine eigenen Dateien; es gibt keine Verknüpfung.',
  linkedWith: (to, from) =>
    [
      to === undefined ? 'Dieser Kanal nutzt seine eigenen Dateien.' : `Dieser Kanal nutzt die Dateien von ${to}.`,
      ...(from.length === 0 ? [] : [`Diese Kanäle nutzen die Dateien von diesem: ${from.join(', ')}.`]),
    ].join(' '),
  offerOver: 'Dieser Knopf wurde schon benutzt oder ist zu alt.',
  linkRests:
    '_Die Verknüpfung mit einem anderen Kanal ruht: Einer von beiden ist jetzt öffentlich, oder ich kann ihn nicht mehr sehen. Diese Antwort stammt aus den eigenen Dateien dieses Kanals. Wer beide verwaltet, kann noch einmal_ `link` _sagen._',
  askInDirectOnly:
    'Aus einem anderen Kanal antworte ich nur in einer Direktnachricht, damit niemand liest, was nicht für ihn ist. Frag mich dort: `frag in #kanal …`.',
  askInRestricted: (name) => `${name} hat eine Altersbeschränkung: aus seinen Dateien antworte ich nur dort.`,
  askInNot: (name) => `Aus ${name} kann ich dir nicht antworten: du bist nicht in diesem Kanal, oder ich nicht.`,
  answeredFrom: (name) => `_Aus den Dateien von ${name}._`,
}
