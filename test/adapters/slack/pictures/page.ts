import MarkdownIt from 'markdown-it'
import { isJson, str, type Json } from '../../../doubles/slack/types.ts'

/** One message as the double has it. */
export interface Line {
  readonly name: string
  readonly own: boolean
  readonly reply: boolean
  readonly isPrivate: boolean
  readonly text: string
  readonly blocks: readonly Json[]
  readonly files: readonly string[]
}

const markdown = new MarkdownIt({ linkify: false })
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJson) : [])
/** Not every machine has a font with emoji: they are drawn by their names. */
const NAMES: Readonly<Record<string, string>> = {
  '✅': '<b class="ok">✓</b>',
  '👍': ':+1:',
  '👎': ':-1:',
  '🔊': ':speaker:',
}
const named = (html: string) => html.replaceAll(/[✅👍👎🔊]/gu, (sign) => NAMES[sign] ?? sign)
const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const textOf = (value: unknown): string => (isJson(value) ? (str(value['text']) ?? '') : '')

/** Slack's mrkdwn, as far as our blocks use it; entities are written by the adapter. */
const mrkdwn = (text: string) =>
  text
    .replaceAll(/`([^`\n]+)`/g, '<code>$1</code>')
    .replaceAll(/\*([^*\n]+)\*/g, '<b>$1</b>')
    .replaceAll(/(?<!\w)_([^_\n]+)_(?!\w)/g, '<i>$1</i>')
    .replaceAll('\n', '<br>')

const inText = (value: unknown) =>
  isJson(value) && value['type'] === 'plain_text' ? escape(textOf(value)) : mrkdwn(textOf(value))

const button = (element: Json) =>
  `<span class="button ${str(element['style']) ?? ''}">${escape(textOf(element['text']))}</span>`

function rich(value: Json): string {
  const inner = list(value['elements']).map(rich).join('')
  if (value['type'] === 'rich_text_quote') return `<blockquote>${inner}</blockquote>`
  if (value['type'] === 'rich_text_section') return `<div>${inner}</div>`
  if (value['type'] === 'date') return escape(str(value['fallback']) ?? '')
  const style = isJson(value['style']) ? value['style'] : {}
  const text = escape(str(value['text']) ?? str(value['url']) ?? '')
  const shown = value['type'] === 'link' ? `<a>${text}</a>` : text
  return style['bold'] === true ? `<b>${shown}</b>` : style['italic'] === true ? `<i>${shown}</i>` : shown
}

function block(one: Json): string {
  switch (str(one['type']) ?? '') {
    case 'markdown':
      return `<div class="text">${markdown.render(str(one['text']) ?? '')}</div>`
    case 'section':
      return `<div class="text section">${inText(one['text'])}</div>`
    case 'header':
      return `<h2>${inText(one['text'])}</h2>`
    case 'divider':
      return '<hr>'
    case 'context':
      return `<div class="context">${list(one['elements']).map(inText).join(' ')}</div>`
    case 'actions':
      return `<div class="actions">${list(one['elements']).map(button).join('')}</div>`
    case 'rich_text':
      return `<div class="context">${list(one['elements']).map(rich).join('')}</div>`
    case 'container': {
      const title = one['rich_text_title'] === undefined ? inText(one['title']) : rich(one['rich_text_title'] as Json)
      return `<div class="fold">▸ ${title}</div>`
    }
    case 'input': {
      const element = isJson(one['element']) ? one['element'] : {}
      const chosen = isJson(element['initial_option']) ? inText(element['initial_option']['text']) : ''
      return `<label>${inText(one['label'])}<span class="select">${chosen}<i>⌄</i></span></label>`
    }
    default:
      return ''
  }
}

const blocks = (value: unknown) => list(value).map(block).join('')

function message({ name, own, reply, isPrivate, text, blocks: shown, files }: Line): string {
  const badge = own ? '<span class="badge">APP</span>' : ''
  const attached = files.map((file) => `<div class="file">${escape(file)}</div>`).join('')
  return `<div class="message ${reply ? 'reply' : ''} ${isPrivate ? 'private' : ''}">
    <div class="avatar ${own ? 'own' : ''}">${own ? 'fb' : escape(name.slice(0, 1))}</div>
    <div class="body">${isPrivate ? '<div class="note">Only visible to you</div>' : ''}
    <div><b>${own ? 'Footbridge' : escape(name)}</b>${badge}<span class="time">10:24</span></div>
    ${text === '' ? '' : `<div class="text">${escape(text)}</div>`}${blocks(shown)}${attached}</div></div>`
}

export const talkHtml = (title: string, lines: readonly Line[]): string =>
  `<header>${escape(title)}</header>${lines.map(message).join('')}`

export const homeHtml = (view: Json): string =>
  `<header>Footbridge <span class="tabs"><b>Home</b> Messages About</span></header><div class="home">${blocks(view['blocks'])}</div>`

export const modalHtml = (view: Json): string =>
  `<div class="modal"><header>${inText(view['title'])}<span class="close">✕</span></header><div class="home">${blocks(view['blocks'])}</div>
  <footer><span class="button">Cancel</span><span class="button primary">${inText(view['submit'])}</span></footer></div>`

const STYLE = `
:root{--back:#fff;--fore:#1d1c1d;--quiet:#616061;--line:#dddddd;--own:#4a154b;--hover:#f8f8f8;--link:#1264a3;--note:#fef9ed}
.dark{--back:#1a1d21;--fore:#d1d2d3;--quiet:#ababad;--line:#3a3d41;--own:#7c3a7d;--hover:#222529;--link:#1d9bd1;--note:#2b2a22}
body{margin:0;font:15px/1.46 Lato,"Noto Sans","DejaVu Sans",sans-serif;background:var(--back);color:var(--fore)}
header{font-weight:900;font-size:17px;padding:12px 20px;border-bottom:1px solid var(--line)}
.tabs{font-size:13px;font-weight:400;color:var(--quiet);margin-left:16px}.tabs b{color:var(--fore)}
.message{display:flex;gap:10px;padding:8px 20px}.message.reply{margin-left:46px;border-left:2px solid var(--line)}
.private{background:var(--note)}.note{font-size:12px;color:var(--quiet)}
.avatar{flex:none;width:36px;height:36px;border-radius:6px;background:#2e8b74;color:#fff;font-weight:700;display:flex;align-items:center;justify-content:center}
.avatar.own{background:var(--own)}.body{min-width:0;flex:1}
.badge{font-size:10px;background:var(--line);color:var(--quiet);border-radius:2px;padding:0 3px;margin-left:5px}
.time{font-size:12px;color:var(--quiet);margin-left:8px}
.text p,.text ul{margin:2px 0 6px}.text ul{padding-left:24px}code{font-size:12px;color:#e01e5a;border:1px solid var(--line);border-radius:3px;padding:1px 3px;background:var(--hover)}
.ok{color:#2bac76}.context{font-size:13px;color:var(--quiet);margin:4px 0}.fold{font-size:13px;margin:3px 0;padding:5px 10px;border:1px solid var(--line);border-radius:8px}.fold div{display:inline}
.actions{display:flex;flex-wrap:wrap;gap:8px;margin:8px 0 4px}
.button{font-size:13px;font-weight:700;border:1px solid var(--line);border-radius:8px;padding:4px 11px}
.button.primary{background:#007a5a;border-color:#007a5a;color:#fff}.button.danger{color:#e01e5a;border-color:#e01e5a}
.file{border:1px solid var(--line);border-radius:8px;padding:8px 12px;margin:4px 0;width:260px}
.home{padding:12px 20px}h2{font-size:18px;margin:10px 0 4px}hr{border:0;border-top:1px solid var(--line);margin:14px 0}.section{margin:4px 0}
.modal{margin:20px auto;width:520px;border:1px solid var(--line);border-radius:8px}.close{float:right;color:var(--quiet)}
label{display:block;font-weight:700;margin:0 0 14px}.select{display:flex;justify-content:space-between;font-weight:400;border:1px solid var(--quiet);border-radius:4px;padding:6px 12px;margin-top:4px}.select i{color:var(--quiet)}
footer{display:flex;gap:10px;justify-content:flex-end;padding:14px 20px;border-top:1px solid var(--line)}a{color:var(--link)}
`

export const pageOf = (html: string, theme: 'light' | 'dark'): string =>
  `<!doctype html><meta charset="utf-8"><style>${STYLE}</style><body class="${theme}">${named(html)}</body>`
