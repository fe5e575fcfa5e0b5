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
    `The settings of this channel:\n${lines.join('\n')}\n\nWho administers it can change one in words, for example \`settings answers questions\`.`,
  direct: 'A direct conversation has no settings but your language: `language en`, `language de` or `language auto`.',
  languageNow: (language: string): string =>
    `I speak ${language} to you. \`language en\`, \`language de\` or \`language auto\` changes that.`,
  languageSet: (language: string): string => `From now on: ${language}.`,
  /** Labels of the settings and of their values. */
  field: {
    listens: 'What I answer',
    language: 'Language',
    model: 'Language model',
    drops: 'Who may add files',
    digest: 'A summary each week',
    guest: 'What guests may do',
    external: 'What people of other companies may do',
  },
  value: {
    listens: {
      usual: 'Mentions and follow-ups',
      mentions: 'Mentions only',
      questions: 'Every question that the files answer',
      threads: 'Only inside threads',
    },
    language: { auto: 'Of each person', en: 'English', de: 'German' },
    drops: { everybody: 'Every member', admins: 'Who administers the channel' },
    digest: { on: 'Yes', off: 'No' },
    access: { nothing: 'Nothing', ask: 'Ask', all: 'Ask and add files' },
  },
  usualModel: 'The usual one',
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
    resets: (when: string): string => `The oldest of it is free again ${when}.`,
    ask: (file: string): string => `What does ${file} say?`,
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
    `Die Einstellungen dieses Kanals:\n${lines.join('\n')}\n\nWer ihn verwaltet, kann eine mit Worten ändern, zum Beispiel \`settings answers questions\`.`,
  direct:
    'Ein Direktgespräch hat keine Einstellungen außer deiner Sprache: `language en`, `language de` oder `language auto`.',
  languageNow: (language) =>
    `Ich spreche ${language} mit dir. \`language en\`, \`language de\` oder \`language auto\` ändert das.`,
  languageSet: (language) => `Ab jetzt: ${language}.`,
  field: {
    listens: 'Worauf ich antworte',
    language: 'Sprache',
    model: 'Sprachmodell',
    drops: 'Wer Dateien hinzufügen darf',
    digest: 'Jede Woche ein Überblick',
    guest: 'Was Gäste dürfen',
    external: 'Was Leute anderer Firmen dürfen',
  },
  value: {
    listens: {
      usual: 'Erwähnungen und Nachfragen',
      mentions: 'Nur Erwähnungen',
      questions: 'Jede Frage, die die Dateien beantworten',
      threads: 'Nur in Threads',
    },
    language: { auto: 'Die jeder Person', en: 'Englisch', de: 'Deutsch' },
    drops: { everybody: 'Alle Mitglieder', admins: 'Wer den Kanal verwaltet' },
    digest: { on: 'Ja', off: 'Nein' },
    access: { nothing: 'Nichts', ask: 'Fragen', all: 'Fragen und Dateien hinzufügen' },
  },
  usualModel: 'Das übliche',
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
    resets: (when) => `Das Älteste davon wird ${when} wieder frei.`,
    ask: (file) => `Was steht in ${file}?`,
    help: 'Wobei kannst du mir helfen?',
    yours: 'Einstellungen',
    language: (language) => `Ich spreche ${language} mit dir.`,
    changeLanguage: 'Sprache ändern',
  },
}
