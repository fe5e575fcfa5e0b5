import { expect, it } from 'vitest'
import { markdown, setUpBridge } from '../../support/bridge/set-up.ts'
import { platformFailure } from '../../support/fakes/switchboard.ts'

const ADA = { id: 'U-ada', name: 'Ada' }

it('a file that got there although its upload was cut off is not said to replace itself, nor to have failed', async () => {
  const { chat, platform, settled, texts } = await setUpBridge()
  platform.script.fail('files.upload', platformFailure('timeout'), { after: true })
  await settled(chat.drop([markdown('a.md', 'one')]).inbound.key)
  expect(texts().join('\n')).toMatch(/ready · 1 chunk$/m)
  expect(texts().join('\n')).not.toContain('replaces')
})

it('where nothing can be edited the end of a reindex is told, and no progress that would stand there for ever', async () => {
  const { chat, settled, shows, texts } = await setUpBridge({ without: ['edit'] })
  chat.room('C1', { admins: [ADA.id] })
  await settled(chat.drop([markdown('a.md', 'one')]).inbound.key)
  await settled(chat.mention('reindex', { author: ADA }).inbound.key)
  const question = await shows(/anew\?/)
  await settled(chat.press(question.id, 'Reindex', ADA).inbound.key)
  expect(texts().at(-1)).toMatch(/Indexed anew: 1 file ready/)
})

it('what became too large since it was dropped is not handed out, and why is said', async () => {
  const { chat, settled, shows } = await setUpBridge()
  const big = markdown('big.md', 'x'.repeat(5000))
  await settled(chat.drop([big]).inbound.key)
  expect(await settled(chat.mention('download big.md').inbound.key)).toMatchObject({ state: 'done' })
  await shows(/can’t be handed out: .*larger than/)
  expect(chat.uploads.size).toBe(0)
})
