import type { DiscordDouble } from './discord-double.ts'
import type { Modal } from './modals.ts'
import type { TranscriptEntry } from './types.ts'

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const svg = (path: string, color = 'currentColor') =>
  `<svg width="16" height="16" viewBox="0 0 16 16" fill="${color}" style="vertical-align:-2px"><path d="${path}"/></svg>`
const THUMB = 'M1 7h3v8H1zM5 7l3-6c2 0 2 2 1.500 5H14c1 0 1.500 1 1.200 2l-1.500 5.500c-.3 1-1 1.500-1.700 1.500H5z'
/** Drawn, since a machine without a colour font shows boxes. */
const ICONS: Readonly<Record<string, string>> = {
  '👍': svg(THUMB, '#fcc21b'),
  '👎': svg(THUMB, '#fcc21b').replace('style="', 'style="transform:rotate(180deg);'),
  '✅': `<svg width="16" height="16" viewBox="0 0 16 16" style="vertical-align:-2px"><rect width="16" height="16" rx="3" fill="#3ba55d"/><path d="M3 8l3.500 4L13 4" fill="none" stroke="#fff" stroke-width="2"/></svg>`,
  '📄': svg('M3 1h7l3 3v11H3z', '#949ba4'),
  '👁': svg('M8 3C4 3 1 8 1 8s3 5 7 5 7-5 7-5-3-5-7-5zm0 7.500a2.500 2.500 0 1 1 0-5 2.500 2.500 0 0 1 0 5z'),
}
const withIcons = (html: string) => html.replaceAll(/👍|👎|✅|📄|👁/gu, (sign) => ICONS[sign] ?? sign)

/** Discord's inline markup, as far as Footbridge writes it. */
function inline(text: string, nameOf: (id: string) => string): string {
  const codes: string[] = []
  const withoutCode = text.replaceAll(
    /`([^`]+)`/g,
    (_all, code: string) => `\uE000${codes.push(escape(code)) - 1}\uE000`,
  )
  return escape(withoutCode)
    .replaceAll(/\\([^\w\s])/g, '$1')
    .replaceAll(/\*\*(.+?)\*\*/g, '<b>$1</b>')
    .replaceAll(/(?<![\w])_(.+?)_(?![\w])/g, '<i>$1</i>')
    .replaceAll(/&lt;@(\d+)&gt;/g, (_all, id: string) => `<span class="mention">@${escape(nameOf(id))}</span>`)
    .replaceAll(/&lt;t:(\d+):d&gt;/g, (_all, at: string) => new Date(Number(at) * 1000).toLocaleDateString('en-GB'))
    .replaceAll(/&lt;https:\/\/discord\.com\/channels\/[^&]+&gt;/g, '<span class="mention"># › message</span>')
    .replaceAll(/&lt;(https:[^&]+)&gt;/g, '<a>$1</a>')
    .replaceAll(/\uE000(\d+)\uE000/g, (_all, index: string) => `<code>${codes[Number(index)] ?? ''}</code>`)
}

function block(text: string, nameOf: (id: string) => string): string {
  return text
    .split(/(```[\s\S]*?```)/)
    .map((part) => {
      if (part.startsWith('```')) return `<pre>${escape(part.replace(/^```\w*\n?|\n?```$/g, ''))}</pre>`
      return part
        .split('\n')
        .map((line) => {
          const [, marks, rest = ''] = /^(-# |#{1,3} |> |\s*[-*] )?(.*)$/s.exec(line) ?? []
          const words = inline(rest, nameOf)
          if (marks === '-# ') return `<small>${words}</small>`
          if (marks?.startsWith('#') === true) return `<h3>${words}</h3>`
          if (marks === '> ') return `<blockquote>${words}</blockquote>`
          return marks === undefined ? `<div>${words || '&nbsp;'}</div>` : `<div class="item">${words}</div>`
        })
        .join('')
    })
    .join('')
}

const STYLE = `
  :root { --bg: #313338; --text: #dbdee1; --faint: #949ba4; --head: #f2f3f5; --box: #2b2d31; --line: #1e1f22; --button: #4e5058; --alone: #3c3f6e55 }
  :root.light { --bg: #fff; --text: #313338; --faint: #5c5e66; --head: #060607; --box: #f2f3f5; --line: #e3e5e8; --button: #6d6f78; --alone: #5865f214 }
  body { margin: 0; padding: 16px 0; background: var(--bg); color: var(--text); font: 15px/1.375 "gg sans", "Noto Sans", "Helvetica Neue", Arial, sans-serif; width: 760px }
  .message { display: grid; grid-template-columns: 40px 1fr; gap: 0 16px; padding: 6px 16px; margin-top: 10px }
  .alone { background: var(--alone); box-shadow: inset 2px 0 #5865f2 }
  .reply { grid-column: 2; color: var(--faint); font-size: 13px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; margin-bottom: 2px }
  .face { width: 40px; height: 40px; border-radius: 50%; background: #5865f2; color: #fff; display: grid; place-items: center; font-weight: 600; grid-row: span 2 }
  .person { background: #23a55a } .who { color: var(--head); font-weight: 600 }
  .app { background: #5865f2; color: #fff; font-size: 10px; font-weight: 600; padding: 1px 5px; border-radius: 3px; margin-left: 5px; vertical-align: 1px }
  .time { color: var(--faint); font-size: 12px; margin-left: 7px }
  small { display: block; color: var(--faint); font-size: 12.5px } h3 { margin: 6px 0 2px; color: var(--head) }
  .item { padding-left: 18px; position: relative } .item::before { content: "•"; position: absolute; left: 5px }
  pre, .file { background: var(--box); border: 1px solid var(--line); border-radius: 4px; padding: 7px 9px; margin: 5px 0; font: 13px/1.3 "DejaVu Sans Mono", monospace; white-space: pre }
  code { background: var(--box); border-radius: 3px; padding: 1px 4px; font: 13px "DejaVu Sans Mono", monospace } .file { font-family: inherit; width: 300px }
  blockquote { border-left: 4px solid var(--button); margin: 2px 0; padding-left: 10px } a { color: #00a8fc } .mention { color: #c9cdfb; background: #5865f24d; border-radius: 3px; padding: 0 2px }
  .light .mention { color: #505cdc } .buttons { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 7px } .buttons span { background: var(--button); color: #fff; border-radius: 3px; padding: 6px 15px; font-size: 13.5px; font-weight: 500 }
  .panel { border: 1px solid var(--line); border-left: 4px solid #5865f2; border-radius: 6px; background: var(--box); padding: 10px 14px; margin: 6px 0; max-width: 520px } .panel hr { border: 0; border-top: 1px solid var(--line); margin: 9px 0 }
  .faint { color: var(--faint) } .menu { display: flex; justify-content: space-between; background: var(--bg); border: 1px solid var(--line); border-radius: 4px; padding: 8px 12px; margin: 5px 0 9px }
  .dialog { width: 440px; margin: 24px auto 8px; border-radius: 8px; background: var(--box); border: 1px solid var(--line); padding: 16px } .dialog .field { background: var(--bg); border: 1px solid var(--line); border-radius: 4px; min-height: 70px; padding: 9px; margin-top: 5px; white-space: pre-wrap }
  .buttons .s1 { background: #5865f2 } .buttons .s4 { background: #da373c } .foot { color: var(--faint); font-size: 12px; margin-top: 4px }`

/** A menu of which nothing is chosen says so. */
const menu = (chosen: string) =>
  chosen === ''
    ? '<div class="menu"><span class="faint">Make a selection</span><span>⌄</span></div>'
    : `<div class="menu">${escape(chosen)}<span>⌄</span></div>`

/** A panel of components V2: texts, lines and menus. */
const panel = (blocks: NonNullable<TranscriptEntry['blocks']>, nameOf: (id: string) => string): string =>
  `<div class="panel">${blocks
    .map(({ text, chosen, isLine }) => {
      if (isLine === true) return '<hr>'
      return chosen === undefined ? block(text ?? '', nameOf) : menu(chosen)
    })
    .join('')}</div>`

/** A dialog that a press opened. */
export const dialogOf = (modal: Modal, look: 'light' | 'dark'): string => {
  const fields = modal.components.map(
    ({ label, component }) => `<div>${escape(label)}</div><div class="field">${escape(component.value ?? '')}</div>`,
  )
  return `<!doctype html><html class="${look}"><meta charset="utf-8"><style>${STYLE}</style><body><div class="dialog"><h3>${withIcons(escape(modal.title))}</h3>${fields.join('')}<div class="buttons"><span>Cancel</span><span class="s1">Submit</span></div></div></body></html>`
}

/** A page that looks like Discord, of what stands in a channel: from the payloads that were sent. */
export function pageOf(
  discord: Pick<DiscordDouble, 'transcript' | 'nameOf'>,
  channel: string,
  look: 'light' | 'dark',
  shows: (entry: TranscriptEntry) => boolean = () => true,
): string {
  const all = discord.transcript(channel)
  const nameOf = (id: string) => discord.nameOf(id)
  const messages = all.filter(shows).map((entry) => {
    const answered = all.find(({ id }) => id === entry.replyTo)
    const reply =
      answered &&
      `╭ <b>${escape(answered.author)}</b> ${inline(answered.text.split('\n')[0] || answered.files.join(', '), nameOf)}`
    const written = entry.text === '' ? '' : block(entry.text, nameOf)
    const words = entry.blocks === undefined ? written : panel(entry.blocks, nameOf)
    const files = entry.files.map((name) => `<div class="file">📄 ${escape(name)}</div>`)
    const rows = entry.rows.map(
      (row) =>
        `<div class="buttons">${row.map(({ label, style }) => `<span class="s${style}">${escape(label)}</span>`).join('')}</div>`,
    )
    return `<div class="message ${entry.only === undefined ? '' : 'alone'}">
      ${reply === undefined ? '' : `<div class="reply">${reply}</div>`}
      <div class="face ${entry.bot ? '' : 'person'}">${entry.bot ? '1' : escape(entry.author.charAt(0))}</div>
      <div><div><span class="who">${escape(entry.author)}</span>${entry.bot ? '<span class="app">APP</span>' : ''}<span class="time">Today at 9:41</span></div>
      <div>${words}${files.join('')}${rows.join('')}
      ${entry.only === undefined ? '' : '<div class="foot">👁 Only you can see this · <a>Dismiss message</a></div>'}</div></div></div>`
  })
  return `<!doctype html><html class="${look}"><meta charset="utf-8"><style>${STYLE}</style><body>${withIcons(messages.join(''))}</body></html>`
}
