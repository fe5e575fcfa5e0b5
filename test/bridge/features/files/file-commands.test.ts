import { describe, expect, it } from 'vitest'
import { AdapterError } from '#bridge/port/errors.ts'
import type { FakeAdapterOptions } from '#test/support/fakes/adapter.ts'
import { markdown, setUpBridge, until } from '#test/support/bridge/set-up.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'

const ADA = { id: 'U-ada', name: 'Ada' }
const BEN = { id: 'U-ben', name: 'Ben' }

async function setUp(options: FakeAdapterOptions = {}) {
  const all = await setUpBridge(options)
  const stored = () => {
    const [collection = ''] = all.platform.script.collections()
    return all.platform.script.stored(collection).map(({ name }) => name)
  }
  const ask = async (text: string, author = ADA) => {
    const said = all.chat.mention(text, { author })
    expect(await all.settled(said.inbound.key)).toMatchObject({ state: 'done' })
    return all.chat.visible().findLast(({ outgoing }) => outgoing.replyTo === said.id)
  }
  const pressed = async (id: string, label: string, author = ADA) => {
    const said = all.chat.press(id, label, author)
    expect(await all.settled(said.inbound.key)).toMatchObject({ state: 'done' })
  }
  const textOf = (id: string) => all.chat.visible().find((shown) => shown.id === id)?.text
  const drop = async (name: string, text: string, author = ADA) => {
    const said = all.chat.drop([markdown(name, text)], { author })
    expect(await all.settled(said.inbound.key)).toMatchObject({ state: 'done' })
    return said
  }
  return { ...all, stored, ask, pressed, textOf, drop }
}

describe('files', () => {
  it('lists state, version, size, who dropped it and when, and why it failed', async () => {
    const { ask, drop, platform } = await setUp()
    expect((await ask('files'))?.text).toMatch(/^No file is here yet/)
    await drop('plan.md', 'one')
    await drop('plan.md', 'two and more', BEN)
    platform.script.breakFile('bad.md', 'It is damaged.')
    await drop('bad.md', 'x')
    await drop('copy.md', 'two and more')
    expect((await ask('Files'))?.text).toBe(
      [
        '**2 files**',
        '',
        '- ⚠️ **bad.md** — 1 byte · Ada, 1 Jan · failed. It is damaged.',
        '- ✅ **plan.md** — version 2 · ready · 12 bytes · Ben, 1 Jan',
      ].join('\n'),
    )
  })

  it('of hundreds are shown in pages, in one message', async () => {
    const { ask, chat, settled, pressed, textOf, texts } = await setUp()
    const many = Array.from({ length: 30 }, (_, index) => markdown(`${'long name '.repeat(12)}${index}.md`, `${index}`))
    await settled(chat.drop(many, { author: ADA }).inbound.key)
    const list = await ask('dateien', { ...ADA, language: 'de' } as typeof ADA)
    const id = list?.id ?? ''
    expect(list?.text).toMatch(/^\*\*30 Dateien\*\*, Seite 1 von 3/)
    expect(list?.text.split('\n- ')).toHaveLength(13)
    expect(list?.text.length).toBeLessThanOrEqual(2000)
    const before = texts().length
    await pressed(id, 'Nächste Seite')
    expect(textOf(id)).toMatch(/page 2 of 3/)
    await pressed(id, 'Next page')
    expect(textOf(id)?.split('\n- ')).toHaveLength(7)
    await pressed(id, 'Previous page')
    expect(textOf(id)).toMatch(/page 2 of 3/)
    expect(texts()).toHaveLength(before)
  })
})

describe('forget', () => {
  it('takes a file out with all versions, once confirmed, and the receipts say so', async () => {
    const { ask, chat, drop, pressed, stored, textOf, store, texts } = await setUp()
    chat.room('C1', { admins: [BEN.id] })
    await drop('Plan.md', 'one')
    await drop('Plan.md', 'two', BEN)
    await drop('other.md', 'two')
    await drop('third.md', 'three')
    const question = await ask('forget plan', BEN)
    expect(question?.text).toMatch(/^Forget \*\*Plan\.md\*\* with its 2 versions, dropped by Ben\?/)
    await pressed(question?.id ?? '', 'Forget it', BEN)
    expect(stored()).toEqual(['third.md'])
    expect(textOf(question?.id ?? '')).toBe('**Plan.md** is forgotten: it is out of the collection.')
    expect(
      texts()
        .slice(0, 3)
        .join('\n')
        .match(/🗑️ \*\*.*\*\* — removed by Ben/g),
    ).toHaveLength(3)
    const [collection = ''] = await store().originals.collections()
    expect(await store().originals.list(collection)).toHaveLength(1)
  })

  it('is for who dropped it and who administers, and can be thought better of', async () => {
    const { ask, chat, drop, pressed, stored, textOf, texts } = await setUp()
    await drop('a.md', 'one')
    expect((await ask('vergiss a.md', BEN))?.text).toMatch(/^Das kann nur, wer die Datei abgelegt hat \(Ada\)/)
    const question = await ask('forget A.MD')
    const id = question?.id ?? ''
    await pressed(id, 'Forget it', BEN)
    expect(texts().at(-1)).toMatch(/^Only Ada/)
    await pressed(id, 'Keep it')
    expect(textOf(id)).toBe('**a.md** stays.')
    expect(stored()).toEqual(['a.md'])
    chat.room('C1', { admins: [BEN.id] })
    const again = await ask('forget a.md', BEN)
    await pressed(again?.id ?? '', 'Forget it', BEN)
    expect(stored()).toEqual([])
  })

  it('takes no version of somebody else along with the own one', async () => {
    const { ask, drop, stored } = await setUp()
    await drop('plan.md', 'the one of Ada')
    await drop('plan.md', 'the one of Ben', BEN)
    const refused = await ask('forget plan.md', BEN)
    expect(refused?.text).toMatch(/^Only Ada, who dropped it/)
    expect(refused?.outgoing.actions ?? []).toEqual([])
    expect(stored()).toEqual(['plan.md'])
  })

  it('of an unknown name tells the closest ones, and of half a name which files it fits', async () => {
    const { ask, drop } = await setUp()
    await drop('handbook.md', 'one')
    await drop('plan.md', 'two')
    await drop('plan.txt', 'three')
    expect((await ask('forget handbok.md'))?.text).toBe(
      'There is no file “handbok.md” here. Did you mean **handbook.md**?',
    )
    expect((await ask('forget plan'))?.text).toMatch(/fits several files: \*\*plan\.txt\*\*, \*\*plan\.md\*\*/)
    expect((await ask('forget zebra'))?.text).toMatch(/`files` lists what there is/)
  })

  it('goes on after a restart, and says so when the platform is away', async () => {
    const { ask, chat, drop, platform, pressed, restart, settled, stored, textOf, texts } = await setUp()
    await drop('a.md', 'one')
    const question = await ask('forget a.md')
    const id = question?.id ?? ''
    platform.script.fail('files.delete', platformFailure('unreachable'))
    await pressed(id, 'Forget it')
    expect(texts().at(-1)).toMatch(/could not be removed: I can’t reach the platform/)
    const release = platform.script.hold('files.delete')
    const press = chat.press(id, 'Forget it', ADA)
    await until(() => platform.script.calls.filter(({ call }) => call === 'files.delete').length === 2)
    await restart()
    release()
    await settled(press.inbound.key)
    expect(stored()).toEqual([])
    expect(textOf(id)).toMatch(/is forgotten/)
  })
})

describe('forget while the same name is dropped again', () => {
  it.each([0, 1])('leaves nothing behind, whatever comes first (%i waits)', async (waiting) => {
    const { ask, chat, drop, platform, settled, shows, stored, textOf, texts } = await setUp()
    await drop('a.md', 'one')
    const question = await ask('forget a.md')
    const release = platform.script.hold('files.list')
    const drops = [chat.drop([markdown('a.md', 'two')], { author: ADA })]
    if (waiting > 0) drops.push(chat.drop([markdown('a.md', 'three')], { author: ADA }))
    await shows(/uploading/)
    const press = chat.press(question?.id ?? '', 'Forget it', ADA)
    await press.taken
    release()
    await settled(press.inbound.key)
    expect(textOf(question?.id ?? '')).toMatch(/is forgotten/)
    for (const said of drops) await settled(said.inbound.key)
    expect(stored()).toEqual([])
    expect(texts().filter((text) => text.includes('ready'))).toEqual([])
  })
})

describe('retry in words', () => {
  it('does not say of a file that can only fail that it has not', async () => {
    const { ask, drop } = await setUp()
    await drop('empty.md', '')
    expect((await ask('retry empty.md'))?.text).toMatch(/^\*\*empty\.md\*\* would fail again/)
  })

  it('tries again what failed, on the receipts where it was dropped', async () => {
    const { ask, chat, drop, textOf, stored } = await setUp()
    expect((await ask('retry'))?.text).toBe('No file here has failed.')
    chat.fail('open', new AdapterError('not-found', 'Gone.'), { times: 2 })
    await drop('a.md', 'a')
    await drop('b.md', 'b')
    await drop('c.md', 'c')
    expect((await ask('retry c.md'))?.text).toMatch(/^\*\*c\.md\*\* has not failed/)
    expect((await ask('retry a.md'))?.text).toMatch(/^I am trying it again/)
    expect(stored()).toEqual(['c.md', 'a.md'])
    await ask('retry')
    expect(stored()).toEqual(['c.md', 'a.md', 'b.md'])
    const receipts = chat.visible().filter(({ outgoing }) => outgoing.kind === 'receipt')
    expect(receipts.map(({ id }) => textOf(id)?.includes('ready'))).toEqual([true, true, true])
  })
})

describe('download', () => {
  it('hands a file out as it was dropped, to the one who asks', async () => {
    const { ask, chat, settled } = await setUp()
    const docx = { name: 'plan.docx', bytes: new Uint8Array([80, 75, 3, 4]), mimeType: 'application/msword' }
    await settled(chat.drop([docx], { author: ADA }).inbound.key)
    const shown = await ask('download plan', BEN)
    expect(shown?.outgoing).toMatchObject({ text: 'Here is **plan.docx**.', privateTo: BEN.id })
    expect(chat.uploads.get(shown?.id ?? '')).toEqual(docx)
  })

  it('says why it can’t', async () => {
    const { ask, chat, drop } = await setUp()
    await drop('a.md', 'a')
    chat.fail('upload', new AdapterError('invalid', 'It is larger than this service takes.'))
    expect((await ask('download a.md'))?.text).toBe('**a.md** can’t be sent: It is larger than this service takes.')
  })

  it('names the file once where its bytes are not kept any more', async () => {
    const { ask, chat, settled, store } = await setUp()
    const { inbound } = chat.drop(
      [{ name: 'plan.docx', bytes: new Uint8Array([80, 75]), mimeType: 'application/msword' }],
      { author: ADA },
    )
    await settled(inbound.key)
    for (const file of await store().files.ofJob(inbound.key))
      await store().files.put({ ...file, attachment: undefined, sha256: undefined })
    expect((await ask('download plan'))?.text).toBe('**plan.docx** can’t be sent: I no longer have it. Drop it again.')
  })

  it('means the version that stands, not a later drop of the name that failed', async () => {
    const { ask, chat, drop, settled, textOf } = await setUp()
    await drop('a.md', 'a')
    const failed = chat.drop([markdown('a.md', 'x'.repeat(5000))], { author: ADA })
    await settled(failed.inbound.key)
    const shown = await ask('download a.md')
    expect(textOf(shown?.id ?? '')).toBe('Here is **a.md**.')
    expect(chat.uploads.get(shown?.id ?? '')?.bytes).toHaveLength(1)
  })

  it('points to the message where the chat takes no files', async () => {
    const { ask, drop } = await setUp({ without: ['upload'] })
    const said = await drop('a.md', 'a')
    expect((await ask('download a.md'))?.text).toBe(
      `I can’t send files in this chat. **a.md** was dropped here: https://chat.example/C1/${said.id}`,
    )
  })
})

describe('reindex', () => {
  it('indexes everything anew, once somebody who administers confirms', async () => {
    const { ask, chat, drop, platform, pressed, textOf } = await setUp()
    await drop('a.md', 'a')
    await drop('b.md', 'b')
    expect((await ask('reindex'))?.text).toBe('Only somebody who administers this channel can do that.')
    chat.room('C1', { admins: [ADA.id] })
    const question = await ask('reindex')
    expect(question?.text).toMatch(/^Index all 2 files of this channel again\?/)
    platform.script.breakFile('b.md', 'It is damaged.')
    await pressed(question?.id ?? '', 'Reindex')
    expect(textOf(question?.id ?? '')).toMatch(/^⚠️ Indexed again: 1 ready; not ready: \*\*b\.md\*\*/)
    expect(platform.script.calls.map(({ call }) => call)).toContain('collections.deleteIndex')
    expect(chat.visible()[1]?.text).toMatch(/b\.md.*failed\. It is damaged/)
  })

  it('says so when the platform does not answer', async () => {
    const { ask, chat, drop, platform, pressed, textOf } = await setUp()
    chat.room('C1', { admins: [ADA.id] })
    await drop('a.md', 'a')
    const question = await ask('reindex')
    platform.script.fail('collections.generateIndex', platformFailure('unauthorized'))
    await pressed(question?.id ?? '', 'Reindex')
    expect(textOf(question?.id ?? '')).toMatch(
      /^The files could not be indexed again: The platform with your files refuses my key/,
    )
  })
})

it('where nothing can be edited the end of a reindex is told, and no progress that would stand there for ever', async () => {
  const { chat, settled, shows, texts } = await setUpBridge({ without: ['edit'] })
  chat.room('C1', { admins: [ADA.id] })
  await settled(chat.drop([markdown('a.md', 'one')]).inbound.key)
  await settled(chat.mention('reindex', { author: ADA }).inbound.key)
  const question = await shows(/again\?/)
  await settled(chat.press(question.id, 'Reindex', ADA).inbound.key)
  expect(texts().at(-1)).toMatch(/Indexed again: 1 file ready/)
})

it('what became too large since it was dropped is not handed out, and why is said', async () => {
  const { chat, settled, shows } = await setUpBridge()
  const big = markdown('big.md', 'x'.repeat(5000))
  await settled(chat.drop([big]).inbound.key)
  expect(await settled(chat.mention('download big.md').inbound.key)).toMatchObject({ state: 'done' })
  await shows(/can’t be sent: .*larger than/)
  expect(chat.uploads.size).toBe(0)
})
