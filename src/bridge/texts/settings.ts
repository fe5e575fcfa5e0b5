import { ANSWERED_LANGUAGES } from '#lexicon/text-language.ts'

const LANGUAGE_COMMANDS = ANSWERED_LANGUAGES.map((code) => `\`language ${code}\``).join(', ')

/** Sentences about the settings of channels and people, and about a person's overview. */
export const settingsEn = {
  title: 'Channel settings',
  yourTitle: 'Your language',
  save: 'Save',
  change: 'Change settings',
  changeOf: (channel: string): string => `Settings of ${channel}`,
  saved: (channel: string): string => `The settings of ${channel} are saved.`,
  unknown: 'I don’t know this setting. `settings` lists all of them.',
  now: (lines: readonly string[]): string =>
    `The settings of this channel:\n${lines.join('\n')}\n\nAdministrators of the channel change one in words: \`settings answers questions\`.`,
  direct: `A direct conversation has no settings but your language: ${LANGUAGE_COMMANDS} or \`language auto\`.`,
  languageNow: (language: string): string =>
    `I speak ${language} to you. ${LANGUAGE_COMMANDS} or \`language auto\` changes that.`,
  languageSet: (language: string): string => `From now on: ${language}.`,
  unclearPrograms: (words: string): string =>
    `The programs stay as they were: I don’t understand “${words}”. Write an id and “ask” or “all”, with a comma before the next one: \`U0DEPLOY ask, B0ALARM all\`.`,
  /** Labels of the settings and of their values. */
  field: {
    listens: 'What I answer',
    language: 'Language',
    model: 'Language model',
    drops: 'Who may add files',
    digest: 'A summary each week',
    guest: {
      company: 'What guests may do',
      server: 'What guests may do (rules not accepted yet, or in a voice channel only)',
    },
    external: 'What people of other companies may do',
    programs: 'Programs that may ask or add files: their ids, each with “ask” or “all”',
    dropRoles: 'Roles that may add files',
    forgetRoles: 'Roles that may remove files of others',
    configureRoles: 'Roles that may change these settings',
  },
  value: {
    listens: {
      usual: 'Mentions and follow-ups',
      mentions: 'Mentions only',
      questions: 'Every question that the files answer',
      threads: 'Only inside threads',
    },
    language: { auto: 'Each person’s own' },
    drops: { everybody: 'Every member', admins: 'Administrators of the channel' },
    digest: { on: 'Yes', off: 'No' },
    access: { nothing: 'Nothing', ask: 'Ask', all: 'Ask and add files' },
  },
  andAdmins: 'and those who administer the channel',
  usualModel: 'The same as in all channels',
  onlyAddressed:
    'The chat service tells me only what is addressed to me: mentions, replies with the ping on, commands. To add files, mention me in the same message, or use `/add`.',
  threadsOnly: 'In this channel I answer inside threads only. Start a thread and ask me there.',
  digest: {
    head: '**The week in this channel**',
    files: (count: number, names: readonly string[]): string =>
      `${count} new ${count === 1 ? 'file' : 'files'}: ${names.join(', ')}`,
    questions: (lines: readonly string[]): string =>
      `Questions that the files did not answer:\n${lines.join('\n')}\nDrop a file that answers them, or say \`gaps\`.`,
    stale: (names: readonly string[]): string =>
      `Not renewed for half a year: ${names.join(', ')}. Are they still right?`,
  },
  overview: {
    hello:
      'I answer questions from the files that are dropped in a channel, and quote the passages. Mention me, write to me here, or type `/footbridge`.',
    none: 'You are in no channel in which I have files. Invite me to a channel and drop a file there.',
    channels: 'Your channels',
    channel: (name: string, ready: number, failed: number, open: number): string =>
      [
        `**${name}** — ${ready} ${ready === 1 ? 'file' : 'files'} ready`,
        ...(failed > 0 ? [`${failed} failed`] : []),
        ...(open > 0 ? [`${open} ${open === 1 ? 'question' : 'questions'} not answered`] : []),
      ].join(' · '),
    resting: (name: string): string =>
      `**${name}** — more people can read it now; its files are closed until somebody who administers it opens them.`,
    questions: 'Your questions without an answer',
    limits: 'Limits',
    resets: (when: string): string => `Part of it is free again ${when}.`,
    ask: (file: string): string => `What does ${file} say?`,
    /** As somebody says it in a direct message. */
    askIn: (channel: string, question: string): string => `ask in #${channel}: ${question}`,
    help: 'What can you help me with?',
    yours: 'Settings',
    language: (language: string): string => `I speak ${language} to you.`,
    changeLanguage: 'Change language',
  },
}

export const settingsDe: typeof settingsEn = {
  title: 'Kanal-Einstellungen',
  yourTitle: 'Deine Sprache',
  save: 'Speichern',
  change: 'Einstellungen ändern',
  changeOf: (channel) => `Einstellungen von ${channel}`,
  saved: (channel) => `Die Einstellungen von ${channel} sind gespeichert.`,
  unknown: 'Diese Einstellung kenne ich nicht. `settings` zeigt alle.',
  now: (lines) =>
    `Die Einstellungen dieses Kanals:\n${lines.join('\n')}\n\nWer ihn verwaltet, ändert eine mit Worten: \`settings answers questions\`.`,
  direct: `Ein Direktgespräch hat keine Einstellungen außer deiner Sprache: ${LANGUAGE_COMMANDS} oder \`language auto\`.`,
  languageNow: (language) => `Ich spreche ${language} mit dir. ${LANGUAGE_COMMANDS} oder \`language auto\` ändert das.`,
  languageSet: (language) => `Ab jetzt: ${language}.`,
  unclearPrograms: (words) =>
    `Die Programme bleiben, wie sie waren: „${words}“ verstehe ich nicht. Schreib eine ID und „ask“ oder „all“, vor der nächsten ein Komma: \`U0DEPLOY ask, B0ALARM all\`.`,
  field: {
    listens: 'Worauf ich antworte',
    language: 'Sprache',
    model: 'Sprachmodell',
    drops: 'Wer Dateien hinzufügen darf',
    digest: 'Jede Woche ein Überblick',
    guest: {
      company: 'Was Gäste dürfen',
      server: 'Was Gäste dürfen (Regeln noch nicht angenommen, oder nur in einem Sprachkanal)',
    },
    external: 'Was Leute anderer Firmen dürfen',
    programs: 'Programme, die fragen oder Dateien hinzufügen dürfen: ihre IDs, jede mit „ask“ oder „all“',
    dropRoles: 'Rollen, die Dateien hinzufügen dürfen',
    forgetRoles: 'Rollen, die Dateien anderer entfernen dürfen',
    configureRoles: 'Rollen, die diese Einstellungen ändern dürfen',
  },
  value: {
    listens: {
      usual: 'Erwähnungen und Nachfragen',
      mentions: 'Nur Erwähnungen',
      questions: 'Jede Frage, die die Dateien beantworten',
      threads: 'Nur in Threads',
    },
    language: { auto: 'Die der jeweiligen Person' },
    drops: { everybody: 'Alle Mitglieder', admins: 'Wer den Kanal verwaltet' },
    digest: { on: 'Ja', off: 'Nein' },
    access: { nothing: 'Nichts', ask: 'Fragen', all: 'Fragen und Dateien hinzufügen' },
  },
  andAdmins: 'und wer den Kanal verwaltet',
  usualModel: 'Dasselbe wie in allen Kanälen',
  onlyAddressed:
    'Der Chat-Dienst zeigt mir nur, was an mich gerichtet ist: Erwähnungen, Antworten mit Ping, Befehle. Um Dateien hinzuzufügen, erwähne mich in derselben Nachricht, oder nimm `/add`.',
  threadsOnly: 'In diesem Kanal antworte ich nur in Threads. Beginn einen Thread und frag mich dort.',
  digest: {
    head: '**Die Woche in diesem Kanal**',
    files: (count, names) => `${count} neue ${count === 1 ? 'Datei' : 'Dateien'}: ${names.join(', ')}`,
    questions: (lines) =>
      `Fragen, die die Dateien nicht beantwortet haben:\n${lines.join('\n')}\nLeg eine Datei ab, die sie beantwortet, oder sag \`lücken\`.`,
    stale: (names) => `Seit einem halben Jahr nicht erneuert: ${names.join(', ')}. Stimmen sie noch?`,
  },
  overview: {
    hello:
      'Ich beantworte Fragen aus den Dateien, die in einem Kanal abgelegt werden, und zitiere die Stellen. Erwähne mich, schreib mir hier, oder tipp `/footbridge`.',
    none: 'Du bist in keinem Kanal, in dem ich Dateien habe. Lad mich in einen Kanal ein und leg dort eine Datei ab.',
    channels: 'Deine Kanäle',
    channel: (name, ready, failed, open) =>
      [
        `**${name}** — ${ready} ${ready === 1 ? 'Datei' : 'Dateien'} bereit`,
        ...(failed > 0 ? [`${failed} fehlgeschlagen`] : []),
        ...(open > 0 ? [`${open} ${open === 1 ? 'Frage' : 'Fragen'} ohne Antwort`] : []),
      ].join(' · '),
    resting: (name) =>
      `**${name}** — mehr Leute können ihn jetzt lesen; seine Dateien sind verschlossen, bis jemand sie öffnet, der ihn verwaltet.`,
    questions: 'Deine Fragen ohne Antwort',
    limits: 'Grenzen',
    resets: (when) => `Ein Teil davon ist ${when} wieder frei.`,
    ask: (file) => `Was steht in ${file}?`,
    askIn: (channel, question) => `frag in #${channel}: ${question}`,
    help: 'Wobei kannst du mir helfen?',
    yours: 'Einstellungen',
    language: (language) => `Ich spreche ${language} mit dir.`,
    changeLanguage: 'Sprache ändern',
  },
}
