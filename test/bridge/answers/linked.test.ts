import { describe, expect, it } from 'vitest'
import type { SayOptions } from '#test/support/fakes/chat.ts'
import { setUpBridge } from '#test/support/bridge/set-up.ts'

const BEN = { id: 'U2', name: 'Ben' }

async function setUp() {
  const all = await setUpBridge()
  const { chat, platform, shows } = all
  /** The model's messages with a question that links to Ben's message there. */
  const told = async (there: SayOptions, ask: SayOptions, direct = false): Promise<string> => {
    const linked = [chat.say('The capstan is oiled with ZOIL44.', { author: BEN, ...there })]
    platform.script.answer('Understood.')
    const text = 'What does https://chat.example/it mean?'
    if (direct) chat.direct(text, { linked, ...ask })
    else chat.mention(text, { linked, ...ask })
    await shows(/Understood/)
    return JSON.stringify(platform.script.requests.at(-1)?.messages)
  }
  return { ...all, told }
}

describe('a message that a question links to', () => {
  it('is told to the model with its author, where it is of the same channel', async () => {
    const { told } = await setUp()
    expect(await told({}, {})).toContain('Ben: The capstan is oiled with ZOIL44.')
  })

  it('of another public channel is told where people of this one may read it', async () => {
    const { told } = await setUp()
    expect(await told({ channel: 'C2' }, {})).toContain('ZOIL44')
  })

  it('of a private channel is not told in a public one, though the asker may read it', async () => {
    const { chat, told } = await setUp()
    chat.room('C2', { isPublic: false, members: ['U1', 'U2'] })
    expect(await told({ channel: 'C2' }, {})).not.toContain('ZOIL44')
  })

  it('of a private channel is told to its member alone', async () => {
    const { chat, told } = await setUp()
    chat.room('C2', { isPublic: false, members: ['U1', 'U2'] })
    expect(await told({ channel: 'C2' }, { author: { id: 'U1', name: 'Ada' } }, true)).toContain('ZOIL44')
  })

  it('of a channel that the asker may not read is left as an address', async () => {
    const { chat, told } = await setUp()
    chat.room('C2', { isPublic: false, members: ['U2'] })
    expect(await told({ channel: 'C2' }, { author: { id: 'U1', name: 'Ada' } }, true)).not.toContain('ZOIL44')
  })

  it('of two private channels is not told from one in the other', async () => {
    const { chat, told } = await setUp()
    for (const channel of ['C1', 'C2']) chat.room(channel, { isPublic: false, members: ['U1', 'U2'] })
    expect(await told({ channel: 'C2' }, { author: { id: 'U1', name: 'Ada' } })).not.toContain('ZOIL44')
  })
})
