import { expect, it } from 'vitest'
import { cited, markdown, setUpBridge } from '#test/support/bridge/set-up.ts'

const LONG = `${'very long name '.repeat(266)}end.md`
const MARKUP = '[press here](https://evil.example) **x**.md'
const ADA = { id: 'U-ada', name: 'Ada' }
const MALLORY = { id: 'U-mal', name: '**M** [win](https://evil.example)' }

async function setUp() {
  const all = await setUpBridge()
  const { chat, settled } = all
  const drop = async (name: string, text: string, author = ADA) => {
    expect(await settled(chat.drop([markdown(name, text)], { author }).inbound.key)).toMatchObject({ state: 'done' })
  }
  const ask = async (text: string, author = ADA) => {
    const said = chat.mention(text, { author })
    expect(await settled(said.inbound.key)).toMatchObject({ state: 'done' })
    return chat.visible().findLast(({ outgoing }) => outgoing.replyTo === said.id)
  }
  const press = async (id: string, label: string, author = ADA) => {
    expect(await settled(chat.press(id, label, author).inbound.key)).toMatchObject({ state: 'done' })
  }
  return { ...all, drop, ask, press }
}

it('a name of 4,000 characters fits every sentence', async () => {
  const { ask, chat, drop, platform, press, settled } = await setUp()
  await drop(LONG, 'one')
  await drop(LONG.replace('end.md', 'end2.md'), 'two')
  expect((await ask('files'))?.text).toContain('very long name')
  expect((await ask('forget very long name'))?.text).toMatch(/Did you mean/)
  const whole = chat.drop([markdown(LONG, 'three')], { author: ADA })
  await settled(whole.inbound.key)
  const receipt = chat.visible().find(({ outgoing }) => outgoing.replyTo === whole.id)
  expect(receipt?.text).toMatch(/ready/)
  chat.room('C1', { admins: [ADA.id] })
  for (const name of platform.script.stored(platform.script.collections()[0] ?? '').map((file) => file.name))
    platform.script.breakFile(name, 'It is damaged.')
  const question = await ask('reindex')
  await press(question?.id ?? '', 'Reindex')
  expect(chat.visible().find(({ id }) => id === question?.id)?.text).toMatch(/Indexed again/)
})

it('a name that is markup is shown as it is, on receipts of others and in what is said of a file', async () => {
  const { ask, drop, texts } = await setUp()
  await drop(MARKUP, 'one', MALLORY)
  await drop('mine.md', 'one')
  await drop(MARKUP, 'two')
  expect((await ask(`forget ${MARKUP}`, { id: 'U-x', name: 'X' }))?.text).toMatch(/^Only/)
  expect((await ask(`download ${MARKUP}`))?.text).toMatch(/^Here is/)
  for (const text of texts()) {
    expect(text).not.toMatch(/(?<!\\)\[(?:press|win)/)
    expect(text).not.toContain('**M**')
  }
})

it('a name with line breaks, or that turns the direction of text, is shown on one line as it reads', async () => {
  const { ask, drop, texts } = await setUp()
  await drop('two\nlines\t.md', 'one')
  await drop('annual\u202Efdp.exe.md', 'two')
  await drop('\u200B .md', 'three')
  await drop('👩‍🚀 نام‌ها.md', 'four')
  await ask('files')
  for (const text of texts()) expect(text).not.toMatch(/two\n|[\t\u202E\u200B]|✅ \*\* /)
  for (const name of ['two lines .md', 'annualfdp.exe.md', '👩‍🚀 نام‌ها.md'])
    expect(texts().at(-1)).toContain(`**${name}**`)
})

it('names of one drop that differ only in how they are written down are two files', async () => {
  const { chat, platform, settled, texts } = await setUp()
  const names = ['Größe.md'.normalize('NFD'), 'Größe.md'.normalize('NFC'), 'a/b.md', 'a:b.md']
  await settled(chat.drop(names.map((name) => markdown(name, name))).inbound.key)
  expect(texts().at(-1)).not.toMatch(/replace/)
  const stored = platform.script.stored(platform.script.collections()[0] ?? '').map(({ name }) => name)
  expect(new Set(stored)).toEqual(new Set(['Größe.md', 'Größe (2).md', 'a_b.md', 'a_b (2).md']))
})

it('a markdown file whose name is written down otherwise in its collection is cited by its lines', async () => {
  const { drop, platform, chat, shows } = await setUp()
  await drop('what: when?.md', '# When\n\nAt nine.')
  platform.script.answer(cited('At nine', 'what_ when_.md', '# When\n\nAt nine.'))
  chat.mention('When?')
  const { outgoing } = await shows(/At nine/)
  expect(outgoing.references).toMatchObject([{ file: 'what: when?.md', place: 'L1-3' }])
})
