import { describe, expect, test } from 'vitest'
import { createPlatformClient } from '../../src/platform/client/client.ts'
import type { Desk, DroppedFile } from '../support/whole/desk.ts'
import { withPlatform } from '../support/whole/platforms.ts'
import { closeAtEnd, DESKS, open, SERVICES } from '../support/whole/stage.ts'

const plan = (hour: string): DroppedFile => ({
  name: 'plan.md',
  bytes: `# Ferry\n\nThe ferry to the island leaves at ${hour} from pier seven every day except Monday.\n`,
  mimeType: 'text/markdown',
})

/** Waits for a message of ours that matches, newest first. */
async function shows(desk: Desk, pattern: RegExp): Promise<string> {
  return desk.until(
    () => desk.sees().findLast((line) => line.includes('Footbridge: ') && pattern.test(line)),
    String(pattern),
  )
}

const receipts = (desk: Desk) => desk.sees().filter((line) => /Footbridge: .*plan/.test(line))

describe.each(SERVICES)('files on %s', (service) => {
  test('come in versions, can be taken back, and be kept beside each other', async () => {
    const desk = closeAtEnd(await DESKS[service]())
    const footbridge = await open(desk.env)
    desk.does({ files: [plan('9:40')] })
    await shows(desk, /plan\.md.*ready/)
    desk.does({ files: [plan('11:15')] })
    await shows(desk, /replaces version 1 of .* by Ada[^]*\[Undo\]/)
    await shows(desk, /plan\.md.*replaced by version 2/)
    await footbridge.restart()

    desk.press('Undo')
    await shows(desk, /undone by Ada/)
    await shows(desk, /plan\.md.*ready.*put back by Ada/)
    desk.does({ text: 'When does the ferry leave?', mention: true })
    expect(await shows(desk, /leaves at/)).toContain('leaves at 9:40')

    desk.does({ files: [plan('11:15')] })
    await shows(desk, /replaces version \d of/)
    desk.press('Keep both')
    await shows(desk, /plan \(2\)\.md.*ready/)
    expect(receipts(desk)).toHaveLength(3)
    expect(footbridge.alarms()).toEqual([])
    await footbridge.stop()
  })

  test('are listed, and forgotten in words, once confirmed', async () => {
    const desk = closeAtEnd(await DESKS[service]())
    const footbridge = await open(desk.env)
    desk.does({ files: [plan('9:40')] })
    await shows(desk, /plan\.md.*ready/)
    desk.does({ text: 'files', mention: true })
    await shows(desk, /1 file[^]*plan\.md.*ready · 1 chunk.*Ada/)
    desk.does({ text: 'forget plann', mention: true })
    await shows(desk, /no file “plann” here\. Did you mean .*plan\.md/)
    desk.does({ text: 'forget plan', mention: true })
    await shows(desk, /Forget .*plan\.md.*dropped by Ada\?[^]*\[Forget it\]/)
    await footbridge.restart()
    desk.press('Forget it')
    // Discord tells the language of who presses a button, and of nobody who writes.
    await shows(desk, /plan\.md.* (is forgotten|ist vergessen)/)
    await shows(desk, /🗑️ .*plan\.md.* — removed by Ada/)
    desk.does({ text: 'When does the ferry leave?', mention: true })
    await shows(desk, /there is none yet/)
    expect(footbridge.alarms()).toEqual([])
    await footbridge.stop()
  })

  test('are handed out as they were dropped', async () => {
    const desk = closeAtEnd(await DESKS[service]())
    const footbridge = await open(desk.env)
    const table = { name: 'lamps.csv', bytes: 'Lamp;Supplier\nburner;Fresnel\n', mimeType: 'text/csv' }
    desk.does({ files: [table], direct: true })
    const seen = () => desk.sees({ direct: true }).findLast((line) => line.includes('Footbridge: '))
    await desk.until(() => /lamps\.csv.*ready/.test(seen() ?? ''), 'the receipt')
    desk.does({ text: 'download lamps', direct: true })
    await desk.until(() => /Here is .*lamps\.csv[^]*\(lamps\.csv\)/.test(seen() ?? ''), 'the file')
    expect(footbridge.alarms()).toEqual([])
    await footbridge.stop()
  })

  test('that failed are tried again by a button, on the same receipt, also after a restart', async () => {
    const desk = closeAtEnd(await DESKS[service]())
    const hosted = closeAtEnd(await withPlatform('saia'))
    const footbridge = await open(desk.env, hosted.env)
    hosted.platform.script('upload', { kind: 'status', status: 413, body: '{"detail":"Not this one."}' })
    desk.does({ files: [plan('9:40')] })
    await shows(desk, /plan\.md.*failed: Not this one\.[^]*\[Retry\]/)
    await footbridge.restart()
    desk.press('Retry')
    const receipt = await shows(desk, /plan\.md.*ready/)
    expect(receipt).not.toContain('[Retry]')
    expect(receipts(desk)).toHaveLength(1)
    await footbridge.stop()
  })

  test('of a collection that was removed behind our back are uploaded again', async () => {
    const desk = closeAtEnd(await DESKS[service]())
    const hosted = closeAtEnd(await withPlatform('saia'))
    const footbridge = await open(desk.env, hosted.env)
    desk.does({ files: [plan('9:40')] })
    await shows(desk, /plan\.md.*ready/)
    await footbridge.restart()
    const [name = ''] = [...hosted.platform.collections.keys()]
    const { baseUrl, key: apiKey } = hosted.platform
    const client = closeAtEnd(createPlatformClient({ baseUrl, apiKey, profile: 'saia' }))
    await client.collections.delete(name)
    desk.does({ text: 'When does the ferry leave?', mention: true })
    await shows(desk, /was removed on the platform, and not by me[^]*\[Rebuild\]/)
    desk.press('Rebuild')
    await shows(desk, /(is built again: 1 file ready|ist wieder aufgebaut: 1 Datei bereit)/)
    desk.does({ text: 'When does the ferry leave?', mention: true })
    expect(await shows(desk, /leaves at/)).toContain('leaves at 9:40')
    await footbridge.stop()
  })
})
