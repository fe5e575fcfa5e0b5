import MarkdownIt from 'markdown-it'
import type { SlackDouble } from '#test/doubles/slack/double.ts'
import { isJson, str, type Json } from '#test/doubles/slack/types.ts'

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
/** Not every machine has a font with emoji: those that messages have are drawn. */
const THUMB =
  '<path d="M2 9h4v9H2z" fill="#4a90d9"/><path d="M7 9l3.2-7.2c2-.3 2.6 1.2 2.2 3L11.8 8H17c1.400 0 1.900 1 1.500 2.200l-2 6.600c-.3.800-.9 1.200-1.800 1.200H7z" fill="#fcc21b"/>'
const DRAWN: Readonly<Record<string, string>> = {
  '👍': THUMB,
  '👎': `<g transform="rotate(180 10 10)">${THUMB}</g>`,
  '✅': '<rect x="1" y="1" width="18" height="18" rx="4" fill="#2bac76"/><path d="M5 10.500l3.500 3.500L15 6.500" fill="none" stroke="#fff" stroke-width="2.600"/>',
  '⚠': '<path d="M10 1.500L19.500 18h-19z" fill="#fcc21b"/><path d="M10 7v5.500M10 14.200v1.800" stroke="#333" stroke-width="2"/>',
  '📥': '<path d="M10 1v10M6 7l4 5 4-5M2 12v6h16v-6" fill="none" stroke="#8a8f98" stroke-width="2"/>',
  '🔎': '<circle cx="8" cy="8" r="5.5" fill="none" stroke="#8a8f98" stroke-width="2"/><path d="M12 12l6 6" stroke="#8a8f98" stroke-width="2.6"/>',
  '🎙': '<rect x="7" y="1" width="6" height="10" rx="3" fill="#8a8f98"/><path d="M4.500 8.500a5.500 5.500 0 0 0 11 0M10 14v4M6.500 18.500h7" fill="none" stroke="#8a8f98" stroke-width="1.800"/>',
  '🔊': '<path d="M2 7h4l5-4v14l-5-4H2z" fill="#8a8f98"/><path d="M13.500 7a4 4 0 0 1 0 6M15.500 4.500a7.500 7.500 0 0 1 0 11" fill="none" stroke="#8a8f98" stroke-width="1.600"/>',
  '📌': '<path d="M12 1l7 7-3 1-4 4-.5 4L3 8.500 7 8l4-4z" fill="#e01e5a"/><path d="M6.500 13.500L1.500 18.500" stroke="#8a8f98" stroke-width="1.800"/>',
}
const named = (html: string) =>
  html.replaceAll(
    /([👍👎✅⚠📥🔎🎙🔊📌])\u{FE0F}?/gu,
    (_, sign: string) => `<svg class="emoji" viewBox="0 0 20 20">${DRAWN[sign] ?? ''}</svg>`,
  )
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

/** The rows of one page, as Slack shows them under the caption. */
function dataTable({ caption, rows, page_size: size }: Json): string {
  const [head = [], ...others] = Array.isArray(rows) ? rows.map(list) : []
  const row = (cells: readonly Json[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escape(str(cell['text']) ?? '')}</${tag}>`).join('')}</tr>`
  const shown = others.slice(0, Number(size ?? 5))
  const body = shown.map((cells) => row(cells, 'td')).join('')
  return `<table class="data"><caption>${escape(str(caption) ?? '')}</caption>${row(head, 'th')}${body}</table>`
}

function chart({ title, chart: drawn }: Json): string {
  const [series] = isJson(drawn) ? list(drawn['series']) : []
  const bars = list(series?.['data']).map(({ label, value }) => ({ label: str(label) ?? '', value: Number(value) }))
  const most = Math.max(...bars.map(({ value }) => value))
  const columns = bars.map(
    ({ label, value }) => `<div><i style="height:${Math.round((value / most) * 90)}px"></i>${escape(label)}</div>`,
  )
  return `<div class="chart"><b>${escape(str(title) ?? '')}</b><div class="bars">${columns.join('')}</div></div>`
}

function block(one: Json): string {
  switch (str(one['type']) ?? '') {
    case 'markdown':
      return `<div class="text">${markdown.render(str(one['text']) ?? '')}</div>`
    case 'data_table':
      return dataTable(one)
    case 'data_visualization':
      return chart(one)
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
      const inside = list(one['child_blocks']).map(block).join('')
      return `<div class="fold"><span class="mark"></span>${title}<div class="inside">${inside}</div></div>`
    }
    case 'input': {
      const element = isJson(one['element']) ? one['element'] : {}
      const label = `${inText(one['label'])}${one['optional'] === true ? ' <i>(optional)</i>' : ''}`
      if (element['type'] === 'checkboxes') {
        const boxes = list(element['options']).map(
          (box) => `<div class="box"><span></span>${inText(box['text'])}</div>`,
        )
        return `<label>${label}${boxes.join('')}</label>`
      }
      if (element['type'] === 'plain_text_input') return `<label>${label}<span class="select field"></span></label>`
      const chosen = isJson(element['initial_option']) ? inText(element['initial_option']['text']) : ''
      return `<label>${label}<span class="select">${chosen}<i>⌄</i></span></label>`
    }
    default:
      return ''
  }
}

const blocks = (value: unknown) => list(value).map(block).join('')

/** A clip is shown as something to play, another file with its kind. */
const fileHtml = (name: string) =>
  name.startsWith('audio_message')
    ? '<div class="file"><b class="kind">▶</b><span class="wave"></span>0:03</div>'
    : `<div class="file"><b class="kind">${escape(name.slice(name.lastIndexOf('.') + 1).toUpperCase())}</b>${escape(name)}</div>`

function message({ name, own, reply, isPrivate, text, blocks: shown, files }: Line): string {
  const badge = own ? '<span class="badge">APP</span>' : ''
  const attached = files.map(fileHtml).join('')
  return `<div class="message ${reply ? 'reply' : ''} ${isPrivate ? 'private' : ''}">
    <div class="avatar ${own ? 'own' : ''}">${own ? 'fb' : escape(name.slice(0, 1))}</div>
    <div class="body">${isPrivate ? '<div class="note">Only visible to you</div>' : ''}
    <div><b>${own ? 'Footbridge' : escape(name)}</b>${badge}<span class="time">10:24</span></div>
    ${text === '' ? '' : `<div class="text">${escape(text)}</div>`}${blocks(shown)}${attached}</div></div>`
}

/** The messages of a channel, from the one with this index on. */
export function linesOf(slack: SlackDouble, channel: string, from = 0): readonly Line[] {
  return slack.workspace.messages
    .filter((one) => one.channel === channel && !one.deleted)
    .slice(from)
    .map((one) => ({
      name: slack.workspace.users.get(one.user)?.name ?? 'Footbridge',
      own: one.botId !== undefined,
      reply: one.threadTs !== undefined,
      isPrivate: one.ephemeralTo !== undefined,
      // A streamed answer has its text next to its blocks.
      blocks: one.markdown === undefined ? one.blocks : [{ type: 'markdown', text: one.markdown }, ...one.blocks],
      text:
        one.blocks.length > 0 || one.markdown !== undefined
          ? ''
          : one.text.replaceAll(`<@${slack.botUserId}>`, '@footbridge'),
      files: one.files.map((file) => String(file['name'])),
    }))
}

export const talkHtml = (title: string, lines: readonly Line[]): string =>
  `<header>${escape(title)}</header>${lines.map(message).join('')}`

export const homeHtml = (view: Json): string =>
  `<header>Footbridge <span class="tabs"><b>Home</b> Messages About</span></header><div class="home">${blocks(view['blocks'])}</div>`

export const modalHtml = (view: Json): string =>
  `<div class="modal"><header>${inText(view['title'])}<span class="close">✕</span></header><div class="home">${blocks(view['blocks'])}</div>
  <footer><span class="button">Cancel</span><span class="button primary">${inText(view['submit'])}</span></footer></div>`

const valueHtml = ({ value, format }: Json): string =>
  format === 'markdown' ? markdown.render(str(value) ?? '') : escape(str(value) ?? '')

const fieldHtml = (field: Json): string => {
  const { image_url, link, alt_text } = field
  if (image_url !== undefined) return `<img src="${str(image_url)}" alt="${escape(str(alt_text) ?? '')}">`
  return link === undefined ? valueHtml(field) : `<a href="#">${valueHtml(field)}</a>`
}

/** Who dropped a file, and when. */
function aboutFile({ created_by: by, date_created: at }: Json): string {
  const name = isJson(by) && isJson(by['user']) ? str(by['user']['text']) : undefined
  const day = isJson(at) && typeof at['value'] === 'number' ? new Date(at['value'] * 1000).toDateString() : undefined
  const rows = [
    ['Created by', name],
    ['Date created', day],
  ] as const
  return rows
    .map(([label, value]) => (value === undefined ? '' : `<dt>${label}</dt><dd>${escape(value)}</dd>`))
    .join('')
}

/** Fields of a Work Object; a string without a format is literal. */
function entityHtml(entity: Json): string {
  const payload = isJson(entity['entity_payload']) ? entity['entity_payload'] : {}
  const attributes = isJson(payload['attributes']) ? payload['attributes'] : {}
  const about = isJson(payload['fields']) ? payload['fields'] : {}
  const { description } = about
  const fields = [
    isJson(description) ? { ...description, label: 'Description' } : {},
    ...list(payload['custom_fields']),
  ]
  const shown = fields.map((one) => `<dt>${escape(str(one['label']) ?? '')}</dt><dd>${fieldHtml(one)}</dd>`)
  return `<h2>${escape(textOf(attributes['title']))}</h2><div class="context">Footbridge</div><dl>${aboutFile(about)}${shown.join('')}</dl>`
}

/** A channel with the Work Objects of its last message, and what opens when somebody presses it. */
export const besideHtml = (talk: string, cards: readonly Json[], pane: Json): string =>
  `<div class="beside"><div>${talk}${cards.map((card) => `<div class="entity">${entityHtml(card)}</div>`).join('')}</div><aside><header>Footbridge<span class="close">✕</span></header><div class="home">${entityHtml(pane)}</div></aside></div>`

export const promptsHtml = (titles: readonly string[]): string =>
  `<header>Footbridge <span class="tabs">Home <b>Messages</b> About</span></header><div class="home"><div class="actions prompts">${titles.map((title) => `<span class="button">${escape(title)}</span>`).join('')}</div><div class="select">Message Footbridge<i>➤</i></div></div>`

const STYLE = `
:root{--back:#fff;--fore:#1d1c1d;--quiet:#616061;--line:#dddddd;--own:#4a154b;--hover:#f8f8f8;--link:#1264a3;--note:#fef9ed}
.dark{--back:#1a1d21;--fore:#d1d2d3;--quiet:#ababad;--line:#3a3d41;--own:#7c3a7d;--hover:#222529;--link:#1d9bd1;--note:#2b2a22}
body{margin:0;font:15px/1.46 Lato,"Noto Sans","DejaVu Sans",sans-serif;background:var(--back);color:var(--fore)}
header{font-weight:900;font-size:17px;padding:12px 20px;border-bottom:1px solid var(--line)}
.tabs{font-size:13px;font-weight:400;color:var(--quiet);margin-left:16px;word-spacing:10px}.tabs b{color:var(--fore)}
.message{display:flex;gap:10px;padding:8px 20px}.message.reply{margin-left:46px;border-left:2px solid var(--line)}
.data{border-collapse:collapse;margin:6px 0}.data caption{text-align:left;font-weight:700}.data th,.data td{border:1px solid var(--line);padding:4px 12px;text-align:left}
.chart{border:1px solid var(--line);border-radius:8px;padding:8px 12px;margin:6px 0;max-width:420px}.bars{display:flex;gap:16px;align-items:flex-end;height:120px;font-size:12px}.bars div{display:flex;flex-direction:column;align-items:center}.bars i{width:48px;background:var(--link)}
.private{background:var(--note)}.note{font-size:12px;color:var(--quiet)}
.avatar{flex:none;width:36px;height:36px;border-radius:6px;background:#2e8b74;color:#fff;font-weight:700;display:flex;align-items:center;justify-content:center}
.avatar.own{background:var(--own)}.body{min-width:0;flex:1}
.badge{font-size:10px;background:var(--line);color:var(--quiet);border-radius:2px;padding:0 3px;margin-left:5px}
.time{font-size:12px;color:var(--quiet);margin-left:8px}
.text p,.text ul{margin:2px 0 6px}.text ul{padding-left:24px}code{font-size:12px;color:#e01e5a;border:1px solid var(--line);border-radius:3px;padding:1px 3px;background:var(--hover)}
.emoji{width:1.15em;height:1.15em;vertical-align:-.2em}.text pre{margin:4px 0;padding:8px 10px;border:1px solid var(--line);border-radius:4px;background:var(--hover)}.text pre code{border:0;padding:0;background:none;color:inherit}
.kind{font-size:10px;color:#fff;background:var(--own);border-radius:4px;padding:3px 6px;margin-right:9px}.wave{display:inline-block;width:120px;height:14px;margin-right:9px;vertical-align:middle;background:repeating-linear-gradient(90deg,var(--quiet) 0 2px,transparent 2px 5px);opacity:.6}
.context{font-size:13px;color:var(--quiet);margin:4px 0}.fold{font-size:13px;margin:3px 0;padding:5px 10px;border:1px solid var(--line);border-radius:8px}.fold>div{display:inline}.fold .mark::before{content:'▸ '}.open .fold .mark::before{content:'▾ '}.fold>.inside{display:none}.open .fold>.inside{display:block;margin-top:4px}blockquote{margin:4px 0;padding-left:10px;border-left:3px solid var(--line)}
.actions{display:flex;flex-wrap:wrap;gap:8px;margin:8px 0 4px}
.button{font-size:13px;font-weight:700;border:1px solid var(--line);border-radius:8px;padding:4px 11px}
.button.primary{background:#007a5a;border-color:#007a5a;color:#fff}.button.danger{color:#e01e5a;border-color:#e01e5a}
.prompts{flex-direction:column;align-items:flex-start;margin-bottom:14px}.home>.select{color:var(--quiet)}.file{border:1px solid var(--line);border-radius:8px;padding:8px 12px;margin:4px 0;width:260px}
.home{padding:12px 20px}h2{font-size:18px;margin:10px 0 4px}hr{border:0;border-top:1px solid var(--line);margin:14px 0}.section{margin:4px 0}
.modal{margin:20px auto;width:520px;border:1px solid var(--line);border-radius:8px}.close{float:right;color:var(--quiet)}
label i{font-style:normal;font-weight:400;color:var(--quiet)}.select.field{min-height:60px}label .box{display:flex;align-items:center;gap:8px;font-weight:400;padding:5px 0}label .box span{width:16px;height:16px;border:1px solid var(--quiet);border-radius:4px}label{display:block;font-weight:700;margin:0 0 14px}.select{display:flex;justify-content:space-between;font-weight:400;border:1px solid var(--quiet);border-radius:4px;padding:6px 12px;margin-top:4px}.select i{color:var(--quiet)}
.beside{display:flex}.beside>div{flex:1;min-width:0}aside{width:360px;border-left:1px solid var(--line)}.entity{border:1px solid var(--line);border-radius:8px;margin:0 20px 14px 66px;padding:2px 14px}dl{margin:6px 0}dt{font-size:13px;color:var(--quiet)}dd{margin:0 0 10px;white-space:pre-wrap}dd p{margin:0}dd img{width:100%;border:1px solid var(--line)}dt:empty,dt:empty+dd{display:none}
footer{display:flex;gap:10px;justify-content:flex-end;padding:14px 20px;border-top:1px solid var(--line)}a{color:var(--link)}
`

export const pageOf = (html: string, theme: 'light' | 'dark'): string =>
  `<!doctype html><meta charset="utf-8"><style>${STYLE}</style><body class="${theme}">${named(html)}</body>`
