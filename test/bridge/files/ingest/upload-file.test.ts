import { describe, expect, it } from 'vitest'
import { cited, setUpBridge } from '#test/support/bridge/set-up.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('a text that is no .txt', () => {
  it.each([
    ['config.json', 'application/json', 'config.json.txt'],
    ['server.log', 'text/plain', 'server.log.txt'],
    ['README', 'text/plain', 'README.txt'],
    ['notes.MD', 'text/markdown', 'notes.MD'],
    ['handbook', 'application/pdf', 'handbook.pdf'],
  ])('%s (%s) goes up under a name that a collection takes: %s', async (name, mimeType, stored) => {
    const { chat, platform, shows } = await setUpBridge()
    chat.drop([{ name, bytes: bytes('The lamp burns until five.'), mimeType }])
    const { text } = await shows(/ready/)
    expect(text).toContain(`**${name}**`)
    const [collection = ''] = platform.script.collections()
    expect(platform.script.stored(collection).map((file) => file.name)).toEqual([stored])
  })

  it('is cited by the name that people know, with its lines', async () => {
    const { chat, platform, shows } = await setUpBridge()
    const text = 'lamp: 1000 watt\nburns: until five in the morning\n'
    chat.drop([{ name: 'lamp.yaml', bytes: bytes(text), mimeType: 'text/yaml' }])
    await shows(/ready/)
    platform.script.answer(cited('Until five', 'lamp.yaml.txt', text))
    chat.mention('How long does the lamp burn?')
    const { outgoing } = await shows(/Until five/)
    expect(outgoing.references).toMatchObject([{ file: 'lamp.yaml', place: 'L1-2' }])
  })
})

describe('a file that the platform can never take', () => {
  it('has no button for another try', async () => {
    const { chat, platform, shows } = await setUpBridge()
    const failure = platformFailure('unsupported', 'The DOCX is damaged.', { status: 415 })
    platform.script.fail('documents.convert', failure)
    chat.drop([{ name: 'broken.docx', bytes: bytes('nothing'), mimeType: '' }])
    const { text, outgoing } = await shows(/failed/)
    expect(text).toContain('The DOCX is damaged')
    expect(outgoing.actions?.map(({ label }) => label)).not.toContain('Retry')
  })
})

describe('a document of which not all was read', () => {
  it('is ready, and its receipt says what is missing', async () => {
    const { chat, platform, shows } = await setUpBridge()
    const note = 'Text in a picture could not be read in the time allowed.'
    platform.script.convert({ markdown: `# Rules of the harbour\n\n*${note}*`, note })
    chat.drop([{ name: 'rules.docx', bytes: bytes('docx'), mimeType: '' }])
    expect((await shows(/ready/)).text).toContain(`✅ **rules.docx** — ready (${note})`)
  })

  it('is a failure where it is a picture without its words, and the receipt says why', async () => {
    const { chat, platform, shows } = await setUpBridge()
    const note = 'Text in the picture could not be read in the time allowed: send it again, smaller.'
    platform.script.convert({ markdown: `PNG image, 640 × 480 pixels\n\n*${note}*`, note })
    chat.drop([{ name: 'sign.png', bytes: bytes('png'), mimeType: 'image/png' }])
    expect((await shows(/failed/)).text).toContain(`**sign.png** — failed. ${note}`)
  })
})

describe('a file that comes while its collection is indexed', () => {
  it('waits for the end of the pass, and is converted once', async () => {
    const { chat, platform, shows } = await setUpBridge()
    const locked = platformFailure('locked', 'The collection is being indexed.', { status: 423, retryAfterMs: 1 })
    platform.script.fail('files.upload', locked, { times: 4 })
    chat.drop([{ name: 'rules.docx', bytes: bytes('docx'), mimeType: '' }])
    expect((await shows(/ready/)).text).toContain('**rules.docx**')
    const made = platform.script.calls.map(({ call }) => call)
    expect(made.filter((call) => call === 'documents.convert')).toHaveLength(1)
    expect(made.filter((call) => call === 'files.upload')).toHaveLength(5)
  })
})
