import { expect, it } from 'vitest'
import { markdown, setUpBridge } from '#test/support/bridge/set-up.ts'

const [ADA, BEN] = [
  { id: 'U-ada', name: 'Ada' },
  { id: 'U-ben', name: 'Ben' },
]

it('files that were refused stay refused where their message is taken up again, whatever the person may do by then', async () => {
  const { chat, platform, store, shows, settled, texts, restart } = await setUpBridge()
  chat.room('C1', { admins: [ADA.id] })
  await store().preferences.set('fake:W1:C1', 'settings', '{"drops":"admins"}')
  const release = platform.script.hold('chat.stream')
  const { inbound } = chat.mention('Who has the keys?', { files: [markdown('keys.md', 'Ben has them.')], author: BEN })
  await shows(/Only those who administer this channel/)
  chat.room('C1', { admins: [ADA.id, BEN.id] })
  await restart()
  release()
  await settled(inbound.key)
  expect(texts().filter((text) => text.includes('keys.md'))).toEqual([])
  expect(texts().filter((text) => text.startsWith('Only those'))).toHaveLength(1)
})
