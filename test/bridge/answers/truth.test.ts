import { expect, it } from 'vitest'
import { markdown, setUpBridge } from '#test/support/bridge/set-up.ts'

it.each([
  [['fake-model'], /Not from files: none of the files here is ready/],
  [['extractive'], /None of the files here is ready yet\. `files` shows how far they are, or why they failed/],
])(
  'a question while the first file is still on its way is not told that none was dropped (%s)',
  async (models, said) => {
    const { chat, platform, shows, texts } = await setUpBridge({ models })
    platform.script.answer('Forty-two.')
    const release = platform.script.hold('collections.generateIndex')
    chat.drop([markdown('a.md', 'one')])
    await shows(/indexing/)
    chat.mention('What is it?', { thread: 't1' })
    await shows(said)
    expect(texts().join('\n')).not.toMatch(/there are none here yet|no files here yet/)
    release()
  },
)

it('eight open questions of full length fit one message', async () => {
  const { chat, platform, settled, shows } = await setUpBridge()
  // Addresses of Discord are as long.
  const channel = '1'.repeat(64)
  await settled(chat.drop([markdown('a.md', 'one')], { channel }).inbound.key)
  const author = { id: 'U7', name: 'Dr. Maximiliane Ottilie Freifrau von Hohenfels', language: 'de' }
  for (let number = 0; number < 9; number += 1) {
    platform.script.answer('NOT_IN_FILES')
    const words = `${number} ${'Wie lange dauert die Genehmigung eines Antrags auf Sonderurlaub '.repeat(3)}?`
    await settled(chat.mention(words, { thread: `t${number}`, author, channel }).inbound.key)
  }
  expect(await settled(chat.mention('gaps', { author, channel }).inbound.key)).toMatchObject({ state: 'done' })
  const list = await shows(/nicht beantwortet:/)
  expect(list.text).toContain('\n8. ')
})
