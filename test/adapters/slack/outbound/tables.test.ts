import { describe, expect, test } from 'vitest'
import { renderAnswer } from '#adapters/slack/outbound/blocks.ts'
import { numbersIn } from '#adapters/slack/outbound/cell-numbers.ts'
import { checkBlocks } from '#test/doubles/slack/blocks.ts'
import { askedScene, outgoing } from '../scene.ts'

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const SUMS = table(
  ['Department', 'Sum of Salary'],
  [
    ['Sales', '£158,000 [1]'],
    ['Ops', '£80,500 [2]'],
    ['IT', '£61,000 [3]'],
    ['Lab', '£9.50'],
  ],
)
const ANSWER = `Computed from all 9 rows of staff.csv:\n\n**Sum of Salary by Department**\n\n${SUMS}\n\nOne row has no value there.`

const kindsOf = (markdown: string) => renderAnswer(markdown).map(({ type }) => type)
const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => [`r${at}`, `${at}`])

test('sums by group are a table and a chart, and the text around them stays', () => {
  const blocks = renderAnswer(ANSWER)
  checkBlocks(blocks)
  expect(blocks).toMatchObject([
    { type: 'markdown' },
    {
      type: 'data_table',
      caption: 'Department, Sum of Salary',
      page_size: 4,
      rows: [
        [{ text: 'Department' }, { text: 'Sum of Salary' }],
        [
          { type: 'raw_text', text: 'Sales' },
          { type: 'raw_number', value: 158_000, text: '£158,000 [1]' },
        ],
        {},
        {},
        [{}, { value: 9.5, text: '£9.50' }],
      ],
    },
    {
      type: 'data_visualization',
      title: 'Sum of Salary',
      chart: { type: 'bar', axis_config: { categories: ['Sales', 'Ops', 'IT', 'Lab'], x_label: 'Department' } },
    },
    { type: 'markdown', text: '\nOne row has no value there.' },
  ])
})

test('a hundred rows are a table in pages, and one row more is none', () => {
  const blocks = renderAnswer(table(['a', 'b'], rowsOf(100)))
  checkBlocks(blocks)
  expect(blocks).toMatchObject([{ type: 'data_table', page_size: 20, rows: { length: 101 } }])
  expect(kindsOf(table(['a', 'b'], rowsOf(101)))).toEqual(['markdown'])
})

describe('a table stays markdown', () => {
  test.each([
    ['with few rows', table(['a', 'b'], rowsOf(3))],
    ['with one sum', table(['a', 'Total'], rowsOf(1))],
    ['with more rows than Slack takes', table(['a', 'b'], rowsOf(101))],
    [
      'with more columns',
      table(
        Array.from({ length: 21 }, (_, at) => `c${at}`),
        'abcd'.split('').map((one) => [one]),
      ),
    ],
    [
      'with more characters',
      table(
        ['a', 'b'],
        'abcde'.split('').map((one) => [one, 'x'.repeat(2_000)]),
      ),
    ],
    ['with links', table(['a', 'b'], [...rowsOf(4), ['[x](https://a.example)', '1']])],
    ['with a mention', table(['a', 'b'], [...rowsOf(4), ['<!channel>', '1']])],
    ['with escapes and entities', table(['a', 'b'], [...rowsOf(4), ['D\\#', 'R&amp;D']])],
    ['with emphasis within a word', table(['a', 'b'], [...rowsOf(4), ['**bold***italic*', '1']])],
    ['with code', table(['a', 'b'], [...rowsOf(4), ['`x`', '1']])],
    ['in code', `\`\`\`\n${table(['a', 'b'], rowsOf(5))}\n\`\`\``],
    ['beside another one', `${table(['a', 'b'], rowsOf(5))}\n\nand\n\n${table(['a', 'b'], rowsOf(5))}`],
  ])('%s', (_, markdown) => expect(kindsOf(markdown)).toEqual(['markdown']))
})

describe('a chart is drawn', () => {
  const labels = (names: readonly string[], value = '2') =>
    table(
      ['x', 'Total'],
      names.map((name) => [name, value]),
    )
  test.each([
    ['of sums', labels(['a', 'b', 'c', 'd']), true],
    [
      'of German sums',
      table(
        ['Ort', 'Summe von Betrag'],
        'abcd'.split('').map((one) => [one, '1.234,50 €']),
      ),
      true,
    ],
    ['of two sums', labels(['a', 'b']), true],
    ['of thousands, in an English table', labels(['a', 'b', 'c', 'd'], '1,250'), true],
    [
      'not of what may be thousands or decimals, in a German table',
      table(
        ['Ort', 'Summe von Menge'],
        'abcd'.split('').map((one) => [one, '1,250']),
      ),
      false,
    ],
    ['nor with a point', labels(['a', 'b', 'c', 'd'], '1.250'), false],
    ['not where one of several is below nothing', `${labels(['a', 'b', 'c', 'd'])}\n| e | -1 |`, false],
    ['not of a sum of all in German', labels(['a', 'b', 'c', 'Gesamtsumme']), false],
    ['not of other numbers', table(['Product', 'Price'], rowsOf(4)), false],
    ['not of many sums', labels(Array.from({ length: 21 }, (_, at) => `g${at}`)), false],
    ['not of long names', labels(['a', 'b', 'c', 'd'.repeat(21)]), false],
    ['not of a name twice', labels(['a', 'b', 'c', 'a']), false],
    ['not without a name', labels(['a', 'b', 'c', '']), false],
    ['not below nothing', labels(['a', 'b', 'c', 'd'], '-2'), false],
    ['not of a total and its parts', labels(['a', 'b', 'c', 'Total']), false],
    ['not of words', labels(['a', 'b', 'c', 'd'], 'many'), false],
  ])('%s', (_, markdown, isDrawn) => {
    const blocks = renderAnswer(markdown)
    checkBlocks(blocks)
    expect(blocks.map(({ type }) => type)).toEqual(isDrawn ? ['data_table', 'data_visualization'] : ['data_table'])
  })
})

test('cells that are empty, missing, from right to left, bold or a mention are text that notifies nobody', () => {
  const rows = ['| שלום | |', '| only |', '| **a** \\| b | @here |', '| x | y |']
  const [block] = renderAnswer(['| name | word |', '|---|---|', ...rows].join('\n'))
  const texts = (block as { rows?: { text: string }[][] } | undefined)?.rows?.map((cells) =>
    cells.map(({ text }) => text),
  )
  expect(texts?.slice(1, 4)).toEqual([
    ['שלום', '-'],
    ['only', '-'],
    ['a | b', '@\u2060here'],
  ])
  expect(JSON.stringify(block)).not.toContain('@here')
})

test.each([
  ['£16,900', 16_900],
  ['1.420,50 €', 1420.5],
  ['-3.5 %', -3.5],
  ['12,50', 12.5],
  ['0', 0],
  ['1.234', undefined],
  ['007', undefined],
  ['2026-01', undefined],
  ['3.4.2026', undefined],
  ['08:30', undefined],
  ['5 of 9', undefined],
  ['\u2212500', -500],
  ['(300)', -300],
  ['\u2013£4', -4],
  ['EUR 12', 12],
  ['A-12', undefined],
  ['F-150', undefined],
  ['Jan 2024', undefined],
  ['MAY 2024', undefined],
  ['ISO 9001', undefined],
  ['0,500', undefined],
  ['@here 5', undefined],
  ['', undefined],
])('the number of “%s” is %s', (cell, value) => expect(numbersIn([cell])?.[0]).toBe(value))

test.each([
  ['of different units', ['300 m', '5 km'], undefined],
  ['of different currencies', ['£3', '$5'], undefined],
  ['with decimal commas', ['1,250', '12,5'], undefined],
  ['with thousands', ['1,250', '900'], [1250, 900]],
  ['of losses', ['\u2212500 €', '200 €'], [-500, 200]],
])('a column %s', (_, cells, values) => expect(numbersIn(cells)).toEqual(values))

const kinds = (args: unknown) => (args as { blocks?: { type: string }[] } | undefined)?.blocks?.map(({ type }) => type)

describe('on the wire', () => {
  test('the fallback says the same as the table', async () => {
    const { adapter, slack, conversation } = await askedScene()
    await adapter.post(conversation, outgoing(ANSWER))
    const args = slack.callsOf('chat.postMessage')[0]?.args
    expect(kinds(args)).toEqual(['markdown', 'data_table', 'data_visualization', 'markdown'])
    expect(args?.['text']).toContain('| Ops | £80,500 [2] |')
    const { rows } = renderAnswer(ANSWER)[1] as { rows: { text: string }[][] }
    expect(rows).toHaveLength(5)
    for (const cells of rows) expect(args?.['text']).toContain(`| ${cells.map(({ text }) => text).join(' | ')} |`)
  })

  test('a streamed answer gets its table at its end', async () => {
    const { adapter, slack, conversation, asker } = await askedScene()
    const stream = await adapter.stream?.(conversation, outgoing('Computed'), asker)
    await stream?.finish(outgoing(ANSWER))
    expect(kinds(slack.callsOf('chat.update')[0]?.args)).toContain('data_table')
    expect(slack.calls.flatMap(({ error }) => error ?? [])).toEqual([])
  })

  test('where Slack refuses tables, the message stays as it was, and the third one asks no more', async () => {
    const { adapter, slack, conversation, lines } = await askedScene()
    slack.workspace.refusedBlocks = ['data_table']
    for (let time = 0; time < 3; time += 1) await adapter.post(conversation, outgoing(ANSWER))
    const tried = slack.callsOf('chat.postMessage').map(({ args }) => kinds(args)?.includes('data_table'))
    expect(tried).toEqual([true, true, false, true, true, false, false])
    expect(slack.transcript(conversation.channel).slice(1)).toMatchObject([{ body: ANSWER }, {}, {}])
    expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(2)
  })

  test('where Slack refuses charts, the table shows without one, and the third one asks for none', async () => {
    const { adapter, slack, conversation } = await askedScene()
    slack.workspace.refusedBlocks = ['data_visualization']
    for (let time = 0; time < 3; time += 1) await adapter.post(conversation, outgoing(ANSWER))
    const tried = slack.callsOf('chat.postMessage').map(({ args }) => kinds(args)?.slice(1, -1))
    const both = ['data_table', 'data_visualization']
    expect(tried).toEqual([both, ['data_table'], both, ['data_table'], ['data_table']])
  })

  test('one table that Slack refuses is no reason to leave out the next one', async () => {
    const { adapter, slack, conversation } = await askedScene()
    const plain = outgoing(`Again.\n\n${table(['a', 'b'], rowsOf(5))}`)
    slack.script('chat.postMessage', { error: 'invalid_blocks' })
    await adapter.post(conversation, plain)
    await adapter.post(conversation, { ...plain, sendId: 'another' })
    const tried = slack.callsOf('chat.postMessage').map(({ args }) => kinds(args)?.includes('data_table'))
    expect(tried).toEqual([true, false, true])
  })

  test('a refused fold is no fault of the table: the next answer has its table again', async () => {
    const { adapter, slack, conversation } = await askedScene()
    slack.workspace.refusedBlocks = ['rich_text']
    const references = [{ number: 1, file: 'staff.csv', passage: 'Sales, 158,000' }]
    const sent = { ...outgoing(ANSWER), references }
    await adapter.post(conversation, sent)
    await adapter.post(conversation, sent)
    expect(kinds(slack.callsOf('chat.postMessage').at(-1)?.args)).toContain('data_table')
  })
})
