import {
  addCode,
  type Attributes,
  type Blocks,
  type CodeBlock,
  codeOf,
  createBlocks,
  languageOf,
  startCode,
  toFence,
} from './blocks.ts'
import { createInline, createNoteLabels, escapeStart, type Inline, isNoteOrigin, type Mark } from './inline.ts'
import { countItem, type List, toList } from './list-numbers.ts'
import { type CellBudget, createCellBudget, createTableRows, type TableRows, toMarkdownTable } from './table.ts'

/** Writes elements under their HTML names, well nested, as markdown. */
export interface MarkdownWriter {
  open(name: string, attributes?: Attributes): void
  text(text: string): void
  close(name: string): void
  /** A block that is markdown already. */
  block(markdown: string): void
  /** Text in a paragraph that is markdown already, such as the name of a picture. */
  inline(markdown: string): void
  finish(): string
}

const MARKS: ReadonlyMap<string, Mark> = new Map(
  Object.entries<Mark>({
    strong: 'strong',
    b: 'strong',
    em: 'em',
    i: 'em',
    del: 'del',
    s: 'del',
    strike: 'del',
    code: 'code',
    kbd: 'code',
    samp: 'code',
    tt: 'code',
    sup: 'sup',
    sub: 'sub',
  }),
)

const BLOCK_NAMES = new Set(
  (
    'p div section article aside main nav header footer figure figcaption dl dt dd caption address details summary ' +
    'fieldset form hgroup center body'
  ).split(' '),
)

interface State {
  readonly blocks: Blocks
  readonly inline: Inline
  readonly lists: List[]
  readonly noteLabel: (id: string | undefined) => string | undefined
  readonly budget: CellBudget
  heading: number
  pre: CodeBlock | undefined
  table: TableRows | undefined
  /** Depth of tables inside a cell: their cells become plain text of that cell. */
  innerTables: number
  cell: { columns: number; rows: number } | undefined
  /** Depth inside the link that leads back from a footnote. */
  hiddenLinks: number
  /** True between the sign or label of an item and its text. */
  isAtItem: boolean
}

/** Ends the paragraph, or the line of a cell. */
function flush({ cell, inline, isAtItem, heading, lists, blocks }: State): void {
  if (isAtItem) return
  if (cell !== undefined) return inline.isEmpty() ? undefined : inline.lineBreak()
  const text = inline.take()
  if (text === '') return
  if (heading === 0) blocks.write(escapeStart(text))
  else if (lists.length > 0) blocks.write(`**${text.replaceAll('\n', ' ').replaceAll('**', '')}**`)
  else blocks.write(`${'#'.repeat(heading)} ${text.replaceAll('\n', ' ').replace(/^\*\*(.*)\*\*$/, '$1')}`)
}

/** The same where no text follows the label of an item. */
function flushItem(state: State): void {
  if (state.cell === undefined) state.isAtItem = false
  flush(state)
}

function openList(state: State, ordered: boolean, attributes: Attributes): void {
  flushItem(state)
  if (state.lists.length > 0 && state.cell === undefined) state.blocks.tight()
  state.lists.push(toList(ordered, attributes))
}

function openItem(state: State, attributes: Attributes): void {
  state.isAtItem = false
  flush(state)
  const list = state.lists.at(-1) ?? toList(false, {})
  const label = countItem(list, attributes)
  const marker = list.ordered && label === undefined ? `${list.count}. ` : '- '
  if (state.cell !== undefined) {
    state.inline.markdown(label === undefined ? marker : `${marker}${label} `)
    state.isAtItem = true
    return
  }
  const note = state.noteLabel(attributes['id'])
  if (note !== undefined) return state.blocks.enter(`${note}: `, '    ')
  if (!list.isEmpty || state.lists.length > 1) state.blocks.tight()
  list.isEmpty = false
  state.blocks.enter(marker, ' '.repeat(marker.length))
  if (label === undefined) return
  state.inline.markdown(`${label} `)
  state.isAtItem = true
}

function closeList(state: State): void {
  flushItem(state)
  state.lists.pop()
}

function closePre(state: State): void {
  const { pre } = state
  if (pre === undefined) return
  state.pre = undefined
  const code = codeOf(pre)
  if (code === '') return
  if (state.cell === undefined) state.blocks.write(toFence(code, pre.language))
  else state.inline.markdown(`\`${code.replace(/[\s`]+/g, ' ')}\``)
}

function openTable(state: State): void {
  flushItem(state)
  if (state.table === undefined) state.table = createTableRows(state.budget)
  else state.innerTables += 1
}

function closeTable(state: State): void {
  flush(state)
  if (state.innerTables > 0) state.innerTables -= 1
  else if (state.table !== undefined) {
    const rows = state.table.finish()
    state.table = undefined
    const markdown = toMarkdownTable(rows)
    if (markdown !== '') state.blocks.write(markdown)
  }
}

function openCell(state: State, attributes: Attributes): void {
  // Text between the cells would get into the next one; browsers show it before the table.
  flush(state)
  if (state.innerTables > 0 || state.table === undefined) return
  state.cell = { columns: Number(attributes['colspan'] ?? 1), rows: Number(attributes['rowspan'] ?? 1) }
}

function closeCell(state: State): void {
  state.isAtItem = false
  const { cell, table } = state
  if (state.innerTables > 0 || cell === undefined || table === undefined) return flush(state)
  state.cell = undefined
  table.cell(state.inline.take(), cell.columns, cell.rows)
}

function openLink(state: State, attributes: Attributes): void {
  const href = attributes['href'] ?? ''
  const note = state.noteLabel(href)
  if (note === undefined && !isNoteOrigin(href)) return state.inline.openLink(href)
  if (note !== undefined) state.inline.markdown(note)
  state.hiddenLinks += 1
}

function closeLink(state: State): void {
  if (state.hiddenLinks > 0) state.hiddenLinks -= 1
  else state.inline.closeLink()
}

function leaveBlock(state: State): void {
  flushItem(state)
  if (state.cell === undefined) state.blocks.leave()
}

const OPENED: ReadonlyMap<string, (state: State, attributes: Attributes) => void> = new Map(
  Object.entries<(state: State, attributes: Attributes) => void>({
    br: ({ inline }) => inline.lineBreak(),
    hr(state) {
      flushItem(state)
      if (state.cell === undefined) state.blocks.write('---')
    },
    ul: (state, attributes) => openList(state, false, attributes),
    ol: (state, attributes) => openList(state, true, attributes),
    li: openItem,
    blockquote(state) {
      flushItem(state)
      if (state.cell === undefined) state.blocks.enter('> ', '> ')
    },
    pre(state, attributes) {
      flushItem(state)
      state.pre = startCode(attributes)
    },
    table: openTable,
    tr: (state) => (state.innerTables > 0 ? flush(state) : state.table?.row()),
    td: openCell,
    th: openCell,
    a: openLink,
  }),
)

const CLOSED: ReadonlyMap<string, (state: State) => void> = new Map(
  Object.entries<(state: State) => void>({
    ul: closeList,
    ol: closeList,
    li: leaveBlock,
    blockquote: leaveBlock,
    pre: closePre,
    table: closeTable,
    td: closeCell,
    th: closeCell,
    a: closeLink,
  }),
)

const isHeading = (name: string) => /^h[1-6]$/.test(name)

function openElement(state: State, name: string, attributes: Attributes): void {
  const { pre } = state
  const mark = MARKS.get(name)
  if (pre !== undefined) {
    if (name === 'br') addCode(pre, '\n')
    else if (name === 'code' && pre.language === '') pre.language = languageOf(attributes)
  } else if (mark !== undefined) state.inline.open(mark)
  else if (isHeading(name)) {
    flush(state)
    if (state.cell === undefined) state.heading = Number(name[1])
  } else if (BLOCK_NAMES.has(name)) flush(state)
  else OPENED.get(name)?.(state, attributes)
}

function closeElement(state: State, name: string): void {
  const { pre } = state
  const mark = MARKS.get(name)
  if (pre !== undefined && name !== 'pre') {
    if ((BLOCK_NAMES.has(name) || name === 'table') && !pre.endsLine) addCode(pre, '\n')
  } else if (mark !== undefined) state.inline.close(mark)
  else if (isHeading(name)) {
    flush(state)
    state.heading = 0
  } else if (BLOCK_NAMES.has(name)) flush(state)
  else CLOSED.get(name)?.(state)
}

const createState = (): State => ({
  blocks: createBlocks(),
  inline: createInline(),
  lists: [],
  noteLabel: createNoteLabels(),
  budget: createCellBudget(),
  heading: 0,
  pre: undefined,
  table: undefined,
  innerTables: 0,
  cell: undefined,
  hiddenLinks: 0,
  isAtItem: false,
})

export function createMarkdownWriter(): MarkdownWriter {
  const state = createState()
  return {
    open: (name, attributes = {}) => openElement(state, name, attributes),
    close: (name) => closeElement(state, name),
    text(text) {
      const isBlank = text.trim() === ''
      if (!isBlank) state.isAtItem = false
      if (state.pre !== undefined) addCode(state.pre, text)
      else if (state.hiddenLinks === 0 && (state.table === undefined || state.cell !== undefined || !isBlank))
        state.inline.text(text)
    },
    block(markdown) {
      flushItem(state)
      if (state.cell === undefined) state.blocks.write(markdown)
      else state.inline.markdown(markdown.replaceAll('\n', ' '))
    },
    inline(markdown) {
      state.isAtItem = false
      if (state.pre === undefined) state.inline.markdown(` ${markdown} `)
    },
    finish() {
      closePre(state)
      if (state.cell !== undefined) closeCell(state)
      while (state.table !== undefined) closeTable(state)
      flushItem(state)
      return state.blocks.finish()
    },
  }
}
