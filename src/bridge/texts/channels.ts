/** Sentences about channel links and permissions. */
export const channelsEn = {
  help: [
    '- In a direct message, `ask in #channel …`: I answer from the files of a channel that you are in.',
    '- `link #channel` and `unlink`, for who administers: use the files of another channel here. `links` shows them.',
  ],
  adminsOnly: 'Only somebody who administers this channel can do that.',
  nameChannel:
    'I don’t know which channel that is. Name it so that it becomes a link (type # and pick it from the list, where this chat has one); I have to be in it, too.',
  linkSelf: 'That is this channel itself.',
  linkDirect: 'A direct conversation keeps its own files. Use `ask in #channel …` here instead.',
  linkFar: (name: string): string =>
    `${name} belongs to another workspace: only channels of one can be linked. In a direct message, \`ask in #channel …\` reaches both.`,
  linkTwice: (name: string): string =>
    `${name} uses the files of another channel itself. Link to that one, or say \`unlink\` in ${name} first.`,
  linkTarget: (name: string): string =>
    `Other channels use the files of this one (${name}), so it can’t use those of another. Say \`unlink\` there first.`,
  linkNotAdmin: (name: string): string =>
    `To link this channel to ${name} you have to be in ${name} and administer both. Ask somebody who does.`,
  linkUnseen: (name: string): string => `I can’t look at ${name}. Invite me there and try again.`,
  linkAsk: (name: string): string =>
    `From then on, questions here are answered from the files of ${name}, and files dropped here go there: whoever is in one of both can read them. Shall I link this channel to ${name}?`,
  linkYes: 'Link',
  /** The channel shows what is private elsewhere. */
  linkShows: (name: string): string =>
    `**${name} is private and this channel is public: everybody here will be able to read all files of ${name}.** Are you sure?`,
  /** Files dropped in this private channel will be read in a public one. */
  linkGives: (name: string): string =>
    `**This channel is private and ${name} is public: everybody there will be able to read every file that is dropped here.** Are you sure?`,
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
    '_The link to another channel rests: one of both was made public since, or I can’t look at it any more. These are this channel’s own files; somebody who administers both can say_ `link` _again._',
  askInDirectOnly:
    'Answers from another channel I give in a direct message only, so that nobody reads what is not for them. Ask me there: `ask in #channel …`.',
  askInNot: (name: string): string => `I can’t answer from ${name} for you: you are not in that channel, or I am not.`,
  answeredFrom: (name: string): string => `_From the files of ${name}._`,
}

export const channelsDe: typeof channelsEn = {
  help: [
    '- In einer Direktnachricht `frag in #kanal …`: ich antworte aus den Dateien eines Kanals, in dem du bist.',
    '- `link #kanal` und `unlink`, für alle, die verwalten: hier die Dateien eines anderen Kanals nutzen. `links` zeigt sie.',
  ],
  adminsOnly: 'Das kann nur, wer diesen Kanal verwaltet.',
  nameChannel:
    'Diesen Kanal kenne ich nicht. Nenn ihn so, dass er ein Verweis wird (tipp # und wähl ihn aus der Liste, wo dieser Chat eine hat); ich muss auch darin sein.',
  linkSelf: 'Das ist dieser Kanal selbst.',
  linkDirect: 'Ein Direktgespräch behält seine eigenen Dateien. Nimm hier stattdessen `frag in #kanal …`.',
  linkFar: (name) =>
    `${name} gehört zu einem anderen Workspace: nur Kanäle von einem lassen sich verknüpfen. In einer Direktnachricht erreicht \`frag in #kanal …\` beide.`,
  linkTwice: (name) =>
    `${name} nutzt selbst die Dateien eines anderen Kanals. Verknüpf mit jenem, oder sag zuerst in ${name} \`unlink\`.`,
  linkTarget: (name) =>
    `Andere Kanäle nutzen die Dateien von diesem (${name}), deshalb kann er nicht die eines anderen nutzen. Sag dort zuerst \`unlink\`.`,
  linkNotAdmin: (name) =>
    `Um diesen Kanal mit ${name} zu verknüpfen, musst du in ${name} sein und beide verwalten. Frag jemanden, der das tut.`,
  linkUnseen: (name) => `Ich kann ${name} nicht sehen. Lad mich dort ein und versuch es noch einmal.`,
  linkAsk: (name) =>
    `Dann werden Fragen hier aus den Dateien von ${name} beantwortet, und was hier abgelegt wird, kommt dorthin: wer in einem von beiden ist, kann sie lesen. Soll ich diesen Kanal mit ${name} verknüpfen?`,
  linkYes: 'Verknüpfen',
  linkShows: (name) =>
    `**${name} ist privat und dieser Kanal öffentlich: alle hier werden alle Dateien von ${name} lesen können.** Bist du sicher?`,
  linkGives: (name) =>
    `**Dieser Kanal ist privat und ${name} öffentlich: alle dort werden jede Datei lesen können, die hier abgelegt wird.** Bist du sicher?`,
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
    '_Die Verknüpfung mit einem anderen Kanal ruht: einer von beiden wurde seither öffentlich, oder ich kann ihn nicht mehr sehen. Dies sind die eigenen Dateien dieses Kanals; wer beide verwaltet, kann noch einmal_ `link` _sagen._',
  askInDirectOnly:
    'Aus einem anderen Kanal antworte ich nur in einer Direktnachricht, damit niemand liest, was nicht für ihn ist. Frag mich dort: `frag in #kanal …`.',
  askInNot: (name) => `Aus ${name} kann ich dir nicht antworten: du bist nicht in diesem Kanal, oder ich nicht.`,
  answeredFrom: (name) => `_Aus den Dateien von ${name}._`,
}
