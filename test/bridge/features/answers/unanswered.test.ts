import { expect, it } from 'vitest'
import { markdown, setUpBridge, until } from '#test/support/bridge/set-up.ts'

const BEN = { id: 'U2', name: 'Ben', language: 'en' } as const
const CEM = { id: 'U3', name: 'Cem', language: 'en' } as const

it('lists what was not answered, newest first, with who asked and a link, and who asked can close one', async () => {
  const { chat, platform, shows, store } = await setUpBridge()
  chat.drop([markdown('ferry-manual.md', 'The ferry is blue.')], { author: BEN })
  await shows(/ferry-manual.*ready/)
  platform.script.answer('NOT_IN_FILES')
  chat.mention('How often is the ferry engine serviced?', { thread: 't1' })
  await shows(/Not in this/)
  platform.script.answer('NOT_IN_FILES')
  const second = chat.mention('What is the *captain* called?', { thread: 't9', author: BEN })
  await until(() => chat.visible().filter(({ text }) => text.includes('Not in this')).length === 2)
  chat.mention('gaps')
  const list = await shows(/These questions/)
  expect(list.text).toMatch(/1\. “What is the captain called\?” — Ben, .* · \[message\]\(https.*\n2\. “How often/)
  expect(list.text).toContain(second.id)
  chat.press(list.id, 'Close 1', CEM)
  expect((await shows(/Only the person who asked/)).outgoing.privateTo).toBe('U3')
  chat.press(list.id, 'Close 1', BEN)
  await shows(/Closed: “What is the captain/)
  chat.room('C1', { admins: ['U3'] })
  chat.press(list.id, 'Close 2', CEM)
  await shows(/Closed: “How often/)
  await expect.poll(() => store().answers.unanswered('fake:W1:C1', 9)).toEqual([])
  chat.mention('gaps')
  await shows(/No question is open/)
})
