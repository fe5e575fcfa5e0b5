import { createHash } from 'node:crypto'

/** Outcome that the page tells. */
export type Page = 'begin' | 'done' | 'denied' | 'stale' | 'busy' | 'failed'

interface Words {
  readonly title: string
  readonly text: string
  /** Absent: there is nothing to press. */
  readonly button?: string
}

const STATUS: Readonly<Record<Page, number>> = {
  begin: 200,
  done: 200,
  denied: 200,
  stale: 400,
  busy: 429,
  failed: 502,
}

const ENGLISH: Readonly<Record<Page, Words>> = {
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
}

const GERMAN: Readonly<Record<Page, Words>> = {
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
}

const STYLE = `:root{color-scheme:light dark}body{font:1.05rem/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto;padding:0 1.5rem}
h1{font-size:1.5rem;line-height:1.25}a{display:inline-block;margin-top:1rem;padding:.7rem 1.3rem;border-radius:.5rem;background:#4a154b;color:#fff;text-decoration:none;font-weight:600}
a:focus-visible{outline:3px solid #1264a3;outline-offset:2px}
@media(prefers-color-scheme:dark){a{background:#8d4790}}`

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (words: string) => words.replaceAll(/[&<>"]/g, (mark) => ESCAPES[mark] ?? mark)

/** Every page has it: `doctor` knows by it that an address leads here. */
export const MARK = '<meta name="generator" content="Footbridge">'

/** A page without scripts, in the browser's language. */
export function renderPage(
  page: Page,
  languages: string,
  about: { readonly start: string; readonly install: string; readonly name?: string; readonly workspace?: string },
): { readonly status: number; readonly html: string; readonly policy: string } {
  const language = /^\s*de\b/i.test(languages) ? 'de' : 'en'
  const { title, text, button } = (language === 'de' ? GERMAN : ENGLISH)[page]
  const { start, install, name = '', workspace = '' } = about
  const target =
    page === 'begin'
      ? start
      : page === 'done'
        ? `https://app.slack.com/client/${encodeURIComponent(workspace)}`
        : install
  const heading = escape(title.replace('{name}', name))
  const link = button === undefined ? '' : `<p><a href="${escape(target)}">${escape(button)}</a></p>`
  const html = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">${MARK}<title>${heading}</title><style>${STYLE}</style></head><body><main><h1>${heading}</h1><p>${escape(text)}</p>${link}</main></body></html>\n`
  return { status: STATUS[page], html, policy: POLICY }
}
