/** A token of RTF. Bytes above 127 and `\'hh` come as `bytes`, since the font gives their meaning. */
export type RtfToken =
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  | { readonly kind: 'word'; readonly name: string; readonly value: number | undefined }
  | { readonly kind: 'bytes'; readonly bytes: string }

const PATTERN = new RegExp(
  String.raw`(?<open>\{)|(?<close>\})|\\(?<name>[a-z]{1,32})(?<value>-?\d{1,10})? ?|\\'(?<hex>[0-9a-f]{2})` +
    String.raw`|\\(?<symbol>[^a-z])|(?<text>[^\\{}\r\n]+)`,
  'giy',
)

const SYMBOLS: Readonly<Record<string, string>> = { '\\': '\\', '{': '{', '}': '}', '~': ' ', _: '-' }

/** Reads the file as Latin-1, one byte a character. */
export function* readTokens(source: string): Generator<RtfToken> {
  PATTERN.lastIndex = 0
  let at = 0
  while (at < source.length) {
    PATTERN.lastIndex = at
    const match = PATTERN.exec(source)?.groups
    if (match === undefined) {
      at += 1
      continue
    }
    at = PATTERN.lastIndex
    const { open, close, name, value, hex, symbol, text } = match
    if (open !== undefined) yield { kind: 'open' }
    else if (close !== undefined) yield { kind: 'close' }
    else if (name === 'bin') at += Math.max(0, Number(value ?? 0))
    else if (name !== undefined) yield { kind: 'word', name, value: value === undefined ? undefined : Number(value) }
    else if (hex !== undefined) yield { kind: 'bytes', bytes: String.fromCharCode(Number.parseInt(hex, 16)) }
    else if (text !== undefined) yield { kind: 'bytes', bytes: text }
    else if (symbol === '*') yield { kind: 'word', name: '*', value: undefined }
    else if (symbol === '\n' || symbol === '\r') yield { kind: 'word', name: 'par', value: undefined }
    else if (symbol !== undefined && SYMBOLS[symbol] !== undefined) yield { kind: 'bytes', bytes: SYMBOLS[symbol] }
  }
}

/** Control words for one character. */
export const CHARACTERS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    tab: '\t',
    emdash: '—',
    endash: '–',
    bullet: '•',
    lquote: '‘',
    rquote: '’',
    ldblquote: '“',
    rdblquote: '”',
    emspace: ' ',
    enspace: ' ',
    qmspace: ' ',
  }),
)

/** Groups with text of the document. */
export type Target =
  | 'text'
  | 'skip'
  | 'shape'
  | 'fonts'
  | 'styles'
  | 'picture'
  | 'address'
  | 'form'
  | 'entry'
  | 'marker'
  | 'note'
  | 'comment'
  | 'box'
  | 'head'
  | 'lists'
  | 'level'

/** Groups whose text is apart from the paragraph around them. */
export const APART: ReadonlySet<Target> = new Set<Target>(['note', 'comment', 'box', 'head'])

/** Groups whose text goes elsewhere. */
export const TARGETS: ReadonlyMap<string, Target> = new Map(
  Object.entries<Target>({
    fonttbl: 'fonts',
    stylesheet: 'styles',
    pict: 'picture',
    fldinst: 'address',
    formfield: 'form',
    ffl: 'entry',
    listtext: 'marker',
    pntext: 'marker',
    footnote: 'note',
    annotation: 'comment',
    header: 'head',
    headerl: 'head',
    headerr: 'head',
    headerf: 'head',
    footer: 'head',
    footerl: 'head',
    footerr: 'head',
    footerf: 'head',
    shpinst: 'shape',
    do: 'shape',
    shptxt: 'box',
    dptxbxtext: 'box',
    listtable: 'lists',
    listoverridetable: 'lists',
    leveltext: 'level',
  }),
)
/** Groups with nothing for readers. */
export const SKIPPED_NAMES = new Set(
  // `shprslt` draws a shape once more for old programs; `sp` has the properties of a shape.
  (
    'colortbl info ftnsep ftnsepc aftnsep xe tc shprslt sp ' +
    'nonshppict themedata datastore filetbl revtbl levelnumbers listname listpicture generator'
  ).split(' '),
)
/** Optional groups (`\\*`) that are read. */
export const KNOWN_NAMES = new Set(['shppict'])
