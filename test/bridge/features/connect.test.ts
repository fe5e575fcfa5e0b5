import { expect, it } from 'vitest'
import { createTokens } from '#src/mcp/askers/tokens.ts'
import { memoryState } from '#test/support/fakes/state.ts'
import { setUpBridge } from '#test/support/bridge/set-up.ts'

const ADA = { id: 'U-ada', name: 'Ada', language: 'en' }

async function setUp() {
  const tokens = createTokens(memoryState(), 'https://footbridge.example.org/mcp')
  const all = await setUpBridge({ tokens })
  const call = async (name: 'connect' | 'disconnect', argument = '') => {
    const said = all.chat.call(name, argument, { author: ADA })
    const job = await all.settled(said.inbound.key)
    const shown = all.chat.visible().findLast(({ outgoing }) => outgoing.replyTo === said.id)
    return {
      text: shown?.text ?? '',
      privateTo: shown?.outgoing.privateTo,
      rows: await all.store().outbox.ofJob(job.id),
    }
  }
  return { ...all, tokens, call }
}

const tokenIn = (text: string) => /fbt-[\w-]{59}/.exec(text)?.[0] ?? ''

it('shows a token once, to its person alone, and keeps another text', async () => {
  const { call, tokens } = await setUp()
  expect((await call('connect')).text).toMatch(/^You have no tokens/)
  const { text, privateTo, rows } = await call('connect', 'laptop')
  expect(privateTo).toBe(ADA.id)
  expect(text).toContain('https://footbridge.example.org/mcp')
  const found = await tokens.find(tokenIn(text))
  expect(found).toMatchObject({ name: 'laptop', person: { personId: ADA.id } })
  expect(rows.map((row) => row.text)).toEqual(['The token **laptop** was shown once.'])
  expect((await call('connect')).text).toMatch(/laptop\*\*, made .*, last used/)
  expect((await call('connect', 'Laptop')).text).toMatch(/already/)
  expect(await tokens.list(found?.person ?? { adapter: '', workspace: '', personId: '' })).toHaveLength(1)
})

it('makes none for what is no name', async () => {
  const { call } = await setUp()
  expect((await call('connect', 'the printer, how?')).text).toMatch(/^You have no tokens/)
  expect((await call('connect')).text).toMatch(/^You have no tokens/)
})

it('ends a token by its name', async () => {
  const { call, tokens } = await setUp()
  const token = tokenIn((await call('connect', 'laptop')).text)
  expect((await call('disconnect', 'phone')).text).toMatch(/no token/)
  expect((await call('disconnect', 'LAPTOP')).text).toMatch(/is ended/)
  expect(await tokens.find(token)).toBeUndefined()
})
