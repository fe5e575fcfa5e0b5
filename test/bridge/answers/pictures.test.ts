import { describe, expect, it } from 'vitest'
import { AdapterError } from '#bridge/port/errors.ts'
import { markdown, setUpBridge } from '#test/support/bridge/set-up.ts'
import type { FakeFile } from '#test/support/fakes/chat.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const seer = { id: 'seer', input: ['text', 'image'] }

const picture = (name: string, bytes: readonly number[] = PNG): FakeFile => ({
  name,
  bytes: Uint8Array.from(bytes),
  // As announced, which may be wrong.
  mimeType: 'image/jpeg',
  kind: 'image',
})

describe('a picture beside a question', () => {
  it('goes to a model that sees, as what it is, and not into the collection', async () => {
    const { chat, platform, shows } = await setUpBridge({ models: [seer] })
    platform.script.answer('A lighthouse.')
    chat.mention('What is this?', { files: [picture('shot.png')] })
    const answer = await shows(/lighthouse/)
    expect(answer.text).not.toContain('look')
    // Asked for again without the picture, it would be another answer.
    expect(answer.outgoing.actions?.map(({ label }) => label)).toEqual(['👍', '👎'])
    expect(platform.script.requests[0]?.messages.at(-1)).toMatchObject({
      content: 'What is this?',
      images: [`data:image/png;base64,${Buffer.from(PNG).toString('base64')}`],
    })
    expect(platform.script.collections()).toEqual([])
  })

  it('is looked at again for the edited question', async () => {
    const { chat, platform, shows } = await setUpBridge({ models: [seer] })
    platform.script.answer('A lighthouse.')
    const asked = chat.mention('What is this?', { files: [picture('shot.png'), markdown('plan.md', 'Plan')] })
    await shows(/lighthouse/)
    platform.script.answer('In Brittany.')
    chat.rewrite(asked, 'Where is this?')
    await shows(/Brittany/)
    const last = platform.script.requests.at(-1)?.messages.at(-1)
    expect(last).toMatchObject({ content: 'Where is this?', images: [expect.stringContaining('image/png')] })
    const [collection = ''] = platform.script.collections()
    expect(platform.script.stored(collection).map(({ name }) => name)).toEqual(['plan.md'])
  })

  it('is said not to be seen by a model that sees none, and the words are answered', async () => {
    const { chat, platform, shows } = await setUpBridge({ models: ['blind'] })
    platform.script.answer('I go by your words.')
    chat.mention('What is this?', { files: [picture('shot.png')] })
    const answer = await shows(/by your words/)
    expect(answer.text).toContain('_The model blind can’t see pictures')
    expect(platform.script.requests[0]?.messages.at(-1)).not.toHaveProperty('images')
    expect(chat.downloads()).toBe(0)
  })

  it('is looked at as long as it is one, not too large, not one too many, and there', async () => {
    const { chat, platform, shows } = await setUpBridge({ models: [seer] })
    const files = ['a.png', 'b.heic', 'c.png', 'd.png', 'e.png'].map((name) =>
      picture(name, name.endsWith('heic') ? [0, 0, 0, 24] : PNG),
    )
    platform.script.answer('Two of them.')
    chat.fail('open', new AdapterError('not-found', 'It was deleted.'))
    chat.mention('Compare these', { files })
    const { text } = await shows(/Two of them/)
    expect(text).toMatch(/I could not look at \w\.png: It was deleted\./)
    expect(text).toContain('b.heic: it is no PNG, JPEG, GIF or WebP')
    expect(text).toContain('the first 4 pictures only')
    expect(platform.script.requests[0]?.messages.at(-1)?.images).toHaveLength(2)
  })

  it('is looked at again when a failed question is tried once more', async () => {
    const { chat, platform, shows } = await setUpBridge({ models: [seer] })
    platform.script.fail('chat.stream', platformFailure('unreachable'))
    platform.script.answer('A lighthouse.')
    chat.mention('What is this?', { files: [picture('shot.png')] })
    const failed = await shows(/can’t reach the platform/)
    chat.press(failed.id, 'Retry')
    await shows(/lighthouse/)
    expect(platform.script.requests.at(-1)?.messages.at(-1)?.images).toHaveLength(1)
  })

  it('is what “this” means, whatever files the channel has', async () => {
    const { chat, platform, shows } = await setUpBridge({ models: [seer] })
    chat.drop([markdown('plan.md', '# Plan\n\nThe garden opens in May.')])
    await shows(/plan\.md.*ready/)
    platform.script.answer('A lighthouse.')
    chat.mention('What is in this?', { files: [picture('shot.png')] })
    await shows(/lighthouse/)
    expect(platform.script.requests.at(-1)?.messages.at(-1)?.images).toHaveLength(1)
  })

  it('and other files: these become knowledge all the same', async () => {
    const { chat, platform, shows } = await setUpBridge({ models: [seer] })
    platform.script.answer('Both.')
    chat.mention('Does it match?', { files: [picture('shot.png'), markdown('plan.md', 'Plan')] })
    await shows(/Both/)
    const [collection = ''] = platform.script.collections()
    expect(platform.script.stored(collection).map(({ name }) => name)).toEqual(['plan.md'])
  })
})

describe('a picture that is handed over without a question', () => {
  it('is a scan: its text becomes knowledge', async () => {
    const { chat, platform, shows } = await setUpBridge()
    chat.mention('', { files: [picture('scan.png', [...Buffer.from('Opening hours: nine to five')])] })
    await shows(/scan\.png.*ready/)
    const [collection = ''] = platform.script.collections()
    expect(platform.script.stored(collection).map(({ name }) => name)).toEqual(['scan.png.md'])
  })

  it.each([
    'PNG image, 640 × 480 pixels\n\n![](image-1.png)\n\n<!-- image -->',
    // As the interface has it: names of pictures are bare.
    'PNG image, 640 × 480 pixels\n\npicture-1.png',
  ])('without any text is refused with the reason (%j)', async (converted) => {
    const { chat, platform, shows } = await setUpBridge()
    platform.script.convert(converted)
    chat.mention('', { files: [picture('sunset.png')] })
    const { text } = await shows(/sunset\.png.*failed/)
    expect(text).toContain('failed. No text was found in this picture')
    const [collection = ''] = platform.script.collections()
    expect(platform.script.stored(collection)).toEqual([])
  })
})
