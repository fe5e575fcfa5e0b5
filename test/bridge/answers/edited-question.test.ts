import { describe, expect, it } from 'vitest'
import { AdapterError } from '#bridge/port/errors.ts'
import { setUpBridge } from '#test/support/bridge/set-up.ts'

describe('a question', () => {
  it('that is edited is asked anew, also where its first answer could not be shown', async () => {
    const { chat, platform, shows, settled } = await setUpBridge()
    platform.script.answer('The old answer.')
    chat.fail('finish', new AdapterError('forbidden', 'Not here.'))
    const asked = chat.mention('When?')
    expect(await settled(asked.inbound.key)).toMatchObject({ state: 'dead' })
    platform.script.answer('The new answer.')
    chat.rewrite(asked, 'Where?')
    await shows(/The new answer/)
  })

  it('that is edited is answered in a new message where somebody deleted the first one', async () => {
    const { chat, platform, shows, settled } = await setUpBridge()
    platform.script.answer('Paris.', 'Rome.')
    const asked = chat.mention('Capital of France?')
    await settled(asked.inbound.key)
    chat.fail('edit', new AdapterError('not-found', 'The message is gone.'))
    // The service remembers for minutes what was sent.
    chat.wire.sends.clear()
    const edited = chat.rewrite(asked, 'Capital of Italy?')
    expect(await settled(edited.inbound.key)).toMatchObject({ state: 'done' })
    await shows(/Rome/)
  })
})
