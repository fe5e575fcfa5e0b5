import { describe, expect, it } from 'vitest'
import { toParagraph, frontMatter, nameAfter } from '#bridge/files/saved-messages/note-markdown.ts'
import { notePayloadId } from '#bridge/files/saved-messages/save-note.ts'
import { cited, markdown, setUpBridge, until } from '#test/support/bridge/set-up.ts'

const BEN = { id: 'U2', name: 'Ben', language: 'en' } as const

async function start(options: Parameters<typeof setUpBridge>[0] = {}) {
  const all = await setUpBridge(options)
  const files = () => {
    const [collection = ''] = all.platform.script.collections()
    return all.platform.script
      .stored(collection)
      .map(({ name, bytes }) => ({ name, text: new TextDecoder().decode(bytes) }))
  }
  return { ...all, files }
}

it('a thread that is kept by a message with a file becomes a file beside that one', async () => {
  const { chat, shows, files, texts } = await start()
  chat.say('The boiler code is 4711.', { thread: 't1', author: BEN })
  chat.mention('keep thread', { thread: 't1', files: [markdown('report.md', 'Report')] })
  await shows(/report\.md[^]*ready[^]*ready/)
  expect(files()).toHaveLength(2)
  expect(texts().join('\n')).not.toContain('switched off')
})

describe('📌 on a message', () => {
  it('makes it a dated file with name, time and link, with a receipt', async () => {
    const { chat, shows, files, store } = await start()
    const said = chat.say('The *boiler* code is 4711.', { author: BEN })
    chat.pin(said.id)
    await shows(/boiler code is 4711.*ready/)
    expect(files()).toEqual([
      {
        name: '2026-01-01 The boiler code is 4711.md',
        text: expect.stringMatching(
          /^---\ntitle: "Ben, 2026-01-01"\nauthor: "Ben"\ndate: "2026-01-01T.*"\nlink: "https:\/\/chat.example\/C1\/m1"\nfiled-by: "Anna"\n---\n\n# Ben, 2026-01-01\n\n\*\*Ben\*\* · 2026-01-01 00:00 UTC · \[message\]\(https.*\)\n\nThe \*boiler\* code is 4711\.\n/,
        ),
      },
    ])
    const [entry] = await store().files.ofJob('fake:pin:1')
    expect(entry).toMatchObject({ messageId: said.id, droppedBy: 'U1' })
  })

  it('again is a new version of the same file, whatever was edited', async () => {
    const { chat, shows, files, settled } = await start()
    const said = chat.say('The boiler code is 4711.', { author: BEN })
    await settled(chat.pin(said.id).inbound.key)
    chat.rewrite(said, 'The code of the boiler is 4712.')
    await settled(chat.pin(said.id, BEN).inbound.key)
    await shows(/ready.*replaces/)
    expect(files()).toHaveLength(1)
    expect(files()[0]).toMatchObject({
      name: '2026-01-01 The boiler code is 4711.md',
      text: expect.stringContaining('4712'),
    })
  })

  it('on an answer of ours keeps question, answer and sources', async () => {
    const { chat, platform, shows, files } = await start()
    chat.drop([markdown('leave.md', '30 days of leave.')])
    await shows(/leave.*ready/)
    platform.script.answer(cited('Thirty days.', 'leave.md', '30 days of leave.'))
    chat.mention('How many days of leave are there?', { thread: 't1' })
    const answer = await shows(/Thirty/)
    chat.pin(answer.id)
    await shows(/How many days of leave.*ready/)
    expect(files()[1]?.text).toMatch(
      /# How many days of leave are there\?\n\n\*\*Footbridge\*\* · .*\n\nThirty days\. \[1\]\n\n- \[1\] leave\.md/,
    )
  })

  it('with nothing to read, or where nothing is collected, says so to who put it', async () => {
    const { chat, shows, platform } = await start()
    const said = chat.say(' ', { author: BEN })
    chat.pin(said.id)
    expect((await shows(/find nothing here/)).outgoing.privateTo).toBe('U1')
    chat.mention('files off')
    await shows(/leave files in this channel alone/)
    chat.pin(chat.say('Words.').id)
    expect((await shows(/I do not collect files/)).outgoing.privateTo).toBe('U1')
    expect(platform.script.collections()).toEqual([])
  })

  it('goes with the message when that is deleted', async () => {
    const { chat, settled, files, shows } = await start()
    const said = chat.say('The boiler code is 4711.', { author: BEN })
    chat.pin(said.id)
    await shows(/4711.*ready/)
    const gone = chat.unsay(said)
    await settled(gone.inbound.key)
    expect(files()).toEqual([])
    await shows(/4711.*removed/)
  })

  it('survives a restart between the press and the file', async () => {
    const { chat, platform, shows, files, restart } = await start()
    platform.script.slowIndex()
    chat.pin(chat.say('The boiler code is 4711.', { author: BEN }).id)
    await until(() => platform.script.calls.some(({ call }) => call === 'collections.generateIndex'))
    await restart()
    platform.script.finishIndex(platform.script.collections()[0] ?? '')
    await shows(/4711.*ready/)
    expect(files()).toHaveLength(1)
  })
})

describe('a thread', () => {
  it('becomes a file in the order in which it was said, our answers among it; again: a new version', async () => {
    const { chat, platform, shows, settled, files } = await start()
    chat.say('Who has the boiler code?', { thread: 't1' })
    chat.say('It is 4711.', { thread: 't1', author: BEN })
    platform.script.answer('Glad to help.')
    await settled(chat.mention('Did you hear that?', { thread: 't1' }).inbound.key)
    await settled(chat.mention('keep thread', { thread: 't1' }).inbound.key)
    await shows(/Who has the boiler code.*ready/)
    const [file] = files()
    expect(file?.name).toBe('2026-01-01 Who has the boiler code.md')
    expect(file?.text).toMatch(
      /people: "Anna, Ben, Footbridge"[^]*# Conversation of 2026-01-01: Who has[^]*Anna[^]*4711[^]*Did you hear[^]*Glad to help/,
    )
    expect(file?.text).not.toContain('keep thread')
    chat.say('Now it is 4712.', { thread: 't1', author: BEN, mentionsOthers: true })
    await settled(chat.mention('file this', { thread: 't1' }).inbound.key)
    await shows(/ready.*replaces/)
    expect(files()).toHaveLength(1)
    expect(files()[0]?.text).toContain('4712')
  })

  it('that is forgotten leaves the text of no version', async () => {
    const { chat, shows, settled, store } = await start()
    chat.say('The boiler code is 4711.', { thread: 't1', author: BEN })
    await settled(chat.mention('keep thread', { thread: 't1' }).inbound.key)
    chat.say('Now it is 4712.', { thread: 't1', author: BEN, mentionsOthers: true })
    await settled(chat.mention('keep thread', { thread: 't1' }).inbound.key)
    await shows(/ready.*replaces/)
    const notes = async () => {
      const [collection = ''] = (await store().channels.ofWorkspace('fake', 'W1')).map((each) => each.collection)
      const ids = (await store().files.ofCollection(collection)).map(
        ({ attachment }) => attachment && notePayloadId(attachment),
      )
      return Promise.all(ids.map(async (id) => (id === undefined ? undefined : store().buttonPayloads.get(id))))
    }
    expect((await notes()).map((note) => note === undefined)).toEqual([false, false])
    await settled(chat.mention('forget 2026-01-01 The boiler code is 4711').inbound.key)
    const { id } = await shows(/Forget|Shall/)
    await settled(chat.press(id, 'Forget it').inbound.key)
    expect(await notes()).toEqual([undefined, undefined])
  })

  it('is a message where the words answer one, and needs one of both', async () => {
    const { chat, shows, files } = await start()
    const said = chat.say('The boiler code is 4711.', { author: BEN })
    chat.mention('file this', { replyTo: said.id })
    await shows(/4711.*ready/)
    expect(files()).toHaveLength(1)
    chat.mention('keep thread')
    await shows(/put 📌 on a message/)
  })
})

describe('what is written into a file', () => {
  it('keeps names and titles to their line, whatever stands in them', () => {
    expect(frontMatter({ title: 'a\n---\nb: "c"', none: undefined })).toBe('---\ntitle: "a\\n---\\nb: \\"c\\""\n---\n')
    const said = { name: 'A\n# B', at: '2026-11-21T09:40:12.000Z', text: ' x ' }
    expect(toParagraph(said, { message: 'message' })).toBe('**A # B** · 2026-11-21 09:40 UTC\n\nx\n')
    expect(nameAfter('2026-11-21T09:40:12.000Z', '  ')).toBe('2026-11-21')
  })
})
