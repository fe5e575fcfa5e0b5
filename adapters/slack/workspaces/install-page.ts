import { createHash } from 'node:crypto'
import { type InstallPage, textsFor } from '../outbound/texts.ts'

const STATUS: Readonly<Record<InstallPage, number>> = {
  begin: 200,
  done: 200,
  denied: 200,
  stale: 400,
  busy: 429,
  failed: 502,
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
  page: InstallPage,
  languages: string,
  about: { readonly start: string; readonly install: string; readonly name?: string; readonly workspace?: string },
): { readonly status: number; readonly html: string; readonly policy: string } {
  const texts = textsFor(languages)
  const { title, text, button } = texts.install[page]
  const { start, install, name = '', workspace = '' } = about
  const target =
    page === 'begin'
      ? start
      : page === 'done'
        ? `https://app.slack.com/client/${encodeURIComponent(workspace)}`
        : install
  const heading = escape(title.replace('{name}', name))
  const link = button === undefined ? '' : `<p><a href="${escape(target)}">${escape(button)}</a></p>`
  const html = `<!doctype html><html lang="${texts.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">${MARK}<title>${heading}</title><style>${STYLE}</style></head><body><main><h1>${heading}</h1><p>${escape(text)}</p>${link}</main></body></html>\n`
  return { status: STATUS[page], html, policy: POLICY }
}
