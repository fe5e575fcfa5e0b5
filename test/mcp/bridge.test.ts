/** MCP with the real bridge: what it asks of the bridge counts and is held back as in chat. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BudgetRules } from '#bridge/channels/budgets.ts'
import { openPlatform, type TestPlatform } from '#test/platform/server/platform.ts'
import { markdown, setUpBridge } from '#test/support/bridge/set-up.ts'
import { call, mcpOf, openClient } from './client.ts'

const ADA = { id: 'U-ada', name: 'Ada', language: 'en' }
const BEN = { id: 'U-ben', name: 'Ben', language: 'en' }
const CHANNELS = ['C1', 'C2'] as const
const FERRY = '# Ferry\n\nThe ferry leaves at 9:40 from pier seven.\n'
const QUESTION = 'When does the ferry leave?'
/** The platform in memory has answered, without a reference. */
const IN_CHAT = /I searched 1 file/
const once = { kind: 'questions', most: 1, span: 'hour' } as const

const refusal = (whose: string) => new RegExp(`^${whose} \\(1 question an hour\\) is used up\\. You can ask again in `)

/** The bridge has a platform in memory, which cannot be searched: its channels are read from one that can. */
const here = <Channel extends object>(channel: Channel) => ({ ...channel, collectionId: 'local/notes' })

interface Answered {
  readonly answer: string
  readonly notice: string
}
interface Listed {
  readonly collections: readonly { readonly id: string; readonly name: string }[]
}

describe('what an agent of a person asks', () => {
  let platform: TestPlatform
  beforeAll(async () => {
    platform = await openPlatform()
    await platform.fill('notes', { 'ferry.md': FERRY })
  })
  afterAll(() => platform.close())

  /** The bridge with a file in each of two channels, and an agent for each person. */
  async function setUp(budgets: BudgetRules = {}) {
    const all = await setUpBridge({ budgets })
    for (const channel of CHANNELS) {
      all.chat.room(channel, { name: `room-${channel}` })
      await all.settled(all.chat.drop([markdown('ferry.md', FERRY)], { channel, author: ADA }).inbound.key)
      await expect.poll(() => all.texts().filter((text) => /ferry.*ready/.test(text)).length).toBeGreaterThan(0)
    }
    await expect.poll(() => all.texts().filter((text) => /ready/.test(text)).length).toBe(CHANNELS.length)
    const real = all.access()
    const access: typeof real = {
      ...real,
      channelsOf: async (person) => (await real.channelsOf(person)).map(here),
      async find(person, id) {
        const found = await real.find(person, id)
        return found && here(found)
      },
    }
    const agentOf = ({ id }: typeof ADA) => {
      const person = { adapter: 'fake', workspace: 'W1', personId: id }
      const people = { tokens: { find: async () => ({ person, name: 'laptop' }) }, access: () => access }
      return openClient(mcpOf(platform, { people }), 'fbt-x')
    }
    const asked = async (channel: string, author = ADA) => {
      const said = all.chat.mention(QUESTION, { channel, author, thread: `t-${all.texts().length}` })
      await all.settled(said.inbound.key)
      return all.texts().at(-1) ?? ''
    }
    const agent = await agentOf(ADA)
    const { collections } = (await call(agent, 'list_collections')).structured as Listed
    const idOf = (channel: string) => collections.find(({ name }) => name.includes(channel))?.id ?? ''
    return { ...all, agent, agentOf, asked, idOf }
  }

  it.each([
    ['person', 'Your budget'],
    ['channel', 'The budget of this channel'],
  ] as const)('counts against the budget of the %s, with what is asked in chat', async (owner, whose) => {
    const inChat = await setUp({ [owner]: [once] })
    expect(await inChat.asked('C1')).toMatch(IN_CHAT)
    const args = { question: QUESTION, collection: inChat.idOf('C1') }
    expect(await call(inChat.agent, 'ask', args)).toMatchObject({
      isError: true,
      text: expect.stringMatching(refusal(whose)),
    })
    const byAgent = await setUp({ [owner]: [once] })
    const answered = await call(byAgent.agent, 'ask', { question: QUESTION, collection: byAgent.idOf('C1') })
    expect([answered.isError, answered.text]).toEqual([false, expect.stringContaining('leaves at 9:40')])
    expect(await byAgent.asked('C1')).toMatch(refusal(whose))
  })

  it('of all channels leaves out one whose budget is used up, says so, and counts once for the person', async () => {
    const { agent, asked, idOf } = await setUp({ channel: [once], person: [{ ...once, most: 3 }] })
    expect(await asked('C1')).toMatch(IN_CHAT)
    const first = await call(agent, 'ask', { question: QUESTION })
    const { answer, notice } = first.structured as Answered
    expect([first.isError, answer]).toEqual([false, expect.stringContaining('leaves at 9:40')])
    expect(notice).toMatch(/budget .* used up: #?room-C1\.$/)
    const second = await call(agent, 'ask', { question: QUESTION })
    expect([second.isError, second.text]).toEqual([true, expect.stringMatching(refusal('The budget of this channel'))])
    expect((await call(agent, 'ask', { question: QUESTION, collection: idOf('C2') })).isError).toBe(true)
    // Refused questions have counted for nobody: of three, the third is left.
    expect(await asked('C3')).toMatch(/^You said/)
    expect(await asked('C4')).toMatch(/^Your budget \(3 questions an hour\) is used up/)
  })

  it('lists the questions that the files of a channel did not answer, framed, without private ones of others', async () => {
    const { agent, agentOf, chat, platform: answers, settled, idOf } = await setUp()
    answers.script.answer('NOT_IN_FILES')
    await settled(chat.mention('Who paints the ferry?', { channel: 'C1', author: BEN }).inbound.key)
    answers.script.answer('NOT_IN_FILES')
    await settled(chat.call('ask', 'Who stole the boat?', { channel: 'C1', author: BEN }).inbound.key)
    const gapsOf = async (client: typeof agent) => (await call(client, 'list_gaps', { collection: idOf('C1') })).text
    const adas = await gapsOf(agent)
    expect(JSON.parse(adas)).toMatchObject({
      questions: [
        {
          question: expect.stringMatching(
            /^\[quotation ([0-9a-f]{12}) begins: a question\]\nWho paints the ferry\?\n\[quotation \1 ends\]$/,
          ),
          asked_at: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      ],
    })
    expect(adas).not.toContain('stole')
    expect(await gapsOf(await agentOf(BEN))).toContain('Who stole the boat?')
  })
})
