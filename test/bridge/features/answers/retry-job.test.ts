import { expect, it } from 'vitest'
import { setUpBridge } from '#test/support/bridge/set-up.ts'

it('what failed for good is done by a press, and its notice goes', async () => {
  const { chat, platform, shows, settled, texts } = await setUpBridge()
  platform.script.fail('models.list', new TypeError('x is not a function'))
  const asked = chat.mention('model')
  const notice = await shows(/could not finish this/)
  expect(notice.outgoing.actions?.map(({ label }) => label)).toEqual(['Retry'])
  expect((await settled(asked.inbound.key)).state).toBe('dead')
  chat.press(notice.id, 'Retry')
  await shows(/There is only one model/)
  await settled(asked.inbound.key)
  expect(texts()).toEqual([expect.stringMatching(/There is only one model/)])
})
