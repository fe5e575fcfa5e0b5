/** Outcome that the page tells. */
export type InstallPage = 'begin' | 'done' | 'denied' | 'stale' | 'busy' | 'failed'

interface Words {
  readonly title: string
  readonly text: string
  /** Absent: there is nothing to press. */
  readonly button?: string
}

/**
 * Sentences of the adapter itself: on dialogs, before the bridge has given their content, and on the page of an
 * installation.
 */
export interface SlackTexts {
  readonly language: string
  readonly send: string
  readonly cancel: string
  readonly close: string
  readonly oneMoment: string
  /** Labels in the pane of a reference. */
  readonly pane: Readonly<Record<'passage' | 'file' | 'page' | 'beginning', string>>
  readonly install: Readonly<Record<InstallPage, Words>>
}

const EN: SlackTexts = {
  language: 'en',
  send: 'Send',
  cancel: 'Cancel',
  close: 'Close',
  oneMoment: 'One moment…',
  pane: { passage: 'Passage', file: 'File', page: 'Page', beginning: 'Beginning' },
  install: {
    begin: {
      title: 'Footbridge for your Slack workspace',
      text: 'Footbridge answers questions from the files of a channel, with references. It reads only channels that somebody invites it to. An administrator of the workspace may have to allow it.',
      button: 'Add to Slack',
    },
    done: {
      title: 'Footbridge is in {name}',
      text: 'Invite it to a channel with /invite @footbridge, drop a file there, and ask.',
      button: 'Open Slack',
    },
    denied: {
      title: 'Footbridge was not installed',
      text: 'Slack says that the installation was not allowed. Nothing was stored.',
      button: 'Start again',
    },
    stale: {
      title: 'This installation can’t go on',
      text: 'The link is older than ten minutes, was used before, or belongs to another browser. Start again, and finish in the same browser.',
      button: 'Start again',
    },
    busy: { title: 'Too many tries at the moment', text: 'Wait a minute, then start again.', button: 'Start again' },
    failed: {
      title: 'The installation did not work',
      text: 'Slack or the store of Footbridge did not answer as expected. Nothing was installed. Try again later; the log of Footbridge says why.',
      button: 'Start again',
    },
  },
}

const DE: SlackTexts = {
  language: 'de',
  send: 'Senden',
  cancel: 'Abbrechen',
  close: 'Schließen',
  oneMoment: 'Einen Augenblick …',
  pane: { passage: 'Textstelle', file: 'Datei', page: 'Seite', beginning: 'Anfang' },
  install: {
    begin: {
      title: 'Footbridge für deinen Slack-Workspace',
      text: 'Footbridge beantwortet Fragen aus den Dateien eines Kanals, mit Belegen. Es liest nur Kanäle, in die jemand es einlädt. Vielleicht muss eine Administratorin oder ein Administrator des Workspace zustimmen.',
      button: 'Zu Slack hinzufügen',
    },
    done: {
      title: 'Footbridge ist in {name}',
      text: 'Lade es mit /invite @footbridge in einen Kanal ein, lege dort eine Datei ab und frage.',
      button: 'Slack öffnen',
    },
    denied: {
      title: 'Footbridge wurde nicht installiert',
      text: 'Slack meldet, dass die Installation nicht erlaubt wurde. Es wurde nichts gespeichert.',
      button: 'Neu beginnen',
    },
    stale: {
      title: 'Diese Installation kann nicht weitergehen',
      text: 'Der Link ist älter als zehn Minuten, wurde schon benutzt oder gehört zu einem anderen Browser. Beginne neu, und bleibe im selben Browser.',
      button: 'Neu beginnen',
    },
    busy: {
      title: 'Im Augenblick zu viele Versuche',
      text: 'Warte eine Minute, und beginne dann neu.',
      button: 'Neu beginnen',
    },
    failed: {
      title: 'Die Installation hat nicht geklappt',
      text: 'Slack oder der Speicher von Footbridge hat nicht wie erwartet geantwortet. Es wurde nichts installiert. Versuche es später noch einmal; der Grund steht im Protokoll von Footbridge.',
      button: 'Neu beginnen',
    },
  },
}

const TEXTS: ReadonlyMap<string, SlackTexts> = new Map([EN, DE].map((texts) => [texts.language, texts]))

/** @param language a BCP 47 tag, or a browser's list of several; default English */
export const textsFor = (language: string | undefined): SlackTexts =>
  TEXTS.get(/^\s*([a-z]+)/i.exec(language ?? '')?.[1]?.toLowerCase() ?? '') ?? EN
