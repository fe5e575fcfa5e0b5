const zeroWidth = '\u200B'

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: ' ',
}

/** Inline markdown outside of code blocks, as Discord reads it. Code spans stay as they are. */
export function renderInline(text: string): string {
  return outsideCode(text, (plain) => neutralise(styles(links(decode(plain)))))
}

/** Without marks, for places where Discord renders none (table cells in a code block). */
export function plainText(text: string): string {
  const bare = text.replaceAll(/(`+)(.+?)\1/g, (_span, _marks, code: string) => code.trim())
  return links(decode(bare))
    .replaceAll(/(\*\*\*|\*\*|\*|~~|__)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll('```', `\`\`${zeroWidth}\``)
}

function outsideCode(text: string, change: (plain: string) => string): string {
  let result = ''
  let end = 0
  for (const span of text.matchAll(/(?<![\\`])(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g)) {
    result += change(text.slice(end, span.index)) + span[0]
    end = span.index + span[0].length
  }
  return result + change(text.slice(end))
}

function decode(text: string): string {
  return text
    .replaceAll(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (entity, name: string) => entities[name] ?? entity)
    .replaceAll(/<br\s*\/?>/gi, '\n')
}

/**
 * Images go (their words stay), and a link shows where it leads: a masked link hides its target, and an image or a preview
 * would carry data out of the channel by itself. The angle brackets keep Discord from making a preview.
 */
function links(text: string): string {
  return text
    .replaceAll(/!\[([^\]]*)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+["'(][^)]*)?\)/g, '$1')
    .replaceAll(/!\[([^\]]*)\]\[[^\]]*\]/g, '$1')
    .replaceAll(
      /\[([^[\]]*(?:\[[^\]]{0,200}\][^[\]]*)*)\]\(<?([^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\)/g,
      (_link, label: string, target: string) => plainLink(label.trim(), target),
    )
}

function plainLink(label: string, target: string): string {
  if (!/^https?:\/\//i.test(target)) return label
  const bare = label.replace(/^<|>$/g, '')
  return bare === target || bare === '' ? `<${target}>` : `${label} (<${target}>)`
}

/** Marks that mean something else in Discord: `__` underlines there, `||` hides. */
function styles(text: string): string {
  return text
    .replaceAll(/(?<![\w\\])__(?=\S)(.+?)(?<=\S)__(?!\w)/g, '**$1**')
    .replaceAll(/(?<!\\)\|\|/g, '\\|\\|')
}

/** Nobody is to be called, and no code of Discord's is to be understood, by what a model or a file says. */
function neutralise(text: string): string {
  return text
    .replaceAll(/@(?=everyone|here)/gi, `@${zeroWidth}`)
    .replaceAll(/<(?=@[!&]?\d|#\d|a?:\w+:\d|\/[^:>]+:\d|t:-?\d|id:)/g, `<${zeroWidth}`)
}

/** Words of others (file names, quotations) in a line of ours: no mark in them works, and no address is live. */
export function escapeText(text: string): string {
  const plain = text
    .replaceAll(/[\\*_~`|[\]<>]/g, String.raw`\$&`)
    .replaceAll(/(?<=\b[a-z][a-z\d+.-]{1,20}):(?=\/\/)/gi, `:${zeroWidth}`)
  return neutralise(plain)
}
