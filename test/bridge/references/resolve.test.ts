import { describe, expect, it } from 'vitest'
import { platformFailure } from '#test/support/fakes/switchboard.ts'
import { createShelf } from './shelf.ts'

const HANDBOOK = [
  '---',
  'title: Staff handbook',
  'owner: Secret Owner',
  '---',
  '# Leave',
  '',
  'Full-time staff have 30 days of leave a year. Unused days lapse at the end of March.',
  '',
  '# Travel',
  '',
  'Trains are booked in second class. See https://travel.acme.example/book for the portal.',
].join('\n')
const LEAVE = '# Leave\n\nFull-time staff have 30 days of leave a year. Unused days lapse at the end of March.'

const numbersOf = ({ references }: { readonly references: readonly { readonly number?: number }[] }) =>
  references.map(({ number }) => number)

describe('a reference', () => {
  it('names file, lines, version, who dropped it when and where, the passage, and the sentence that supports the answer', async () => {
    const { resolve } = await createShelf({ 'handbook.md': HANDBOOK })
    const { text, references, notes, rejected } = await resolve('Leftover days are gone after March [RREF1].', [
      { file: 'handbook.md', place: 'L1-2', distance: 0.135, body: LEAVE },
    ])
    expect(text).toBe('Leftover days are gone after March [1].')
    expect(references).toEqual([
      {
        number: 1,
        file: 'handbook.md',
        place: 'L5-7',
        passage: LEAVE,
        support: 'Unused days lapse at the end of March.',
        version: 1,
        droppedBy: 'Anna',
        droppedAt: '2026-05-04T10:00:00.000Z',
        link: 'https://chat.example/C1/m0',
      },
    ])
    expect([notes, rejected]).toEqual([[], []])
  })

  it('keeps the number that it has in the block, and is shown only when the text cites it', async () => {
    const { resolve } = await createShelf({ 'handbook.md': HANDBOOK, 'b.md': 'Another text that says little.' })
    const { text, references } = await resolve('Thirty days [RREF2], maybe [RREF9].', [
      { file: 'b.md', distance: 0.1, body: 'Another text that says little.' },
      { file: 'handbook.md', distance: 0.2, body: LEAVE },
    ])
    expect(text).toBe('Thirty days [2], maybe.')
    expect(references.map(({ number, file }) => [number, file])).toEqual([[2, 'handbook.md']])
  })

  it('is found by every form in which models cite, and no note denies it', async () => {
    const { resolve } = await createShelf({ 'handbook.md': HANDBOOK, 'b.md': 'Another text that says little.' })
    const block = [
      { file: 'b.md', distance: 0.1, body: 'Another text that says little.' },
      { file: 'handbook.md', distance: 0.2, body: LEAVE },
    ]
    for (const mark of ['[2]', '[^2]', '【2】', '(2)', '(handbook.md)', '[Source: handbook.md]']) {
      const { text, references, notes } = await resolve(`Thirty days ${mark}.`, block)
      expect([text, references.map(({ number }) => number), notes]).toEqual(['Thirty days [2].', [2], []])
    }
    const forged = [{ file: 'b.md', distance: 0.1, body: 'This does not stand there.' }]
    const { text, references, notes } = await resolve('Thirty days [1].', forged)
    expect([text, references, notes]).toEqual([
      'Thirty days.',
      [],
      [expect.stringContaining('do not contain what this answer cites')],
    ])
  })

  it('without any mark in the text is shown with all that were read, and said to be that', async () => {
    const { resolve } = await createShelf({ 'handbook.md': HANDBOOK, 'b.md': 'Another text that says little.' })
    const { references, notes } = await resolve('Thirty days.', [
      { file: 'b.md', distance: 0.1, body: 'Another text that says little.' },
      { file: 'handbook.md', distance: 0.2, body: LEAVE },
    ])
    expect(references).toHaveLength(2)
    expect(notes).toEqual([expect.stringContaining('the ones that were read for it')])
  })

  it('of a converted file names the original, and the heading instead of lines that nobody sees', async () => {
    const { resolve } = await createShelf(
      { 'plan.docx.md': HANDBOOK, 'other.pptx.md': '# One\n\nA slide about leave and more of it.' },
      ({ fileName }) =>
        fileName === 'plan.docx.md' ? { displayName: 'plan.docx', originalName: 'plan.docx', version: 3 } : {},
    )
    const { references } = await resolve('Second class [RREF1].', [
      {
        file: 'plan.docx.md',
        place: 'L9-11',
        distance: 0.1,
        body: 'Trains are booked in second class. See https://travel.acme.example/book for the portal.',
      },
    ])
    expect(references[0]).toMatchObject({ file: 'plan.docx', place: '§ Travel', version: 3 })
  })

  it('of a spreadsheet names the sheet and the rows', async () => {
    const rows = Array.from({ length: 6 }, (_, at) => `| item ${at} | ${at * 10} |`)
    const text = `## Prices\n\n| item | price |\n| --- | --- |\n${rows.join('\n')}\n`
    const { resolve } = await createShelf({ 'prices.xlsx.md': text }, () => ({
      displayName: 'prices.xlsx',
      originalName: 'prices.xlsx',
    }))
    const entry = (from: number, to: number) => ({
      file: 'prices.xlsx.md',
      distance: 0,
      body: rows.slice(from, to).join('\n'),
    })
    const { references } = await resolve('That is so [RREF1] [RREF2].', [entry(2, 3), entry(0, 6)])
    expect(references.map(({ place }) => place)).toEqual(['§ Prices, row 4', '§ Prices, rows 2–7'])
  })

  it('of a file that came there by another way is found all the same, without what only the ledger knows', async () => {
    const { resolve, entries } = await createShelf({
      'report.odt.md': '# Sales\n\nSales rose by four percent in the north.',
    })
    entries.length = 0
    const { references } = await resolve('Up four percent [RREF1].', [
      { file: 'report.odt.md', distance: 0.1, body: 'Sales rose by four percent in the north.' },
    ])
    expect(references).toEqual([
      {
        number: 1,
        file: 'report.odt',
        place: '§ Sales',
        passage: 'Sales rose by four percent in the north.',
        support: 'Sales rose by four percent in the north.',
      },
    ])
  })

  it('whose file has another name here is found by its body', async () => {
    const { resolve } = await createShelf({ 'handbook.md': HANDBOOK })
    const { references } = await resolve('Thirty [RREF1].', [{ file: 'chunk_17.md', distance: 0.1, body: LEAVE }])
    expect(references[0]).toMatchObject({ file: 'handbook.md', place: 'L5-7' })
  })

  it('of a file that was removed is none', async () => {
    const { resolve } = await createShelf({ 'handbook.md': HANDBOOK }, () => ({ state: 'removed' }))
    const { text, references, rejected, notes } = await resolve('Thirty [RREF1].', [
      { file: 'handbook.md', distance: 0.1, body: LEAVE },
    ])
    expect([text, references]).toEqual(['Thirty.', []])
    expect(rejected).toEqual([{ number: 1, file: 'handbook.md', why: 'no-file' }])
    expect(notes).toEqual([expect.stringContaining('do not contain what this answer cites')])
  })

  it('is told to be unchecked, and quotes nothing, when its file can not be read', async () => {
    const { resolve, platform } = await createShelf({ 'handbook.md': HANDBOOK })
    platform.script.fail('files.download', platformFailure('unreachable', 'Away.'))
    const { references, notes } = await resolve('Thirty [RREF1].', [
      { file: 'handbook.md', place: 'p.9', distance: 0.1, body: LEAVE },
    ])
    expect(references).toEqual([
      expect.objectContaining({ number: 1, file: 'handbook.md', passage: '', droppedBy: 'Anna' }),
    ])
    expect(references[0]).not.toHaveProperty('place')
    expect(notes).toEqual([expect.stringContaining('Not checked: [1]')])
  })

  it('is not waited for longer than the time it has; the next answer has it', async () => {
    const { resolve, platform } = await createShelf({ 'handbook.md': HANDBOOK })
    const release = platform.script.hold('files.download')
    const block = [{ file: 'handbook.md', distance: 0.1, body: LEAVE }]
    expect((await resolve('Thirty [RREF1].', block, { checkMs: 5 })).notes).toHaveLength(1)
    release()
    const { references, notes } = await resolve('Thirty [RREF1].', block)
    expect([notes, references[0]?.passage]).toEqual([[], LEAVE])
    expect(platform.script.calls.filter(({ call }) => call === 'files.download')).toHaveLength(1)
  })

  it('of a file that was replaced behind our back is looked up in the new one', async () => {
    const { resolve, platform } = await createShelf({
      'handbook.md': 'An earlier text altogether, long since replaced.',
    })
    await resolve('Gone [RREF1].', [{ file: 'handbook.md', distance: 0.1, body: 'An earlier text altogether' }])
    await platform.files.replace('c1', { name: 'handbook.md', mimeType: 'text/markdown', bytes: new Blob([HANDBOOK]) })
    const { references } = await resolve('Thirty [RREF1].', [{ file: 'handbook.md', distance: 0.1, body: LEAVE }])
    expect(references).toHaveLength(1)
  })

  it('of a file of which a part was replaced behind our back is looked up in the new one, if that can be read', async () => {
    const travel = 'Trains are booked in first class, and seats by the window.'
    const block = [
      { file: 'handbook.md', distance: 0.1, body: LEAVE },
      { file: 'handbook.md', distance: 0.2, body: travel },
    ]
    const replaced = async () => {
      const shelf = await createShelf({ 'handbook.md': HANDBOOK })
      await shelf.sources.read('c1', 'handbook.md')
      const bytes = new Blob([`${LEAVE}\n\n${travel}`])
      await shelf.platform.files.replace('c1', { name: 'handbook.md', mimeType: 'text/markdown', bytes })
      return shelf
    }
    const there = await replaced()
    expect(numbersOf(await there.resolve('Thirty [RREF1], first class [RREF2].', block))).toEqual([1, 2])
    const away = await replaced()
    away.platform.script.fail('files.download', platformFailure('unreachable', 'Away.'))
    expect(numbersOf(await away.resolve('Thirty [RREF1], first class [RREF2].', block))).toEqual([1])
    const slow = await replaced()
    const release = slow.platform.script.hold('files.download')
    expect(numbersOf(await slow.resolve('Thirty [RREF1], first class [RREF2].', block, { checkMs: 50 }))).toEqual([1])
    release()
  })
})

describe('front matter', () => {
  it.each([
    ['all of it before the text', `---\ntitle: Staff handbook\nowner: Secret Owner\n---\n${LEAVE}`],
    ['cut in the middle', `owner: Secret Owner\n---\n${LEAVE}`],
  ])('%s is shown nowhere', async (_what, body) => {
    const { resolve } = await createShelf({ 'handbook.md': HANDBOOK })
    const { references } = await resolve('Secret Owner owns it [RREF1].', [
      { file: 'handbook.md', distance: 0.1, body },
    ])
    expect(references).toHaveLength(1)
    expect(references[0]?.passage).toBe(LEAVE)
    expect(JSON.stringify(references)).not.toContain('Secret Owner')
  })

  it('alone is no passage', async () => {
    const { resolve } = await createShelf({ 'handbook.md': HANDBOOK })
    const body = '---\ntitle: Staff handbook\nowner: Secret Owner\n---'
    expect((await resolve('Yes [RREF1].', [{ file: 'handbook.md', distance: 0.1, body }])).references).toEqual([])
  })
})

describe('links in the answer', () => {
  it('are live where their address stands in a file that was read, or in the question', async () => {
    const { resolve } = await createShelf({ 'handbook.md': HANDBOOK })
    const { text } = await resolve(
      'Book on [the portal](https://travel.acme.example/book) [RREF1], not on https://evil.example; see www.acme.example.',
      [{ file: 'handbook.md', distance: 0.1, body: LEAVE }],
      { question: 'Is it www.acme.example?' },
    )
    expect(text).toBe(
      'Book on [the portal](https://travel.acme.example/book) [1], not on `https://evil.example`; see www.acme.example.',
    )
  })
})
