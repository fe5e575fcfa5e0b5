import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDictionary } from '#platform/engine/dictionary/dictionary.ts'
import { addEntries, type Entries } from '#platform/engine/dictionary/entries.ts'
import { createLookup } from '#platform/engine/dictionary/lookup.ts'
import { createLogSink, openPlatform } from '#test/platform/server/platform.ts'

const DING = `# Version 1
Haus {n}; Heim {n} [geh.] | Häuser {pl}; Heime {pl} :: house; home (dwelling) | houses; homes
Heizung {f}; Heizgerät {n} :: heating; heater
Störung {f} | Störungen {pl} :: fault; breakdown | faults
Leck {n}; Wellschlitz {m} | Lecks {pl} :: leak; leakage | leaks
anrufen {vt} | anrufend :: to call up; to ring | ringing
`

const read = (file: string): Entries => {
  const entries: Entries = new Map()
  addEntries(entries, file)
  return entries
}

describe('the entries of a dictionary', () => {
  it('are the single words of columns that belong together, in both directions', () => {
    const entries = read(DING)
    expect(entries.get('haus')?.split('\n')).toEqual(['house', 'home'])
    expect(entries.get('houses')?.split('\n')).toEqual(['häuser', 'heime'])
    expect(entries.get('anrufen')).toBe('ring')
    expect(entries.has('störung {f}')).toBe(false)
  })

  it.each([
    ['Urlaub;Ferien (ugs.);freie Tage', 'urlaub', 'ferien'],
    ['PTO, leave, vacation', 'pto', 'leave\nvacation'],
    ['heating', 'heating', undefined],
    ['', '', undefined],
    [' :: ', '', undefined],
    ['ein | zwei :: one', 'zwei', undefined],
  ])('of the line %j', (line, word, others) => {
    expect(read(line).get(word)).toBe(others)
  })
})

const FILES: Readonly<Record<string, string>> = {
  'house.md': '# Repairs\n\nA leak is mended by Mr Lowe.\n\n# Bins\n\nThe bins are emptied on Thursdays.\n',
  'vertrag.md': '# Vertrag\n\nDie Kündigungsfrist beträgt sechs Wochen.\n\n# Müll\n\nDie Tonnen werden geleert.\n',
}

const readLines = (name: string) =>
  readFileSync(new URL(`../../../../src/lexicon/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')

describe('the dictionary that comes with Footbridge', () => {
  const lines = readLines('de-en.txt')
  const lookUp = createLookup(lines.join('\n'))

  it('has single words on two sides in each line', () => {
    const wrong = lines.filter(
      (line) => !/^(?:#.*|[\p{L}-]+(?:; [\p{L}-]+)* :: [\p{L}-]+(?:; [\p{L}-]+)*)$/u.test(line),
    )
    expect(wrong).toEqual([])
    expect(lines.length).toBeGreaterThan(1000)
  })

  it.each(['thesaurus-en.txt', 'thesaurus-de.txt'])('has words for one thing in each line of %s', (name) => {
    const all = readLines(name)
    expect(all.filter((line) => !/^(?:#.*|[\p{L}'-]+(?:, [\p{L}'-]+)+)$/u.test(line))).toEqual([])
    expect(all.length).toBeGreaterThan(200)
  })

  it.each([
    ['miete', ['rent', 'rental', 'hire']],
    ['häusern', ['house', 'home', 'building', 'houses', 'buildings']],
    ['invoices', ['rechnungen']],
    ['mitgliedsbeiträge', ['fee', 'contribution', 'membership', 'dues']],
    ['schwimmkurs', ['swim', 'swimming', 'course', 'class']],
    ['wellschlitz', []],
    ['ei', ['egg', 'eggs']],
    ['', []],
    ['x'.repeat(5000), []],
  ])('knows %s', (word, others) => {
    expect(lookUp(word)).toEqual(others)
  })
})

describe('a dictionary', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footbridge-dictionary-'))
    path = join(folder, 'de-en')
    await writeFile(path, DING)
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('says once that a file cannot be read, and is asked no more', async () => {
    const { log, entries } = createLogSink()
    const dictionary = openDictionary([join(folder, 'none')], log)
    expect(await dictionary.othersOf(['wellschlitz'])).toEqual(new Map())
    expect(await dictionary.othersOf(['haus'])).toEqual(new Map([['haus', ['house', 'home', 'building']]]))
    expect(entries).toMatchObject([{ level: 'warn', message: expect.stringContaining('correct DICTIONARIES') }])
    await dictionary.close()
  })

  it.each([
    ['Wer kommt bei einem Rohrbruch?', 'house.md', [], true],
    ['Wer kommt bei einem Wellschlitz?', 'house.md', [], false],
    ['Wer kommt bei einem Wellschlitz?', 'house.md', ['de-en'], true],
    ['What is the notice period?', 'vertrag.md', [], true],
  ])('lets %s find %s (with %j: %s)', async (content, file, names, isFound) => {
    const platform = await openPlatform({ dictionaries: names.map((name) => join(folder, name)) })
    await platform.fill('house', { [file]: FILES[file] ?? '' })
    const response = await platform.call('POST', '/v1/chat/completions', {
      json: { model: 'extractive', messages: [{ role: 'user', content }], collection: 'house' },
      bearer: true,
    })
    const text = await response.text()
    await platform.close()
    expect(/Mr Lowe|sechs Wochen/.test(text)).toBe(isFound)
  })
})
