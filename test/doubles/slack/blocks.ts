/** Block Kit: the limits that Slack holds messages to, and what a person reads of the blocks. */
import { type Limit, LIMITS } from './limits.ts'
import { isJson, Refusal, str, type Json } from './types.ts'

const childKinds = new Set([
  'actions',
  'context',
  'divider',
  'file',
  'header',
  'image',
  'input',
  'rich_text',
  'section',
  'table',
  'video',
])
const kinds = new Set([
  ...childKinds,
  'alert',
  'card',
  'carousel',
  'container',
  'context_actions',
  'data_table',
  'data_visualization',
  'markdown',
  'plan',
  'task_card',
])

const list = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJson) : [])
function refuse(why: string): never {
  throw new Refusal('invalid_blocks', { response_metadata: { messages: [`[ERROR] ${why}`] } })
}
const within = (value: unknown, what: Limit, min = 1) => {
  const length = str(value)?.length ?? -1
  if (length < min || length > LIMITS[what])
    refuse(`${what} must be ${min} to ${LIMITS[what]} characters, is ${length}`)
}
const atMost = (parts: readonly unknown[], what: Limit, min = 1) => {
  if (parts.length < min || parts.length > LIMITS[what])
    refuse(`${what}: ${min} to ${LIMITS[what]}, not ${parts.length}`)
}

function checkText(value: unknown, what: Limit, only?: string) {
  if (!isJson(value)) refuse(`${what} must be a text object`)
  if (value['type'] !== 'plain_text' && value['type'] !== 'mrkdwn') refuse(`${what} has an unknown type`)
  if (only !== undefined && value['type'] !== only) refuse(`${what} must be ${only}`)
  within(value['text'], what)
}

function checkActions(block: Json) {
  const elements = list(block['elements'])
  atMost(elements, 'elements of an actions block')
  const ids = elements.map((element) => element['action_id'])
  if (new Set(ids).size !== ids.length) refuse('action_id must be unique in a block')
  for (const element of elements) {
    if (element['type'] !== 'button') continue
    checkText(element['text'], 'button text', 'plain_text')
    if (element['value'] !== undefined) within(element['value'], 'button value', 0)
    if (element['url'] !== undefined) within(element['url'], 'button url')
    within(element['action_id'], 'action_id')
    if (element['style'] !== undefined && element['style'] !== 'primary' && element['style'] !== 'danger')
      refuse('unknown button style')
  }
}

/** https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
const richPieces: Readonly<Record<string, readonly string[]>> = {
  text: ['type', 'text', 'style'],
  link: ['type', 'url', 'text', 'unsafe', 'style'],
  date: ['type', 'timestamp', 'format', 'url', 'fallback', 'style'],
}

function checkPiece(piece: Json) {
  const known = richPieces[str(piece['type']) ?? '']
  if (known === undefined) refuse(`the double knows no ${str(piece['type'])} in rich text`)
  for (const name of Object.keys(piece)) if (!known.includes(name)) refuse(`unknown field ${name}`)
  if (piece['type'] === 'text' && (str(piece['text']) ?? '') === '') refuse('text is empty')
  if (piece['type'] === 'link') {
    within(piece['url'], 'rich text link')
    if (!/^(?:https?|mailto):/.test(str(piece['url']) ?? '')) refuse('url is none')
  }
  if (
    piece['type'] === 'date' &&
    (!Number.isInteger(piece['timestamp']) || !/\{\w+\}/.test(str(piece['format']) ?? ''))
  )
    refuse('date needs a timestamp in seconds and a format')
}

function checkRichText(block: Json) {
  const parts = list(block['elements'])
  if (parts.length === 0) refuse('rich_text needs elements')
  for (const part of parts) {
    if (part['type'] !== 'rich_text_section' && part['type'] !== 'rich_text_quote')
      refuse('the double knows sections and quotes in rich text')
    if (list(part['elements']).length === 0) refuse('rich text parts need elements')
    list(part['elements']).forEach(checkPiece)
  }
}

/** https://docs.slack.dev/reference/block-kit/blocks/data-table-block */
function checkDataTable(block: Json) {
  if ((str(block['caption']) ?? '') === '') refuse('a table needs its caption')
  const rows: unknown[] = Array.isArray(block['rows']) ? block['rows'] : []
  atMost(rows, 'rows of a table', 2)
  const cells = rows.map(list)
  for (const row of cells) {
    atMost(row, 'columns of a table')
    if (row.length !== cells[0]?.length) refuse('all rows of a table have as many cells')
    for (const { type, text, value } of row) {
      if (type !== 'raw_text' && type !== 'raw_number') refuse('the double knows raw text and raw numbers in a table')
      within(text, 'cells of all tables')
      if (type === 'raw_number' && !Number.isFinite(value)) refuse('a raw number needs its value')
    }
  }
  if (cells[0]?.some(({ type }) => type !== 'raw_text') === true) refuse('a header is text')
  const page = block['page_size'] ?? 5
  if (!Number.isInteger(page) || Number(page) < 1 || Number(page) > 100) refuse('page_size must be 1 to 100')
}

/** https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block, bars alone. */
function checkChart({ title, chart }: Json) {
  within(title, 'title of a chart')
  if (!isJson(chart) || chart['type'] !== 'bar') refuse('the double knows bar charts')
  const axes = isJson(chart['axis_config']) ? chart['axis_config'] : refuse('a chart needs its axes')
  const categories: unknown[] = Array.isArray(axes['categories']) ? axes['categories'] : []
  atMost(categories, 'bars of a series')
  for (const category of categories) within(category, 'label in a chart')
  if (new Set(categories).size !== categories.length) refuse('labels of a chart differ')
  for (const axis of ['x_label', 'y_label']) if (axes[axis] !== undefined) within(axes[axis], 'title of a chart')
  const series = list(chart['series'])
  atMost(series, 'series of a chart')
  for (const { name, data } of series) {
    within(name, 'label in a chart')
    const labels = list(data).map(({ label }) => label)
    if (labels.join('\n') !== categories.join('\n')) refuse('a series has one bar a category')
    if (!list(data).every(({ value }) => Number.isFinite(value))) refuse('a bar needs its value')
  }
}

/** One table and two charts a message (vercel/chat#696); the cells of all tables count together. */
function checkTogether(blocks: readonly Json[]) {
  const ofType = (type: string) => blocks.filter((block) => block['type'] === type)
  atMost([...ofType('data_table'), ...ofType('table')], 'tables of a message', 0)
  atMost(ofType('data_visualization'), 'charts of a message', 0)
  within(ofType('data_table').flatMap(leaves).join(''), 'cells of all tables', 0)
}

function checkOne(block: Json, inside: boolean) {
  if (block['block_id'] !== undefined) within(block['block_id'], 'block_id')
  const type = str(block['type']) ?? ''
  if (!(inside ? childKinds : kinds).has(type)) refuse(`unsupported block type ${type}`)
  if (type === 'section') {
    const fields = list(block['fields'])
    if (block['text'] !== undefined) checkText(block['text'], 'section text')
    else if (fields.length === 0) refuse('section needs text or fields')
    atMost(fields, 'fields of a section', 0)
    for (const field of fields) checkText(field, 'field of a section')
  }
  if (type === 'header') checkText(block['text'], 'header', 'plain_text')
  if (type === 'markdown') within(block['text'], 'markdown block')
  if (type === 'actions') checkActions(block)
  if (type === 'context') {
    const elements = list(block['elements'])
    atMost(elements, 'elements of a context block')
    for (const element of elements) if (element['type'] !== 'image') checkText(element, 'context element')
  }
  if (type === 'rich_text') checkRichText(block)
  if (type === 'data_table') checkDataTable(block)
  if (type === 'data_visualization') checkChart(block)
  if (type === 'container') {
    if (block['rich_text_title'] === undefined) checkText(block['title'], 'container title', 'plain_text')
    if (block['subtitle'] !== undefined) checkText(block['subtitle'], 'container subtitle')
    const children = list(block['child_blocks'])
    atMost(children, 'child blocks of a container')
    for (const child of children) checkOne(child, true)
  }
}

/** @throws {Refusal} as Slack does when blocks break a limit. */
export function checkBlocks(value: unknown, most: Limit = 'blocks of a message'): Json[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || !value.every(isJson)) throw new Refusal('invalid_blocks_format')
  const blocks: Json[] = value
  atMost(blocks, most, 0)
  const ids = blocks.flatMap((block) => str(block['block_id']) ?? [])
  if (new Set(ids).size !== ids.length) refuse('block_id must be unique in a message')
  for (const block of blocks) checkOne(block, false)
  checkTogether(blocks)
  const markdown = blocks.reduce(
    (sum, block) => sum + (block['type'] === 'markdown' ? (str(block['text'])?.length ?? 0) : 0),
    0,
  )
  if (markdown > LIMITS['markdown blocks together']) throw new Refusal('msg_too_long')
  if (most === 'blocks of a message' && textLength(blocks) > LIMITS['texts of all blocks'])
    throw new Refusal('msg_blocks_too_long')
  return blocks
}

interface Refused {
  readonly refusedInContainers?: readonly string[]
  readonly refusedBlocks?: readonly string[]
}

/** @throws {Refusal} when the workspace takes no such block, or none in a container. */
export function checkChildren(
  blocks: unknown,
  { refusedInContainers: inside = [], refusedBlocks: outside = [] }: Refused,
): void {
  for (const { type, child_blocks: children } of list(blocks)) {
    if (outside.includes(str(type) ?? '')) refuse(`unsupported type: ${str(type)}`)
    for (const child of type === 'container' ? list(children) : [])
      if (inside.includes(str(child['type']) ?? '')) refuse(`unsupported type in a container: ${str(child['type'])}`)
  }
}

/** Characters of all texts in the blocks. */
export const textLength = (blocks: readonly Json[]): number =>
  leaves(blocks).reduce((sum, text) => sum + text.length, 0)

/** The same in UTF-8 bytes, as a streamed message is counted. */
export const textBytes = (blocks: readonly Json[]): number =>
  leaves(blocks).reduce((sum, text) => sum + Buffer.byteLength(text), 0)

/** Every text a person can read in these blocks, in order. */
function leaves(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leaves)
  if (!isJson(value)) return []
  const own = str(value['text']) ?? (value['type'] === 'date' ? str(value['fallback']) : undefined)
  const parts = [
    value['rich_text_title'],
    value['title'],
    value['subtitle'],
    own === undefined ? value['text'] : undefined,
    value['elements'],
    value['child_blocks'],
    value['fields'],
    value['rows'],
  ]
  return [...(own === undefined ? [] : [own]), ...parts.flatMap(leaves)]
}

export interface Button {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly style?: string
  /** Id of its block. */
  readonly block?: string
}

export const buttonsOf = (blocks: readonly Json[]): Button[] =>
  blocks.flatMap((block) => [
    ...list(block['elements'])
      .filter((element) => element['type'] === 'button')
      .map((element) => ({
        id: str(element['action_id']) ?? '',
        label: isJson(element['text']) ? (str(element['text']['text']) ?? '') : '',
        value: str(element['value']) ?? '',
        ...(str(block['block_id']) === undefined ? {} : { block: str(block['block_id']) ?? '' }),
        ...(str(element['style']) === undefined ? {} : { style: str(element['style']) ?? '' }),
      })),
    ...buttonsOf(list(block['child_blocks'])),
  ])

/** Texts in which Slack looks for its markup: not `plain_text`, not the literal texts of a rich text block. */
export function markupTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(markupTexts)
  if (!isJson(value)) return []
  const own = value['type'] === 'mrkdwn' || value['type'] === 'markdown' ? [str(value['text']) ?? ''] : []
  const parts = [value['text'], value['elements'], value['child_blocks'], value['fields'], value['subtitle']]
  return [...own, ...parts.flatMap(markupTexts)]
}

const linesOf = (block: Json): string => leaves(block).join(block['type'] === 'rich_text' ? '' : '\n')

/** A table as text, the way people read it: its head above its rows. */
function tableText(block: Json): string {
  const [head = '', ...rows] = (Array.isArray(block['rows']) ? block['rows'] : []).map(
    (cells) => `| ${list(cells).flatMap(leaves).join(' | ')} |`,
  )
  return [head, head.replaceAll(/[^|]+/g, '---'), ...rows].join('\n')
}

/** The content of the message: its markdown, the lines under it, the contents of folded containers. */
export function readBlocks(blocks: readonly Json[]): { body: string; lines: string[]; folded: string[] } {
  const body: string[] = []
  const lines: string[] = []
  const folded: string[] = []
  for (const block of blocks) {
    if (block['type'] === 'markdown') body.push(str(block['text']) ?? '')
    else if (block['type'] === 'data_table') body.push(tableText(block))
    else if (block['type'] === 'container') folded.push(...list(block['child_blocks']).map(linesOf))
    else if (block['type'] === 'rich_text') lines.push(...list(block['elements']).map((part) => leaves(part).join('')))
    else if (block['type'] === 'context') lines.push(...linesOf(block).split('\n'))
    else if (block['type'] !== 'actions') body.push(linesOf(block))
  }
  return { body: body.join('\n'), lines, folded }
}
