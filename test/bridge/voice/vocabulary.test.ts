import { expect, it } from 'vitest'
import { ANNA } from '#test/support/fakes/chat.ts'
import { markdown, setUpBridge } from '#test/support/bridge/set-up.ts'

const memo = new Uint8Array([1, 2, 3])
const BEN = { id: 'U2', name: 'Ben Qvist', language: 'en' }
const german = 'Die Fähre fährt um 9:40 von dem Steg an der Mole ab, und sie ist nicht am Montag da.'

async function setUp() {
  const set = await setUpBridge()
  const drop = async (name: string, text: string, author = ANNA) => {
    const mimeType = name.endsWith('.pdf') ? 'application/pdf' : 'text/markdown'
    await set.settled(set.chat.drop([{ ...markdown(name, text), mimeType }], { author }).inbound.key)
  }
  const hear = async (language = 'english') => {
    set.platform.script.transcribe({ text: 'When does it leave?', language })
    const before = set.platform.script.calls.length
    await set.settled(set.chat.voice(memo).inbound.key)
    const transcript = set.chat.visible().findLast(({ text }) => text.startsWith('🎙️'))
    return {
      prompt: set.platform.script.recordings.at(-1)?.prompt,
      labels: transcript?.outgoing.actions?.map(({ label }) => label) ?? [],
      calls: set.platform.script.calls.slice(before).map(({ call }) => call),
    }
  }
  return { ...set, drop, hear }
}

it('a listener is told the names of files, of people and of chapters, none of them cut', async () => {
  const { drop, hear } = await setUp()
  await drop('Tidewater.md', '---\ntitle: x\n---\n\n# Quayside at Skövde\n\nText.\n\n## The *Vänern* line\n')
  await drop('Bylaws.md', '# Statutes\n\n```\n# no heading\n```\n', BEN)
  expect((await hear()).prompt).toBe(
    'Bylaws, Tidewater, Ben Qvist, Anna, Statutes, Quayside at Skövde, The Vänern line',
  )
  const many = Array.from({ length: 45 }, (_, index) => `# Chapter number ${index}`).join('\n')
  await drop('Long.md', many)
  const { prompt = '', calls } = await hear()
  expect(prompt.length).toBeLessThanOrEqual(600)
  expect(prompt).toMatch(/^Long, Bylaws, Tidewater, Anna, Ben Qvist, Chapter number 0, .*Chapter number \d+$/)
  expect(calls).not.toContain('files.download')
})

it('a PDF tells the language of the files as well, once its text is kept', async () => {
  const { drop, hear, store, shows } = await setUp()
  await drop('plan.pdf', '%PDF-1.4 not read here')
  await shows(/plan\.pdf.*ready/)
  const before = await hear()
  expect(before.labels).not.toContain('Translate and ask again')
  expect(before.calls).not.toContain('documents.convert')
  const record = await store().channels.get('fake:W1:C1')
  await store().sources.put(`${record?.collection}\nplan.pdf`, `<!-- page 1 -->\n\n# Fähre\n\n${german}`)
  const after = await hear()
  expect(after.labels).toContain('Translate and ask again')
  expect(after.prompt).toContain('Fähre')
})
