import { expect, test } from 'vitest'
import { readFixture } from '../fixtures/documents/read.ts'
import { eventually, type DroppedFile } from '../support/whole/desk.ts'
import { closeAtEnd, DESKS, open } from '../support/whole/stage.ts'

const office = 'application/vnd.openxmlformats-officedocument'

const fixture = async (name: string, mimeType: string): Promise<DroppedFile> => ({
  name,
  bytes: await readFixture(name),
  mimeType,
})

test('dropped documents of every kind become knowledge, and are quoted', async () => {
  const desk = closeAtEnd(await DESKS.discord())
  const footbridge = await open(desk.env)
  const told: (string | RegExp)[] = []
  const sees = async (said: string, shown: RegExp) => {
    told.push(said, shown)
    const seen = await eventually(() => desk.sees(), told)
    expect(seen.at(-1)).toMatch(shown)
    expect(seen).toHaveLength(told.length)
    return seen.at(-1) ?? ''
  }
  const drop = async (...files: readonly DroppedFile[]) => {
    desk.does({ files })
    const names = files.map(({ name }) => name)
    const lines = names.map((name) => `\\*\\*${name.replaceAll('.', '\\.')}\\*\\* — ready · \\d+ chunk`)
    await sees(`Ada: ${names.map((name) => `(${name})`).join('\n')}`, new RegExp(lines.join('[^]*')))
  }
  const ask = async (question: string, answer: RegExp, file: string) => {
    desk.does({ text: question, mention: true })
    expect(await sees(`Ada: @Footbridge ${question}`, answer)).toContain(`**${file}**`)
  }

  await drop(await fixture('handbook.docx', `${office}.wordprocessingml.document`))
  await ask('Who built the lighthouse in 1887?', /Ada Brenner built it in 1887/, 'handbook.docx')
  await drop(
    await fixture('slides.pptx', `${office}.presentationml.presentation`),
    await fixture('tides.xlsx', `${office}.spreadsheetml.sheet`),
    await fixture('mail.eml', 'message/rfc822'),
    await fixture('handbook.epub', 'application/epub+zip'),
    {
      name: 'keeper.html',
      bytes: '<h1>The keeper</h1><p>The keeper rings a <b>brass bell</b> when fog comes in.</p>',
      mimeType: 'text/html',
    },
    {
      name: 'lamps.csv',
      bytes: 'Lamp;Supplier\nparaffin burner;Fresnel and Sons\n',
      mimeType: 'text/csv',
    },
  )
  await ask('What does the ferry do at 9:40?', /leaves at 9:40/, 'slides.pptx')
  await ask('Which supplier has the paraffin burner?', /Fresnel and Sons/, 'lamps.csv')

  desk.does({ files: [{ name: 'broken.docx', bytes: 'no document at all', mimeType: 'application/msword' }] })
  await sees('Ada: (broken.docx)', /broken\.docx\*\* — .*The DOCX is damaged/)
  await footbridge.stop()
})
