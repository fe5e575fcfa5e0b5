import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { AdapterError } from '#bridge/port/errors.ts'
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

it('makes a token for this channel alone, or for some tools alone, and says so', async () => {
  const { call, tokens } = await setUp()
  const found = async (argument: string) => {
    const { text } = await call('connect', argument)
    return { text, ...(await tokens.find(tokenIn(text))) }
  }
  expect((await found('all')).person).not.toMatchObject({ channel: expect.anything() })
  const here = await found('one HERE')
  expect(here).toMatchObject({
    person: { personId: ADA.id, channel: 'C1' },
    text: expect.stringMatching(/can read this channel, as long/),
  })
  expect(here.tools).toBeUndefined()
  expect(await found('zwei hier search Fetch search')).toMatchObject({
    person: { channel: 'C1' },
    tools: ['search', 'fetch'],
    text: expect.stringMatching(/can use only search, fetch\./),
  })
  expect(await found('three list_files')).toMatchObject({ tools: ['list_files'] })
  const { text } = await call('connect')
  expect(text).toMatch(/\*\*one\*\*, made .*, for one channel only$/m)
  expect(text).toMatch(/\*\*zwei\*\*, made .*, for one channel only, for search and fetch only$/m)
  expect(text).toMatch(/\*\*all\*\*, made [^,]*, last used [^,]*$/m)
  expect(text).toContain('`connect laptop here`')
  for (const wrong of ['four there', 'four here delete', 'here, now', 'here', 'hier search']) {
    expect((await call('connect', wrong)).text).toMatch(/^These programs act for you/)
    expect(await tokens.list({ adapter: 'fake', workspace: 'W1', personId: ADA.id })).toHaveLength(4)
  }
})

it('ends a token by its name', async () => {
  const { call, tokens } = await setUp()
  const token = tokenIn((await call('connect', 'laptop')).text)
  expect((await call('disconnect', 'phone')).text).toMatch(/no token/)
  expect((await call('disconnect', 'LAPTOP')).text).toMatch(/is ended/)
  expect(await tokens.find(token)).toBeUndefined()
})

it('makes a token again when the first message with it was refused', async () => {
  const { call, chat, tokens } = await setUp()
  chat.fail('post', new AdapterError('forbidden', 'Not here.'))
  await call('connect', 'laptop')
  const { text } = await call('connect', 'laptop')
  expect(await tokens.find(tokenIn(text))).toMatchObject({ name: 'laptop' })
})

it('makes a token again when a crash came before its message', async () => {
  const { chat, tokens, restart, settled, texts } = await setUp()
  const release = chat.hold('post')
  const said = chat.call('connect', 'laptop', { author: ADA })
  const person = { adapter: 'fake', workspace: 'W1', personId: ADA.id }
  while ((await tokens.list(person)).length === 0) await setTimeout(5)
  chat.fail('post', new Error('The process is killed.'))
  const restarted = restart()
  await setTimeout(20)
  release()
  await restarted
  await settled(said.inbound.key)
  const text = texts().find((one) => one.includes('fbt-')) ?? ''
  expect(await tokens.find(tokenIn(text))).toMatchObject({ name: 'laptop' })
  expect(await tokens.list(person)).toHaveLength(1)
})
