export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

type NameOf = (id: string) => string

const MESSAGE_ADDRESS = /&lt;https:\/\/discord\.com\/channels\/[^/&]+\/(\d+)\/\d+&gt;/g

/** Discord's inline markup, as far as Footbridge writes it. */
export function inline(text: string, nameOf: NameOf): string {
  const kept: string[] = []
  const keep = (html: string) => `\uE000${kept.push(html) - 1}\uE000`
  const bare = text
    .replaceAll(/`([^`]+)`/g, (_all, code: string) => keep(`<code>${escapeHtml(code)}</code>`))
    .replaceAll(/\\([^\w\s])/g, (_all, sign: string) => keep(escapeHtml(sign)))
  return escapeHtml(bare)
    .replaceAll(/\[([^\]]+)\]\(&lt;[^&]+&gt;\)/g, '<a>$1</a>')
    .replaceAll(/\*\*(.+?)\*\*/g, '<b>$1</b>')
    .replaceAll(/(?<!\w)[_*](.+?)[_*](?!\w)/g, '<i>$1</i>')
    .replaceAll(/&lt;@(\d+)&gt;/g, (_all, id: string) => `<span class="mention">@${escapeHtml(nameOf(id))}</span>`)
    .replaceAll(/&lt;#(\d+)&gt;/g, (_all, id: string) => `<span class="mention"># ${escapeHtml(nameOf(id))}</span>`)
    .replaceAll(/&lt;t:(\d+):d&gt;/g, (_all, at: string) => new Date(Number(at) * 1000).toLocaleDateString('en-GB'))
    .replaceAll(
      MESSAGE_ADDRESS,
      (_all, channel: string) => `<span class="mention"># ${escapeHtml(nameOf(channel))} › message</span>`,
    )
    .replaceAll(/&lt;(https:[^&]+)&gt;/g, '<a>$1</a>')
    .replaceAll(/\uE000(\d+)\uE000/g, (_all, index: string) => kept[Number(index)] ?? '')
}

function line(text: string, nameOf: NameOf): string {
  const [, marks = '', rest = ''] = /^(-# |#{1,3} |> |\s*[-*•] )?(.*)$/s.exec(text) ?? []
  if (marks === '> ') return `<blockquote>${rest === '' ? '&nbsp;' : line(rest, nameOf)}</blockquote>`
  const words = inline(rest, nameOf)
  if (marks === '-# ') return `<small>${words}</small>`
  if (marks.startsWith('#')) return `<h3>${words}</h3>`
  return marks === '' ? `<div class="line">${words || '&nbsp;'}</div>` : `<div class="item">${words}</div>`
}

export const block = (text: string, nameOf: NameOf): string =>
  text
    .split(/(\n?```[\s\S]*?```\n?)/)
    .map((part) => {
      const code = /^\n?```\w*\n?([\s\S]*?)\n?```\n?$/.exec(part)?.[1]
      if (code !== undefined) return `<pre>${escapeHtml(code)}</pre>`
      if (part === '') return ''
      return part
        .split('\n')
        .map((each) => line(each, nameOf))
        .join('')
    })
    .join('')
