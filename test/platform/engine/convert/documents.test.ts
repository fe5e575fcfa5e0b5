import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONVERT_LIMITS, createConverter, type Converter } from '#platform/engine/convert/converter.ts'
import { readFixture } from '#test/fixtures/documents/read.ts'

const query = { response_type: 'markdown', extract_tables_as_images: false, image_resolution_scale: 1 } as const

const introduction =
  'The keeper lives here with **Ada** and *Bertram*; see the [plan](https://example.org/plan).[^1] ' +
  'Straße, Größe und Übung; 2\\*3\\*4 is 24, and '

const lists = `## Lists

- lamps
  - oil lamp
    - wick
  - gas lamp
- horns

1. climb the stairs
2. ring the bell

## Tides

| Place | Height | Note |
| --- | --- | --- |
| Nordkap | 41 m | white \\| red |
| 灯台 | 12 m | first line<br>second line |

## Code
`

const code = 'def climb(steps):\n    return steps * 2\n\nclimb(142)\n```'
const japanese = '## 日本語\n\n灯台は北の岬にあります。冬は二人の灯台守が住んでいます。'
const footnote = '[^1]: The footnote says that Ada Brenner built it in 1887.'

describe('documents', () => {
  let folder: string
  let converter: Converter
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footbridge-documents-'))
    converter = createConverter(join(folder, 'work'), CONVERT_LIMITS)
  })
  afterAll(async () => {
    await converter.close()
    await rm(folder, { recursive: true, force: true })
  })

  const convert = async (name: string, bytes: Uint8Array | string) => {
    const path = join(folder, 'document')
    await writeFile(path, bytes)
    return converter.convertDocument({ path, name, query })
  }
  const read = async (name: string) => convert(name, await readFixture(name))

  it.each([
    ['handbook.docx', '# Lighthouse handbook', '`tick` is code.', '```', 'picture-1.png (A red lighthouse)', ''],
    ['office.docx', '# Lighthouse handbook', 'tick is code.', '```', 'picture-1.png', ''],
    ['handbook.odt', '# Lighthouse handbook', 'tick is code.', '```', 'picture-1.png', '*'],
  ])(
    'keeps headings, lists, tables, code, notes and pictures of %s',
    async (name, title, tick, fence, picture, mark) => {
      const { markdown, images } = await read(name)
      expect(markdown).toBe(
        [
          title,
          '# The lighthouse',
          `${introduction}${tick}`,
          `${lists}\n${fence}\n${code}`,
          '> In a storm the gallery is closed.',
          picture,
          `${mark}A red lighthouse${mark}`,
          japanese,
          footnote,
        ].join('\n\n'),
      )
      expect(images).toEqual([
        {
          type: 'picture',
          filename: 'picture-1.png',
          image: Buffer.from(await readFixture('red.png')).toString('base64'),
        },
      ])
    },
  )

  it('reads the chapters of a book in order, without its table of contents', async () => {
    const { markdown, images } = await read('handbook.epub')
    expect(markdown).toBe(
      [
        '# Lighthouse handbook',
        '# The lighthouse',
        `${introduction}\`tick\` is code.`,
        `${lists}\n\`\`\`python\n${code}`,
        '> In a storm the gallery is closed.',
        'picture-1.png (A red lighthouse)',
        'A red lighthouse',
        japanese,
        '---',
        footnote,
      ].join('\n\n'),
    )
    expect(images).toHaveLength(1)
  })

  it.each(['handbook.rtf', 'office.rtf'])('keeps what %s has of structure', async (name) => {
    const { markdown, images } = await read(name)
    const [before = '', after = ''] = lists.split('## Code')
    expect(markdown).toContain(`# The lighthouse\n\n${introduction}tick is code.\n\n${before}## Code${after}`)
    expect(markdown).toContain('return** steps * 2'.slice(name === 'office.rtf' ? 0 : 8))
    expect(markdown).toContain(`${japanese}\n\n${footnote}`)
    expect(images.map(({ filename }) => filename)).toEqual(['picture-1.png'])
  })

  it.each(['slides.pptx', 'slides.odp'])('gives each slide of %s a heading, its notes and its tables', async (name) => {
    const { markdown, images } = await read(name)
    expect(markdown).toBe(
      [
        '## Slide 1: Getting there',
        '- ferry\n  - leaves at 9:40\n- bus',
        '### Notes',
        'Say that Monday is off.',
        '## Slide 2: Prices',
        '| Who | Price |\n| --- | --- |\n| adults | 12 € |\n| 子供 | 0 € |',
        '## Slide 3: Lamp',
        'picture-1.png (fig: red.png)',
        'A red lighthouse',
      ].join('\n\n'),
    )
    expect(images).toHaveLength(1)
  })

  it.each([
    ['tides.xlsx', '2026-03-02'],
    ['tides.ods', '02.03.2026'],
  ])('shows dates, times, numbers and truth of %s as people read them', async (name, day) => {
    const { markdown } = await read(name)
    expect(markdown).toBe(
      // 灯台 is in row 6, after three blank ones.
      [
        '---\nrows: 9:6\n---\n## Gezeiten',
        '| Ort | Tag | Abfahrt | Uhr | Summe | Offen | Notiz |\n| --- | --- | --- | --- | --- | --- | --- |\n' +
          `| Größe | ${day} | 2026-03-02 09:40 | 09:40 | 0.3 | TRUE | white \\| red<br>second line |\n` +
          '| 灯台 |  |  |  |  |  |  |',
        '## Second',
        '| Key | Value |\n| --- | --- |\n| lamp | 1000 |',
      ].join('\n\n'),
    )
  })

  it('tells who wrote a mail, what it says, and what is attached', async () => {
    const { markdown, images } = await read('mail.eml')
    expect(markdown).toBe(
      [
        '# Fähre am Montag – 灯台',
        'From: Ada Brenner (ada@example.org)\nTo: Crew (crew@example.org), bob@example.org\nDate: 2026-03-02 08:40 UTC',
        '## Plan',
        'Leaves at **9:40**.',
        'picture-1.png (red)',
        '## Attachment: plan.csv',
        '| a | b |\n| --- | --- |\n| 1 | 2 |',
        '## Attachments',
        '- plan.csv, 1 kB',
      ].join('\n\n'),
    )
    expect(images).toHaveLength(1)
  })

  it('keeps the paragraphs and quotations of a mail without HTML', async () => {
    const mail =
      'From: a@example.org\r\nSubject: =?utf-8?q?Gr=C3=B6=C3=9Fe?=\r\n\r\nYes.\r\nAt 9:40.\r\n\r\n> When?\r\n> Ferry.\r\n'
    expect((await convert('a.eml', mail)).markdown).toBe(
      '# Größe\n\nFrom: a@example.org\n\nYes.\nAt 9:40.\n\n> When?\n> Ferry.',
    )
  })

  it('reads the mails that a mail passes on, as they were written', async () => {
    const inner = [
      'From: Ada <ada@example.org>',
      'Subject: Horn',
      'Content-Type: text/html',
      '',
      '<p>It was <b>loud</b>.',
    ]
    const mail = [
      'From: bob@example.org',
      'Subject: Fwd: Horn',
      'Content-Type: multipart/mixed; boundary=m',
      '',
      '--m',
      '',
      'See below.',
      '--m',
      'Content-Type: message/rfc822',
      '',
      ...inner,
      '--m',
      'Content-Type: text/plain; name=a.txt',
      'Content-Disposition: attachment; filename=a.txt',
      '',
      'x',
      '--m--',
    ].join('\r\n')
    expect((await convert('a.eml', mail)).markdown).toBe(
      [
        '# Fwd: Horn',
        'From: bob@example.org',
        'See below.',
        '## Horn',
        'From: Ada (ada@example.org)',
        'It was **loud**.',
        '## Attachment: a.txt\n\nx',
        '## Attachments\n\n- a.txt, 1 kB',
      ].join('\n\n'),
    )
  })

  it('reads a hundred of the mails that a mail passes on, and names the others', async () => {
    const inner = '--m\r\nContent-Type: message/rfc822\r\n\r\nSubject: Horn\r\n\r\nloud\r\n'
    const head = 'From: bob@example.org\r\nSubject: Fwd\r\nContent-Type: multipart/mixed; boundary=m\r\n\r\n'
    const { markdown = '' } = await convert('a.eml', `${head}${inner.repeat(120)}--m--`)
    expect(markdown.match(/^## Horn$/gm)).toHaveLength(100)
    expect(markdown.match(/^- mail\.eml/gm)).toHaveLength(20)
  })

  it('reads a notebook: text, code, what it printed and drew', async () => {
    const image = Buffer.from(await readFixture('red.png')).toString('base64')
    const notebook = {
      metadata: { language_info: { name: 'python' } },
      cells: [
        { cell_type: 'markdown', source: ['# Tides\n', '\n', 'High at noon.'] },
        { cell_type: 'code', source: 'print(6 * 7)', outputs: [{ text: ['42\n'] }, { data: { 'image/png': image } }] },
      ],
    }
    const { markdown, images } = await convert('n.ipynb', JSON.stringify(notebook))
    expect(markdown).toBe('# Tides\n\nHigh at noon.\n\n```python\nprint(6 * 7)\n```\n\n```\n42\n```\n\npicture-1.png')
    expect(images).toHaveLength(1)
  })

  it('shows what a notebook printed as a terminal shows it', async () => {
    const printed = '\u001b[31mRed alert\u001b[0m\n 10%|#  |\r 50%|## |\r100%|###|\r\nend\n'
    const outputs = [{ text: printed }, { ename: 'ValueError', evalue: 'bad \u001b[1mvalue\u001b[0m 77' }]
    const notebook = { cells: [{ cell_type: 'code', source: 'run()', outputs }] }
    const { markdown } = await convert('n.ipynb', JSON.stringify(notebook))
    expect(markdown).toContain('```\nRed alert\n100%|###|\nend\n```\n\n```\nValueError: bad value 77\n```')
  })

  it('reads a page in the encoding that it names, with the images that it carries', async () => {
    const image = Buffer.from(await readFixture('red.png')).toString('base64')
    const page = `<meta charset="iso-8859-1"><h1>Größe</h1><img src="data:image/png;base64,${image}" alt="red"><img src="x.png" alt="away">`
    const { markdown, images } = await convert('a.html', Buffer.from(page, 'latin1'))
    expect(markdown).toBe('# Größe\n\npicture-1.png (red) away')
    expect(images).toHaveLength(1)
  })

  it('says what an image is and hands it out', async () => {
    const { markdown, images } = await read('red.png')
    expect(markdown).toMatch(/^PNG image, 48 × 32 pixels\n\npicture-1\.png/)
    expect(images).toHaveLength(1)
  })
})
