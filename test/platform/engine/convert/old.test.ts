/** Formats of Office before 2007, and what is called by their names. */
import { CFB } from '@e965/xlsx'
import { expect, it } from 'vitest'
import type { ConvertError } from '#platform/engine/convert/reader.ts'
import { readDocument } from '#platform/engine/convert/read-document.ts'
import {
  makeByteMsg,
  makeDoc,
  makeLocked,
  makeMsg,
  makeStoredRtf,
  makeWorkbook,
} from '#test/fixtures/documents/old-office.ts'
import { readFixture } from '#test/fixtures/documents/read.ts'
import { makeZip } from '#test/fixtures/documents/zip.ts'
import { toSource } from '#test/fixtures/documents/source.ts'

const read = async (name: string, bytes: Uint8Array | string) => {
  const { pages } = await readDocument(toSource(bytes, { name }))
  return pages.map(({ markdown }) => markdown).join('\n\n')
}

it('reads DOC, with letters of every kind', async () => {
  const text = 'Die Fähre geht um neun.\rΗ βάρκα μένει ✓ here_today and *gone*.\r'
  expect(await read('ferry.doc', makeDoc(text))).toBe(
    'Die Fähre geht um neun.\n\nΗ βάρκα μένει ✓ here_today and \\*gone\\*.',
  )
})

it('says that a DOC has a password', async () => {
  await expect(read('secret.doc', makeDoc('Secret', { isEncrypted: true }))).rejects.toMatchObject({
    failure: 'encrypted',
  })
})

it.each('docx doc dot xlsx xls xlsb pptx ppt odt msg csv txt pdf'.split(' '))(
  'says that a document called %s has a password, or is under rights management',
  async (extension) => {
    for (const by of ['password', 'rights', 'old rights'] as const) {
      const failure = by === 'password' ? 'encrypted' : 'rights'
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await expect(read(`secret.${extension}`, makeLocked(by))).rejects.toMatchObject({ failure })
    }
  },
)

it.each(['/Filter /MicrosoftIRMServices', '/Type /EncryptedPayload /Subtype /MicrosoftIRMServices'])(
  'says that a PDF is under rights management: %s',
  async (mark) => {
    await expect(read('a.pdf', `%PDF-1.7\n1 0 obj << ${mark} >> endobj\n`)).rejects.toMatchObject({ failure: 'rights' })
  },
)

it('reads DOC that embeds a package with a password', async () => {
  const bytes = withStreams(makeDoc('It leaves at nine.\r'), inFolder('ObjectPool/_1', makeLocked('password')))
  expect(await read('a.doc', bytes)).toBe('It leaves at nine.')
})

it.each(['biff8', 'xlsb'] as const)('reads workbooks: %s', async (type) => {
  const rows = [
    ['Place', 'Height', 'Open', 'Seen'],
    ['Nordkap', 41.5, true, new Date(Date.UTC(2026, 4, 1))],
  ]
  const bytes = makeWorkbook('Tides', rows, type)
  expect(await read(type === 'biff8' ? 'tides.xls' : 'tides.xlsb', bytes)).toBe(
    '## Tides\n\n| Place | Height | Open | Seen |\n| --- | --- | --- | --- |\n| Nordkap | 41.5 | TRUE | 2026-05-01 |',
  )
})

it('reads MSG: heads and text', async () => {
  const mail = makeMsg(
    { '0037': 'Ferry', '1000': 'It leaves at nine.\r\n\r\nAda', '0C1A': 'Ada', '5D01': 'ada@example.org' },
    { '3001': 'Ben', '39FE': 'ben@example.org' },
  )
  expect(await read('ferry.msg', mail)).toBe(
    '# Ferry\n\nFrom: Ada (ada@example.org)\nTo: Ben (ben@example.org)\n\nIt leaves at nine.\n\nAda',
  )
})

it.each([
  ['windows-1251', 1049, 'Отпуск', 'Сотрудники имеют право на двадцать восемь дней отпуска в год.'],
  ['windows-1251', undefined, 'Отпуск', 'Сотрудники имеют право на двадцать восемь дней отпуска в год.'],
  ['windows-1251', 1033, 'Ключ', 'Ключ висит в коридоре. Зарплата выплачивается пятого числа.'],
  ['big5', 1028, '假期', '員工每年有二十天的假期。'],
  ['shift_jis', undefined, '休暇', '従業員は年間二十日の休暇を取ることができます。'],
  ['windows-1250', 1045, 'Łódź', 'Świadectwo pracy wydaje się w dniu rozwiązania umowy.'],
  ['windows-1252', undefined, 'Öffnung', 'Die Öffnungszeiten ändern sich – ab März.'],
])('reads MSG with one byte a letter: %s, locale %s', async (encoding, locale, subject, body) => {
  const mail = makeByteMsg({ '0037': subject, '1000': body }, encoding, locale)
  expect(await read('a.msg', mail)).toBe(`# ${subject}\n\n${body}`)
})

it('reads MSG: a text that is rich text only, and what a contact says in fields', async () => {
  const rtf = makeStoredRtf('{\\rtf1 {\\*\\htmltag64 <p>}It leaves\\par {\\b at nine}.\\par}')
  expect(await read('a.msg', makeMsg({ '0037': 'Ferry', '1009': rtf }, {}))).toBe(
    '# Ferry\n\nIt leaves\n\n**at nine**.',
  )
  for (const damaged of [
    rtf.subarray(0, 8),
    Uint8Array.from(rtf).fill(0xff, 0, 4),
    Uint8Array.from(rtf).fill(0, 0, 16),
  ])
    expect(await read('a.msg', makeMsg({ '0037': 'Ferry', '1009': damaged }, {}))).toBe('# Ferry')
  const contact = { '0037': 'Ada', '3A16': 'Pier Co', '3A08': '(123) 456', '1000': 'Knows the tides.' }
  expect(await read('b.msg', makeMsg(contact, {}))).toBe(
    '# Ada\n\nCompany: Pier Co\nPhone: (123) 456\n\nKnows the tides.',
  )
})

it.each([
  ['page.doc', '<html><body><p>It leaves at nine.</p></body></html>', 'It leaves at nine.'],
  ['letter.doc', '{\\rtf1 It leaves at nine.\\par}', 'It leaves at nine.'],
  ['export.xls', '<table><tr><td>Place</td></tr><tr><td>Pier</td></tr></table>', '| Place |\n| --- |\n| Pier |'],
  ['export.xls', 'Place\tHeight\nPier\t4\n', '| Place | Height |\n| --- | --- |\n| Pier | 4 |'],
  [
    'page.doc',
    'Date: Wed, 25 Nov 2026 09:00:00 +0000\r\nSubject: Exported\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="x"\r\n\r\n--x\r\nContent-Type: text/html; charset=UTF-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<html><body><p>M=C3=BCller leaves at nine.</p></body></html>\r\n--x\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n--x--\r\n',
    expect.stringMatching(/^(?!.*(?:=C3|iVBOR|MIME-Version))[^]*Müller leaves at nine\./s),
  ],
])('reads what programs save under an old name: %s', async (name, content, expected) => {
  expect(await read(name, content)).toEqual(expected)
})

it.each([
  ['Word 95', makeDoc('It leaves at nine.', { version: 0xdc })],
  ['Word 6, small', Buffer.concat([Buffer.from('d0cf11e0', 'hex'), Buffer.alloc(2684), Buffer.from('dca5', 'hex')])],
  [
    'Word 6 for the Far East',
    Buffer.concat([Buffer.from('d0cf11e0', 'hex'), Buffer.alloc(2684), Buffer.from('99a6', 'hex')]),
  ],
  ['Word 2003 as XML', '<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument/>'],
  ['Word as one XML file', '<?xml version="1.0"?><pkg:package xmlns:pkg="x"/>'],
])('says that a DOC is of another version: %s', async (_, bytes) => {
  await expect(read('ferry.doc', bytes)).rejects.toMatchObject({ failure: 'old' })
})

const cell = (text: string) => `<Cell><Data ss:Type="String">${text}</Data></Cell>`

it('reads workbooks of Excel 2003 as XML', async () => {
  const book = `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Tides"><Table><Row>${cell('Place')}${cell('Height')}</Row><Row>${cell('Pier')}${cell('4')}</Row></Table></Worksheet></Workbook>`
  expect(await read('a.xls', book)).toContain('| Place | Height |\n| --- | --- |\n| Pier | 4 |')
})

it('refuses what is something else', async () => {
  await expect(read('a.msg', 'no mail')).rejects.toMatchObject({ failure: 'broken' })
  await expect(read('a.docx', makeDoc('old'))).rejects.toMatchObject({ failure: 'renamed' })
  await expect(read('a.doc', makeZip({ 'a.txt': 'a' }))).rejects.toMatchObject({ failure: 'broken' })
})

/** The container with more streams, by their paths. */
function withStreams(bytes: Buffer, streams: Readonly<Record<string, Uint8Array>>): Buffer {
  const container: unknown = CFB.read(bytes, { type: 'buffer' })
  for (const [path, content] of Object.entries(streams)) CFB.utils.cfb_add(container, `/${path}`, content)
  return Buffer.from(CFB.write(container, { type: 'buffer' }))
}

function toContainer(streams: Readonly<Record<string, Uint8Array>>): Buffer {
  const container: unknown = CFB.utils.cfb_new()
  for (const [path, content] of Object.entries(streams)) CFB.utils.cfb_add(container, `/${path}`, content)
  return Buffer.from(CFB.write(container, { type: 'buffer' }))
}

/** The streams of a container, in a folder. */
function inFolder(folder: string, bytes: Buffer): Record<string, Uint8Array> {
  const { FullPaths: paths, FileIndex: entries } = CFB.read(bytes, { type: 'buffer' }) as {
    FullPaths: string[]
    FileIndex: { type: number; content: Uint8Array }[]
  }
  return Object.fromEntries(
    paths.flatMap((path, index) => {
      const entry = entries[index]
      const isText = entry?.type === 2 && /^[^/]+\/[\w ]+$/.test(path)
      return isText ? [[`${folder}/${path.slice(path.indexOf('/') + 1)}`, entry.content]] : []
    }),
  )
}

const word = (text: string) =>
  makeZip({
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`,
  })

/** A file as Windows packs it into an object. */
function toPacked(name: string, content: Uint8Array): Buffer {
  const path = Buffer.from(`C:\\${name}\0`)
  const [kind, length, size] = [Buffer.from([0, 0, 3, 0]), Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32LE(path.length)
  size.writeUInt32LE(content.length)
  return Buffer.concat([
    Buffer.alloc(4),
    Buffer.from([2, 0]),
    Buffer.from(`${name}\0`),
    path,
    kind,
    length,
    path,
    size,
    content,
  ])
}

it('reads the documents that a DOC and an XLS embed, and names them', async () => {
  const sheet = Buffer.from(
    makeWorkbook(
      'Fees',
      [
        ['Pier', 'Fee'],
        ['East', 37],
      ],
      'biff8',
    ),
  )
  const doc = withStreams(makeDoc('See the objects.\r'), {
    ...inFolder('ObjectPool/_1', sheet),
    'ObjectPool/_2/Package': word('Inner contract'),
    'ObjectPool/_3/\u0001Ole10Native': toPacked('note.txt', Buffer.from('Code 7719')),
    'ObjectPool/_4/PowerPoint Document': Buffer.from('not read'),
  })
  const inner = ['*Embedded: object 1.xls*', '## Fees', '| Pier | Fee |\n| --- | --- |\n| East | 37 |']
  expect(await read('a.doc', doc)).toBe(
    [
      'See the objects.',
      ...inner,
      '*Embedded: object 2.docx*',
      'Inner contract',
      '*Embedded: note.txt*',
      'Code 7719',
    ].join('\n\n'),
  )
  const book = withStreams(sheet, inFolder('MBD0018A0B1', makeDoc('Inner letter.\r')))
  expect(await read('a.xls', book)).toContain('| East | 37 |\n\n*Embedded: object 1.doc*\n\nInner letter.')
})

it.each([
  ['oleObject1.bin', makeWorkbook('Fees', [['East', 37]], 'biff8')],
  ['oleObject1.bin', withStreams(makeDoc(''), { Package: word('East 37') })],
  ['package', word('East 37')],
])('knows an embedded document without a name of its own by its content: %s', async (name, content) => {
  const target = `embeddings/${name}`
  const bytes = makeZip({
    'word/document.xml':
      '<w:document><w:body><w:p><w:r><w:t>See</w:t><w:object><o:OLEObject r:id="e"/></w:object></w:r></w:p></w:body></w:document>',
    'word/_rels/document.xml.rels': `<Relationships><Relationship Id="e" Type="x/oleObject" Target="${target}"/></Relationships>`,
    [`word/${target}`]: { content: Buffer.from(content) },
  })
  expect(await read('a.docx', bytes)).toMatch(/^See\n\n\*Embedded: [^]*East[ |]+37/)
})

it('reads a table of Word whole where cells are merged or end with a line break', async () => {
  const rows = ['Grape\tYield\t\r', '\tkg\tl\t\r', 'Pinot\r\t310\r\t220\r\t\r', 'Sum\t530\t\r', 'Gamay\t210\t180\t\r']
  expect(await read('a.doc', makeDoc(`Vines\r${rows.join('')}End\r`))).toBe(
    'Vines\n\nGrape Yield\n\n|  | kg | l |\n| --- | --- | --- |\n| Pinot | 310 | 220 |\n| Sum 530 |  |  |\n| Gamay | 210 | 180 |\n\nEnd',
  )
})

const ITEMS =
  '# Rules of the pier\n\nIntro text.\n\n## Fees\n\n1. First fee\n2. Second fee\n   - a. sub a\n   - b. sub b\n3. Third\n\n' +
  'Between.\n\n- IV. roman four\n- V. roman five\n\n- bullet one\n  - deep bullet\n- bullet two\n\n### Deep heading\n\n' +
  '| Pier | Fee |\n| --- | --- |\n| 1\\. one<br>2\\. two | 47 |\n\nEnd with a link.'

it('reads headings, numbered lists and cells of several lines of Word 97 to 2003', async () => {
  expect(await read('a.doc', await readFixture('lists.doc'))).toBe(ITEMS)
})

it.each([0xa2, 0x102, 0x2e2, 0x2ea])('reads the text of a DOC whose table at %i is damaged', async (table) => {
  const bytes = Buffer.from(await readFixture('lists.doc'))
  const document = bytes.indexOf(Buffer.from([0xec, 0xa5]), 512)
  bytes.writeUInt32LE(bytes.readUInt32LE(document + table) + 3, document + table)
  const text = await read('a.doc', bytes).catch(({ failure }: ConvertError) => failure)
  expect(text === 'broken' || (text.includes('Second fee') && text.includes('End with'))).toBe(true)
})

it('reads a table of Word with very many rows', async () => {
  expect(await read('a.doc', makeDoc('a\tb\t\r'.repeat(150_000)))).toMatch(/^\| a \| b \|/)
})

it('reads the text of Word 6 and 95: one byte a letter, with tables and results of fields', async () => {
  const text = 'Fähre\rPier\u0007Fee\u0007\u0007East\u000790\u0007\u0007Dated \u0013DATE \\@ x\u00145 May\u0015.\r'
  const document = Buffer.alloc(4096)
  document.writeUInt16LE(0xa5dc, 0)
  document.writeUInt16LE(101, 2)
  document.writeUInt32LE(768, 0x18)
  document.writeUInt32LE(text.length, 0x34)
  document.write(text, 768, 'latin1')
  const container = { WordDocument: document }
  expect(await read('ferry.doc', toContainer(container))).toBe(
    'Fähre\n\n| Pier | Fee |\n| --- | --- |\n| East | 90 |\n\nDated 5 May.',
  )
  document.writeUInt16LE(0x0004, 10)
  await expect(read('ferry.doc', toContainer(container))).rejects.toMatchObject({ failure: 'old' })
})
