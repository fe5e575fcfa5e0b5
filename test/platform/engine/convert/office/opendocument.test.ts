/** Everything that LibreOffice shows is in the markdown, as it shows it. */
import { describe, expect, it } from 'vitest'
import { readDocument } from '#platform/engine/convert/read-document.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { makeZip } from '#test/fixtures/documents/zip.ts'

const ODF = 'urn:oasis:names:tc:opendocument:xmlns'
const NAMES = ['office', 'text', 'table', 'style', 'presentation']
  .map((name) => `xmlns:${name}="${ODF}:${name}:1.0"`)
  .concat(`xmlns:draw="${ODF}:drawing:1.0"`, `xmlns:svg="${ODF}:svg-compatible:1.0"`)
  .join(' ')

const toContent = (kind: string, body: string, styles = '') =>
  `<office:document ${NAMES}>${styles}<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`

async function readBytes(name: string, bytes: string | Uint8Array): Promise<string> {
  const { pages } = await readDocument(toSource(bytes, { name }))
  return pages.map(({ markdown }) => markdown).join('\n\n')
}

const readText = (body: string, styles = '') => readBytes('a.fodt', toContent('text', body, styles))
const readRows = (rows: string, styles = '') =>
  readBytes('a.fods', toContent('spreadsheet', `<table:table table:name="S">${rows}</table:table>`, styles))

const level = (at: number, format: string, more = '') =>
  `text:level="${at}" style:num-format="${format}" style:num-suffix="." ${more}`
const lists = (...levels: readonly string[]) =>
  `<office:automatic-styles><text:list-style style:name="L">${levels
    .map((one) => `<text:list-level-style-number ${one}/>`)
    .join('')}</text:list-style></office:automatic-styles>`
const item = (text: string, inner = '') => `<text:list-item><text:p>${text}</text:p>${inner}</text:list-item>`
const list = (...items: readonly string[]) => `<text:list text:style-name="L">${items.join('')}</text:list>`

const heading = (at: number, text: string, more = '') => `<text:h text:outline-level="${at}" ${more}>${text}</text:h>`

const region = (id: string, kind: string) =>
  `<text:changed-region text:id="${id}"><text:${kind}/></text:changed-region>`
const change = (id: string, text: string) =>
  `<text:change-start text:change-id="${id}"/>${text}<text:change-end text:change-id="${id}"/>`

describe('an OpenDocument text with changes', () => {
  it('is read without what was removed, also where it is left in its place', async () => {
    const changes = `<text:tracked-changes>${region('a', 'deletion')}${region('b', 'insertion')}</text:tracked-changes>`
    const body = `${changes}<text:p>In ${change('a', 'seven')}${change('b', 'nine')} days</text:p>`
    expect(await readText(body)).toBe('In nine days')
    const over = `<text:p>One<text:change-start text:change-id="a"/> gone</text:p><text:p>gone, too</text:p>`
    const rest = `<text:p>gone<text:change-end text:change-id="a"/>Two</text:p>`
    expect(await readText(`${changes}${over}${rest}`)).toBe('One\n\nTwo')
  })

  it.each([
    ['within a link', `<text:a xlink:href="#x">goneEND Two</text:a> Three</text:p>`, 'One Two Three'],
    ['within a span of a link', `<text:a><text:span>goneEND</text:span></text:a> Three</text:p>`, 'One Three'],
    ['between paragraphs', `gone</text:p>END<text:p>Three</text:p>`, 'One\n\nThree'],
    ['nowhere', 'gone</text:p><text:p>Three</text:p>', 'Onegone\n\nThree'],
  ])('goes on where a removal ends: %s', async (_, rest, expected) => {
    const changes = `<text:tracked-changes>${region('a', 'deletion')}</text:tracked-changes>`
    const after = rest.replace('END', '<text:change-end text:change-id="a"/>')
    const read = await readText(`${changes}<text:p>One<text:change-start text:change-id="a"/>${after}`)
    expect(read.trim()).toBe(expected)
  })
})

describe('numbers of an OpenDocument text', () => {
  it('are those of the list: letters, Roman numbers, several levels, another start', async () => {
    const inner = `<text:list>${item('on Monday')}${item('on Friday')}</text:list>`
    const body = list(item('pay'), item('clean', inner), item('tell'))
    const lettered = lists(level(1, 'a'), level(2, 'i', 'style:num-prefix="("'))
    expect(await readText(body, lettered)).toBe(
      '- a. pay\n- b. clean\n  - (i. on Monday\n  - (ii. on Friday\n- c. tell',
    )
    const joined = lists(level(1, 'I'), level(2, '1', 'text:display-levels="2"'))
    expect(await readText(body, joined)).toContain('- II. clean\n  - II.1. on Monday')
    expect(await readText(body, lists(level(1, '1', 'text:start-value="5"')))).toContain('5. pay\n6. clean')
    expect(await readText(body, lists(level(1, '')))).toContain('- pay\n- clean')
  })

  it('are those of the headings, where these have some', async () => {
    const outline = `<office:styles><text:outline-style>${[
      level(1, '1'),
      level(2, '1', 'text:display-levels="2"'),
      level(3, ''),
    ]
      .map((one) => `<text:outline-level-style ${one}/>`)
      .join('')}</text:outline-style><style:style style:name="Plain" style:list-style-name=""/></office:styles>`
    const body = [
      heading(1, 'Preface', 'text:style-name="Plain"'),
      heading(1, 'Scope'),
      heading(2, 'Parties'),
      heading(3, 'Names'),
      heading(1, 'Fees'),
      heading(2, 'Rent'),
    ].join('')
    expect(await readText(body, outline)).toBe(
      '# Preface\n\n# 1. Scope\n\n## 1.1. Parties\n\n### Names\n\n# 2. Fees\n\n## 2.1. Rent',
    )
  })
})

const shape = (...lines: readonly string[]) =>
  `<draw:custom-shape>${lines.map((line) => `<text:p>${line}</text:p>`).join('')}</draw:custom-shape>`

describe('an OpenDocument text', () => {
  it('keeps the paragraphs of drawn shapes apart', async () => {
    const body = `<text:p>Look ${shape('First', 'Second')}</text:p><text:p><draw:g>${shape('One')}${shape('Two')}</draw:g></text:p>`
    expect(await readText(body)).toBe('Look\n\nFirst\n\nSecond\n\nOne\n\nTwo')
  })

  it('says what a comment is about', async () => {
    const comment = '<office:annotation office:name="c"><text:p>Is it net?</text:p></office:annotation>'
    const body = `<text:p>The price is ${comment}4,200 <text:span>euros</text:span><office:annotation-end office:name="c"/> a month.</text:p>`
    expect(await readText(body)).toBe(
      'The price is 4,200 euros a month.\n\n## Comments\n\n- on “4,200 euros”: Is it net?',
    )
  })

  it('has the text of embedded documents, also of those that are folders', async () => {
    const objects = '<draw:object-ole xlink:href="./One"/></draw:frame><draw:frame><draw:object xlink:href="./Two"/>'
    const rows = '<table:table-row><table:table-cell><text:p>Tax 19 %</text:p></table:table-cell></table:table-row>'
    const bytes = makeZip({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': toContent('text', `<text:p>See <draw:frame>${objects}</draw:frame></text:p>`),
      One: '{\\rtf1 It ends in 2031.}',
      'Two/content.xml': toContent('spreadsheet', `<table:table table:name="T">${rows}</table:table>`),
    })
    const text = await readBytes('a.odt', bytes)
    expect(text).toContain('*Embedded: One*\n\nIt ends in 2031.\n\n*Embedded: Two*\n\n## T\n\n| Tax 19 % |')
  })

  it('cuts the text that a comment is about', async () => {
    const comment = '<office:annotation office:name="c"><text:p>Long.</text:p></office:annotation>'
    const body = `<text:p>${comment}${'x'.repeat(500)}<office:annotation-end office:name="c"/></text:p>`
    expect(await readText(body)).toContain(`on “${'x'.repeat(200)}”: Long.`)
  })

  it('has the text of an embedded document once, of 20 documents at most', async () => {
    const names = Array.from({ length: 25 }, (_, at) => `Object${at}`)
    const frames = [...names, ...names].map(
      (name) => `<draw:frame><draw:object-ole xlink:href="./${name}"/></draw:frame>`,
    )
    const objects = Object.fromEntries(names.map((name) => [name, `{\\rtf1 Text of ${name}.}`]))
    const bytes = makeZip({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': toContent('text', `<text:p>See ${frames.join('')}</text:p>`),
      ...objects,
    })
    const text = await readBytes('a.odt', bytes)
    expect(text.match(/Embedded: Object\d+/g)).toEqual(names.slice(0, 20).map((name) => `Embedded: ${name}`))
  })

  it('is read when its program names the namespaces otherwise', async () => {
    const other = toContent('text', '<text:h text:outline-level="2">Deep</text:h>')
    const renamed = other.replace('xmlns:text=', 'xmlns:ns7=').replaceAll(/(?<=[</ ])text:/g, 'ns7:')
    expect(await readBytes('a.fodt', renamed)).toBe('## Deep')
  })
})

const cell = (text: string, more = '') => `<table:table-cell ${more}>${text}</table:table-cell>`
const words = (text: string, more = '') => cell(`<text:p>${text}</text:p>`, more)
const row = (...cells: readonly string[]) => `<table:table-row>${cells.join('')}</table:table-row>`

describe('an OpenDocument sheet', () => {
  it.each([
    ['float', 'value="12.5"', '12.5'],
    ['percentage', 'value="0.07"', '7%'],
    ['currency', 'value="99.5" office:currency="EUR"', '99.5 EUR'],
    ['date', 'date-value="2026-03-02T00:00:00"', '2026-03-02'],
    ['time', 'time-value="PT08H30M00S"', '08:30'],
    ['time', 'time-value="PT00H01M45S"', '00:01:45'],
    ['time', 'time-value="PT45S"', '00:00:45'],
    ['boolean', 'boolean-value="true"', 'TRUE'],
    ['string', 'string-value="hello"', 'hello'],
  ])('shows a value of type %s whose program did not write its text', async (type, value, shown) => {
    const text = await readRows(row(words('Name'), cell('', `office:value-type="${type}" office:${value}`)))
    expect(text).toContain(`| Name | ${shown} |`)
  })

  it('has a second table under a bold head, and the addresses of links', async () => {
    const bold =
      '<office:automatic-styles><style:style style:name="B"><style:text-properties fo:font-weight="bold"/></style:style></office:automatic-styles>'
    const head = (...names: readonly string[]) => row(...names.map((name) => words(name, 'table:style-name="B"')))
    const link = '<text:a xlink:href="https://example.org/a">Form</text:a>'
    const rows = [
      head('Name', 'Team'),
      row(words('Ada'), words('Blue')),
      row(words('')),
      head('Room', 'Floor'),
      row(words('Oak'), words(link)),
    ]
    expect(await readRows(rows.join(''), bold)).toBe(
      '## S\n\n| Name | Team |\n| --- | --- |\n| Ada | Blue |\n\n' +
        '| Room | Floor |\n| --- | --- |\n| Oak | Form https://example.org/a |',
    )
  })

  it('shows the address of nested links once, in no time', async () => {
    const open = '<text:a xlink:href="https://example.org/a">'
    const text = await readRows(row(words(`${open.repeat(40)}Form${'</text:a>'.repeat(40)}`)))
    expect(text).toContain('| Form https://example.org/a |')
  })
})

const box = (top: number, text: string) =>
  `<draw:frame svg:x="1cm" svg:y="${top}cm" svg:width="50mm" svg:height="1cm"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`

it('reads the boxes of an OpenDocument slide as people do, not as they were drawn', async () => {
  const group = `<draw:g>${box(8, 'Third')}${box(10, 'Fourth')}</draw:g>`
  const slide = `<draw:page>${group}${box(1, 'First')}${box(4, 'Second')}</draw:page>`
  expect(await readBytes('a.fodp', toContent('presentation', slide))).toBe(
    '## Slide 1\n\nFirst\n\nSecond\n\nThird\n\nFourth',
  )
})
