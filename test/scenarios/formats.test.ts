import type { DroppedFile } from '../support/people/workspace.ts'
import { fixture } from './drops.ts'
import { scenario } from './scenario.ts'

const office = 'application/vnd.openxmlformats-officedocument'
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

scenario(
  'documents of every kind become knowledge, keep their originals, and a screenshot is looked at',
  { killedOn: 'discord', sees: true, rules: [[/data:image\/png/, 'The screenshot shows a red square.']] },
  async ({ workspace, ada, upstream, errors, expect }) => {
    await ada.drops(
      await fixture('handbook.docx', `${office}.wordprocessingml.document`),
      await fixture('slides.pptx', `${office}.presentationml.presentation`),
    )
    await ada.sees(/handbook\.docx.*ready[^]*slides\.pptx.*ready/)
    await ada.asks('What does the footnote say about Brenner?')
    expect((await ada.seesAnswer(/Ada Brenner built it in 1887.*\[1\]/)).text).toMatch(/\[1\].*handbook\.docx/)
    await ada.asks('When does the ferry leave?')
    expect((await ada.seesAnswer(/ferry \[1\]/)).text).toMatch(/\[1\].*slides\.pptx[^]*leaves at 9:40/)

    const tides = await fixture('tides.xlsx', `${office}.spreadsheetml.sheet`)
    const files = [
      await fixture('handbook.pdf', 'application/pdf'),
      tides,
      await fixture('handbook.epub', 'application/epub+zip'),
      await fixture('mail.eml', 'message/rfc822'),
      lamps,
      keeper,
      { name: 'setup.exe', bytes: 'MZ', mimeType: 'application/octet-stream' },
      await fixture('red.png', 'image/png'),
    ]
    await ada.asks('', { files })
    const ready = NAMES.map((name) => `${name.replace('.', '\\.')}.*ready`)
    const receipt = await ada.sees(new RegExp(ready.join('[^]*')), ({ text }) =>
      /red\.png.*[Nn]o text was found/.test(text),
    )
    // A kind that nobody can read is refused at once, with the reason.
    expect(receipt.text).toMatch(/setup\.exe.*failed\. I can’t read this kind of file\. I take PDF/)

    await ada.asks('Which supplier has the paraffin burner?')
    expect((await ada.seesAnswer(/Fresnel and Sons.*\[1\]/)).text).toMatch(/\[1\].*lamps\.csv/)
    await ada.asks('What does the keeper ring in the fog?')
    expect((await ada.seesAnswer(/brass bell.*\[1\]/)).text).toMatch(/\[1\].*keeper\.html/)

    await ada.asks('download tides.xlsx')
    await ada.sees(/Here is .*tides\.xlsx/, (message) => message.files.includes('tides.xlsx'))
    const given = (await workspace.handedOut(ada.channel)).findLast(({ name }) => name === 'tides.xlsx')
    expect(Buffer.from(given?.bytes ?? '').equals(Buffer.from(tides.bytes))).toBe(true)

    await ada.asks('What does this screenshot show?', { files: [await fixture('red.png', 'image/png')] })
    await ada.sees(/The screenshot shows a red square\./)
    expect(upstream.requests.some(({ json }) => JSON.stringify(json ?? '').includes('data:image/png;base64,'))).toBe(
      true,
    )
    await ada.asks('files')
    const list = await ada.sees(/\*\*\d+ files\*\*/)
    // A picture in a question is not a file of the channel.
    expect(list.text.match(/red\.png/g) ?? []).toHaveLength(1)

    expect(await ada.count(/tides\.xlsx.*ready/)).toBe(2)
    expect(errors()).toEqual([])
  },
)
