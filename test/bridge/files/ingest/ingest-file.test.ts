import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { AdapterError, StoreUnavailableError } from '#bridge/port/errors.ts'
import { cited, markdown, setUpBridge, until } from '#test/support/bridge/set-up.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'

const EXPLAINED =
  '\n\n_I read the files that are dropped here and answer questions about them. Whoever can read here can ask._'

describe('a dropped file', () => {
  it('becomes the knowledge of its channel, with one receipt that follows it to ready', async () => {
    const { chat, platform, shows, texts } = await setUpBridge()
    const release = platform.script.hold('collections.generateIndex')
    chat.drop([markdown('handbook.md', '# Leave')])
    await until(() => texts()[0]?.includes('indexing'), texts)
    release()
    const receipt = await shows(/ready/)
    expect(receipt.text).toBe(`✅ **handbook.md** — ready${EXPLAINED}`)
    expect(receipt.outgoing).toMatchObject({ kind: 'receipt', receipt: [{ file: 'handbook.md', state: 'ready' }] })
    expect(texts()).toHaveLength(1)
    const [collection = ''] = platform.script.collections()
    expect(new TextDecoder().decode(platform.script.stored(collection)[0]?.bytes)).toBe('# Leave')
  })

  it('goes on when the database is back, and is not called failed meanwhile', async () => {
    const { chat, platform, shows } = await setUpBridge()
    platform.script.fail('files.upload', new StoreUnavailableError('The database is away.'))
    chat.drop([markdown('handbook.md', '# Leave')])
    await shows(/ready/)
    const states = chat.transcript.flatMap(({ outgoing }) => outgoing?.receipt ?? []).map(({ state }) => state)
    expect(states).not.toContain('failed')
  })

  it('is called too large only where it is: any other error of a range is ours', async () => {
    const { chat, platform, shows } = await setUpBridge()
    platform.script.fail('files.upload', new RangeError('Invalid time value'))
    chat.drop([markdown('handbook.md', '# Leave')])
    expect((await shows(/handbook\.md.*failed/)).text).not.toContain('MB')
    const code = 'ERR_STRING_TOO_LONG'
    platform.script.fail('files.upload', Object.assign(new Error('Cannot create a string longer'), { code }))
    chat.drop([markdown('large.md', '# Leave')])
    expect((await shows(/large\.md.*failed/)).text).toContain('MB')
  })

  it('is explained once a channel, with a switch that turns collecting off, and another that turns it on', async () => {
    const { chat, shows, texts, settled, platform } = await setUpBridge()
    chat.drop([markdown('a.md', 'a')])
    const first = await shows(/a\.md.*ready/)
    chat.drop([markdown('b.md', 'b')])
    const second = await shows(/b\.md.*ready/)
    expect(second.text).toBe('✅ **b.md** — ready')
    chat.press(first.id, "Don't collect files here")
    await shows(/From now on I leave files/)
    const ignored = chat.drop([markdown('c.md', 'c')])
    await settled(ignored.inbound.key)
    expect(texts()).toHaveLength(3)
    chat.mention('', { files: [markdown('d.md', 'd')] })
    await shows(/I do not collect files in this channel/)
    chat.mention('files on')
    await shows(/^From now on I collect/)
    chat.drop([markdown('e.md', 'e')])
    await shows(/e\.md.*ready/)
    const [collection = ''] = platform.script.collections()
    expect(platform.script.stored(collection).map(({ name }) => name)).toEqual(['a.md', 'b.md', 'e.md'])
  })

  it('is taken or left alone as collecting stood when it was dropped, though its turn comes after the switch', async () => {
    const { chat, shows, texts, settled, platform } = await setUpBridge()
    const { id: thread } = chat.mention('A question?')
    await until(() => texts().length > 0)
    const dropBefore = async (name: string, command: string) => {
      const release = platform.script.hold('chat.stream')
      chat.mention('Another question?', { thread })
      const dropped = chat.drop([markdown(`${name}.md`, name)], { thread })
      await dropped.taken
      // Two events of one millisecond have no order.
      await sleep(5)
      const switched = chat.mention(command)
      await settled(switched.inbound.key)
      release()
      await settled(dropped.inbound.key)
    }
    await dropBefore('a', 'files off')
    await shows(/a\.md.*ready/)
    await settled(chat.mention('files off').inbound.key)
    await dropBefore('b', 'files on')
    chat.drop([markdown('c.md', 'c')])
    await shows(/c\.md.*ready/)
    const [collection = ''] = platform.script.collections()
    expect(platform.script.stored(collection).map(({ name }) => name)).toEqual(['a.md', 'c.md'])
  })

  it('is explained once although two first drops come at the same time', async () => {
    const { chat, shows, texts } = await setUpBridge()
    chat.drop([markdown('a.md', 'a')])
    chat.drop([markdown('b.md', 'b')])
    await shows(/a\.md.*ready/)
    await shows(/b\.md.*ready/)
    chat.drop([markdown('c.md', 'c')])
    await shows(/c\.md.*ready/)
    expect(texts().filter((text) => text.includes('I read the files that are dropped'))).toHaveLength(1)
  })

  it('that was begun before collecting was turned off is brought to its end after a restart', async () => {
    const { chat, platform, shows, texts, restart } = await setUpBridge()
    const release = platform.script.hold('collections.generateIndex')
    chat.drop([markdown('a.md', 'a')])
    await until(() => platform.script.calls.some(({ call }) => call === 'collections.generateIndex'))
    chat.mention('files off')
    await shows(/From now on I leave files/)
    await restart()
    release()
    await shows(/a\.md.*ready/)
    expect(texts()).toHaveLength(2)
  })

  it('among several has one receipt and one index pass with them', async () => {
    const { chat, platform, shows } = await setUpBridge()
    platform.script.breakFile('b.md', 'It is encrypted: drop it without a password.')
    chat.drop([
      markdown('a.md', 'a'),
      markdown('b.md', 'b'),
      { ...markdown('c.exe', 'MZ'), mimeType: 'application/x-msdownload' },
      markdown('d.md', ''),
    ])
    const receipt = await shows(/a\.md.*ready/)
    expect(receipt.text.replace(EXPLAINED, '').split('  \n')).toEqual([
      '✅ **a.md** — ready',
      '⚠️ **b.md** — failed. It is encrypted: drop it without a password.',
      '⚠️ **c.exe** — failed. I can’t read this kind of file. I take PDF, text, markdown, Office, EPUB, HTML, mail and CSV files: export it as one of these and drop that.',
      '⚠️ **d.md** — failed. The file is empty. Check it and drop it again.',
    ])
    expect(platform.script.calls.filter(({ call }) => call === 'collections.generateIndex')).toHaveLength(1)
  })

  it.each([
    ['Export.zip', 'I don’t open archives: unpack it and drop the files that are in it.'],
    ['Plan.gdoc', 'This file is only a link to a document: export the document as DOCX or PDF and drop that.'],
    ['Plan.pages', 'I can’t read this kind of file: save it as DOCX or PDF and drop that.'],
  ])('that is not read says what to drop: %s', async (name, says) => {
    const { chat, shows } = await setUpBridge()
    chat.drop([{ ...markdown(name, '{}'), mimeType: 'application/octet-stream' }])
    const receipt = await shows(new RegExp(RegExp.escape(name)))
    expect(receipt.text).toContain(says)
  })

  it('of the same name replaces the earlier one, and the same bytes again are not taken in twice', async () => {
    const { chat, platform, shows } = await setUpBridge()
    chat.drop([markdown('a.md', 'one')])
    await shows(/a\.md.*ready/)
    chat.drop([markdown('a.md', 'two')])
    await shows(/ready \(replaces version 1 of 1 Jan by Anna\)/)
    chat.drop([markdown('a.md', 'two')])
    await shows(/the same file was here already/)
    const [collection = ''] = platform.script.collections()
    const [stored, ...more] = platform.script.stored(collection)
    expect(more).toEqual([])
    expect(new TextDecoder().decode(stored?.bytes)).toBe('two')
    expect(platform.script.calls.filter(({ call }) => call.startsWith('files.re'))).toHaveLength(1)
  })

  it('that is too large, gone or refused says why, with one line in the log', async () => {
    const { chat, platform, shows, log, settled } = await setUpBridge()
    chat.drop([markdown('large.md', 'x'.repeat(1001))])
    await shows(/large\.md.*larger than 0 MB/)
    chat.fail('open', new AdapterError('not-found', 'It was deleted.'))
    chat.drop([markdown('gone.md', 'x')])
    await shows(/gone\.md.*Could not be downloaded\. It was deleted\./)
    platform.script.fail('files.upload', platformFailure('unsupported', 'This is no markdown.'))
    chat.drop([markdown('odd.md', 'x')])
    await shows(/odd\.md.*failed\. This is no markdown\./)
    platform.script.fail('files.list', platformFailure('unauthorized'))
    const last = chat.drop([markdown('key.md', 'x')])
    await shows(/key\.md.*refuses my key/)
    await settled(last.inbound.key)
    expect(log.at('warn')).toHaveLength(4)
  })

  it('with a question beside it is taken in first, then the question answered from it', async () => {
    const { chat, platform, shows } = await setUpBridge()
    platform.script.answer(cited('It is about leave.', 'a.md', 'Leave'))
    chat.mention('Which leave do we have?', { files: [markdown('a.md', 'Leave')] })
    await shows(/about leave/)
    expect(platform.script.requests[0]?.collection).toBeDefined()
  })

  it('of an office kind is converted by the platform, which is asked for markdown', async () => {
    const { chat, platform, shows } = await setUpBridge()
    chat.drop([{ name: 'plan.docx', bytes: new Uint8Array([80, 75, 3, 4]), mimeType: '' }])
    await shows(/plan\.docx.*ready/)
    const [collection = ''] = platform.script.collections()
    expect(platform.script.stored(collection).map(({ name }) => name)).toEqual(['plan.docx.md'])
  })

  it('beside another of the same name becomes a file of its own', async () => {
    const { chat, platform, shows } = await setUpBridge()
    chat.drop([markdown('a.md', 'one'), markdown('a.md', 'two')])
    expect((await shows(/a \(2\)\.md.*ready/)).text).toContain('**a.md** — ready')
    const [collection = ''] = platform.script.collections()
    const names = platform.script.stored(collection).map(({ name }) => name)
    expect(names.toSorted()).toEqual(['a (2).md', 'a.md'])
  })

  it('goes with the message that dropped it', async () => {
    const { chat, platform, shows, texts } = await setUpBridge()
    const dropped = chat.drop([markdown('a.md', 'a')])
    await shows(/ready/)
    chat.unsay(dropped)
    await until(() => texts().length === 0)
    const [collection = ''] = platform.script.collections()
    expect(platform.script.stored(collection)).toEqual([])
  })

  it.each(['files.list', 'files.upload', 'collections.create', 'collections.generateIndex'] as const)(
    'cut off by a restart at %s is ready in the end, on the same receipt',
    async (call) => {
      const { chat, platform, shows, texts, restart } = await setUpBridge()
      const release = platform.script.hold(call)
      chat.drop([markdown('a.md', 'a')])
      await until(() => platform.script.calls.some((each) => each.call === call))
      await restart()
      release()
      await shows(/a\.md.*ready/)
      expect(texts()).toHaveLength(1)
      expect(texts()[0]).not.toContain('replaces')
    },
  )
})

describe('a voice note', () => {
  const memo = new Uint8Array([1, 2, 3])

  it('is heard, shown as a quote, and answered', async () => {
    const { chat, platform, shows, texts } = await setUpBridge()
    chat.drop([markdown('handbook.md', 'x')])
    await shows(/ready/)
    platform.script.transcribe('How many days of leave?')
    platform.script.answer(cited('Thirty.', 'handbook.md', 'x'))
    chat.voice(memo, { addressed: false })
    await shows(/Thirty/)
    expect(texts().slice(1)).toEqual(['🎙️ “How many days of leave?”', 'Thirty. [1]'])
    expect(platform.script.recordings).toMatchObject([{ name: 'voice-message.ogg', prompt: 'handbook, Anna' }])
    expect(platform.script.requests[0]?.messages.at(-1)?.content).toBe('How many days of leave?')
  })

  it('without words, or without anybody who can hear, gets a sentence', async () => {
    const { chat, platform, shows, texts, settled, log } = await setUpBridge()
    platform.script.transcribe('  ')
    chat.voice(memo)
    await shows(/could not hear any words/)
    platform.script.fail(
      'voice.transcribe',
      platformFailure('unsupported', 'No speech model is set (UPSTREAM_BASE_URL).'),
    )
    const last = chat.voice(memo)
    await shows(/could not turn this recording into text\.$/)
    await settled(last.inbound.key)
    expect(texts()).toHaveLength(2)
    expect(log.at('warn')).toHaveLength(1)
  })

  it('heard before a restart is not heard twice', async () => {
    const { chat, platform, shows, texts, restart } = await setUpBridge()
    platform.script.transcribe('Capital of France?')
    platform.script.answer([new Promise(() => {})], 'Paris.')
    chat.voice(memo)
    await until(() => platform.script.requests.length === 1)
    await restart()
    await shows(/Paris/)
    expect(texts()[0]).toBe('🎙️ “Capital of France?”')
    expect(texts()).toHaveLength(2)
    expect(platform.script.recordings).toHaveLength(1)
    expect(platform.script.requests[1]?.messages.at(-1)?.content).toBe('Capital of France?')
  })
})

describe('in German', () => {
  it('people are answered in German', async () => {
    const { chat, shows } = await setUpBridge()
    chat.drop([markdown('a.md', 'a')], { author: { id: 'U2', name: 'Ben', language: 'de-CH' } })
    expect((await shows(/bereit/)).text).toContain('Ich lese die Dateien')
  })
})
