import { expect, test } from 'vitest'
import { setScene } from '../scene.ts'

test('a message names the people whom it mentions, each once, ourselves left out', async () => {
  const { adapter, channel, ada, slack, inbounds, receive } = await setScene()
  await adapter.start(receive)
  const ben = slack.addUser({ name: 'Ben' }).id
  await slack.say({ channel, user: ada, text: `ask group <@${ben}> and <@${ben}>`, mention: true }).acked
  expect(inbounds.at(-1)).toMatchObject({
    message: { text: 'ask group @Ben and @Ben', mentions: [{ id: ben, name: 'Ben' }] },
  })
  await slack.say({ channel, user: ada, text: 'nobody', mention: true }).acked
  expect(inbounds.at(-1)).toMatchObject({ message: expect.not.objectContaining({ mentions: [] }) })
})
