import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDictionary } from '#platform/engine/dictionary/dictionary.ts'
import { addEntries, type Entries } from '#platform/engine/dictionary/entries.ts'
import { createLogSink, openPlatform } from '#test/platform/server/platform.ts'

const DING = `# Version 1
Haus {n}; Heim {n} [geh.] | Häuser {pl}; Heime {pl} :: house; home (dwelling) | houses; homes
Heizung {f}; Heizgerät {n} :: heating; heater
Störung {f} | Störungen {pl} :: fault; breakdown | faults
Leck {n}; Rohrbruch {m} | Lecks {pl} :: leak; leakage | leaks
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
    expect(await dictionary.othersOf(['haus'])).toEqual(new Map())
    expect(await dictionary.othersOf(['haus'])).toEqual(new Map())
    expect(entries).toMatchObject([{ level: 'warn', message: expect.stringContaining('correct DICTIONARIES') }])
    await dictionary.close()
  })

  it.each([
    [undefined, false],
    ['de-en', true],
  ])('lets a German question find an English file (%s)', async (name, isFound) => {
    const platform = await openPlatform({ dictionaries: name === undefined ? undefined : [join(folder, name)] })
    await platform.fill('house', {
      'house.md': '# Repairs\n\nA leak is mended by Mr Lowe.\n\n# Bins\n\nThe bins are emptied on Thursdays.\n',
    })
    const response = await platform.call('POST', '/v1/chat/completions', {
      json: {
        model: 'extractive',
        messages: [{ role: 'user', content: 'Wer kommt bei einem Rohrbruch?' }],
        collection: 'house',
      },
      bearer: true,
    })
    const text = await response.text()
    await platform.close()
    expect(text.includes('Mr Lowe')).toBe(isFound)
  })
})
