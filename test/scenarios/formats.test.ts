import { describe, test } from 'vitest'
import { readFixture } from '../fixtures/documents/read.ts'
import type { DroppedFile } from '../support/whole/desk.ts'
import { openStage, runs } from './stage.ts'

const office = 'application/vnd.openxmlformats-officedocument'
const fixture = async (name: string, mimeType: string): Promise<DroppedFile> => ({
  name,
  bytes: await readFixture(name),
  mimeType,
})
const lamps: DroppedFile = {
  name: 'lamps.csv',
  bytes: 'Lamp;Supplier\nparaffin burner;Fresnel and Sons\n',
  mimeType: 'text/csv',
}
const keeper: DroppedFile = {
  name: 'keeper.html',
  bytes: '<h1>The keeper</h1><p>The keeper rings a <b>brass bell</b> when fog comes in.</p>',
  mimeType: 'text/html',
}
const NAMES = ['handbook.pdf', 'tides.xlsx', 'handbook.epub', 'mail.eml', 'lamps.csv', 'keeper.html']

describe.concurrent.each(runs('discord'))('documents on %s, %s', (service, _, rough) => {
  test('of every kind become knowledge, keep their originals, and a screenshot is looked at', async (context) => {
    const { seat, asks, sees, answers, count, upstream, alarms } = await openStage(service, rough, context, {
      sees: true,
      rules: [[/data:image\/png/, 'The screenshot shows a red square.']],
    })
    const { expect } = context
    const tides = await fixture('tides.xlsx', `${office}.spreadsheetml.sheet`)
    // Handed over by name: else a picture is talk.
    const drop = [
      await fixture('handbook.pdf', 'application/pdf'),
      tides,
      await fixture('handbook.epub', 'application/epub+zip'),
      await fixture('mail.eml', 'message/rfc822'),
      lamps,
      keeper,
      { name: 'setup.exe', bytes: 'MZ', mimeType: 'application/octet-stream' },
      await fixture('red.png', 'image/png'),
    ]
    await asks('', { files: drop })
    const ready = NAMES.map((name) => `${name.replace('.', '\\.')}.*(?:ready|bereit)`)
    const receipt = await sees(new RegExp(ready.join('[^]*')), ({ text }) =>
      /red\.png.*no text was found/.test(text),
    )
    // What nobody can read is refused at once, with the reason.
    expect(receipt.text).toMatch(/setup\.exe.*failed: this kind I can’t read\. I take PDF/)

    await asks('Which supplier has the paraffin burner?')
    expect((await answers(/Fresnel and Sons.*\[1\]/)).text).toMatch(/\[1\].*lamps\.csv/)
    await asks('What does the keeper ring in the fog?')
    expect((await answers(/brass bell.*\[1\]/)).text).toMatch(/\[1\].*keeper\.html/)

    await asks('download tides.xlsx')
    await sees(/Here is .*tides\.xlsx/, ({ files }) => files.includes('tides.xlsx'))
    expect(Buffer.from(await seat.handedOut('tides.xlsx')).equals(Buffer.from(tides.bytes))).toBe(true)

    await asks('What does this screenshot show?', { files: [await fixture('red.png', 'image/png')] })
    await sees(/The screenshot shows a red square\./)
    expect(
      upstream.requests.some(({ json }) => JSON.stringify(json ?? '').includes('data:image/png;base64,')),
    ).toBe(true)
    await asks('files')
    const list = await sees(/\*\*\d+ files\*\*/)
    // Beside a question a picture is no file of the channel.
    expect(list.text.match(/red\.png/g) ?? []).toHaveLength(1)

    expect(await count(/tides\.xlsx.*(?:ready|bereit)/)).toBe(2)
    expect(alarms().filter((line) => line.startsWith('50'))).toEqual([])
  }, 1_200_000)
})
