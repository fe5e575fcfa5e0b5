import { expect, test } from 'vitest'
import { cited, markdown } from '#test/support/bridge/set-up.ts'
import { withBridge } from './with-bridge.ts'

test('passages that may help have numbers, a line each, and fold open as those of an answer do', async () => {
  const { slack, platform, channel, ada, sees, drop } = await withBridge()
  const more = Array.from({ length: 60 }, (_, index) => `Sentence ${index} is about the pier.`).join(' ')
  const { bytes } = markdown('ferry.md', `# Ferry\n\nDogs travel on deck. ${more}`)
  await drop('ferry.md', new TextDecoder().decode(bytes))
  platform.script.answer(cited('', 'ferry.md', `Dogs travel on deck. ${more}`).replace('[RREF1]', 'NOT_IN_FILES'))
  slack.say({ channel, user: ada, text: 'Do cats travel?', mention: true })
  const shown = await sees(/helfen/)
  expect(shown.text).toMatch(/\[1\][^]*\n\[1\] ferry\.md/)
  expect(shown.folded.join('\n')).toContain('Sentence 59 is about the pier')
})
