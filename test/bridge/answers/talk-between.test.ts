import { describe, expect, it } from 'vitest'
import { loadHistory } from '#bridge/answers/history.ts'
import type { Adapter } from '#bridge/port/adapter.ts'
import type { Message } from '#bridge/port/message.ts'
import type { HistoryTurn } from '#bridge/port/records.ts'
import talk from '#test/reports/chat/thread-talk-between.json' with { type: 'json' }
import { setUpBridge } from '#test/support/bridge/set-up.ts'
import { createLogSink } from '#test/support/fakes/log.ts'

const BEN = { id: 'U2', name: 'Ben' }
const [asked = '', between = '', after = ''] = talk.steps.map((step) =>
  step.replace(/^\w+(?:, no mention)?: (?:<@BOT> )?/, '').replace(/ -> .*/, ''),
)

describe('what people say in a thread between two answers', () => {
  it('is told to the model with the next question, and with those after it', async () => {
    const { chat, platform, shows, settled } = await setUpBridge()
    platform.script.answer('A winch.', 'Yes.', 'In May.')
    await settled(chat.mention(asked, { thread: 't1' }).inbound.key)
    chat.say(between, { thread: 't1', author: BEN })
    chat.mention(after, { thread: 't1', author: BEN })
    await shows(/^Yes/)
    const told = () => JSON.stringify(platform.script.requests.at(-1)?.messages)
    expect(told()).toContain(`Ben: ${between}`)
    expect(told().match(/A winch/g)).toHaveLength(1)
    chat.mention('Since when?', { thread: 't1' })
    await shows(/^In May/)
    expect(told()).toContain('ZOIL44')
    expect(told().match(/A winch/g)).toHaveLength(1)
    const roles = platform.script.requests.at(-1)?.messages.map(({ role }) => role)
    expect(roles).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'user'])
  })
})

const message = (id: string, text: string, author = BEN): Message => ({
  id,
  conversation: { adapter: 'fake', workspace: 'w', channel: 'c', thread: '0', direct: false },
  author,
  text,
  addressed: true,
  mentionsOthers: false,
  attachments: [],
  sentAt: '2026-11-27T08:00:00Z',
})
const said = (...ids: readonly string[]) => ids.map((id) => message(id, `said ${id}`))
const turn = (messageId: string, role: HistoryTurn['role'], author = 'U1'): HistoryTurn => ({
  messageId,
  role,
  author,
  text: `${role} ${messageId}`,
  at: 0,
})

/** Texts of the history of message 9, from the record and the messages that the service shows. */
async function history(record: readonly HistoryTurn[], shown: readonly Message[]): Promise<readonly string[]> {
  const adapter = { history: async () => shown } as Partial<Adapter> as Adapter
  const ctx = { message: message('9', 'and now?'), adapter, log: createLogSink() }
  return (await loadHistory({ clock: () => 0 }, ctx, record)).map(({ text }) => text)
}

describe('its place in the history', () => {
  const record = [turn('1', 'user'), turn('2', 'assistant'), turn('5', 'user'), turn('6', 'assistant')]

  it('is between the answers around it', async () => {
    expect(await history(record, said('0', '1', '3', '5', '7'))).toEqual([
      'Ben: said 0',
      'user 1',
      'assistant 2',
      'Ben: said 3',
      'user 5',
      'assistant 6',
      'Ben: said 7',
    ])
  })

  it('is behind the record where no question of it is shown; the root comes first', async () => {
    expect(await history(record, said('0', '7', '8'))).toEqual([
      'Ben: said 0',
      ...record.map(({ text }) => text),
      'Ben: said 7',
      'Ben: said 8',
    ])
  })

  it('is whole for the first question, also where that is on record already', async () => {
    expect(await history([turn('9', 'user')], said('0', '8'))).toEqual(['Ben: said 0', 'Ben: said 8'])
  })

  it('begins with a new conversation', async () => {
    const renewed = [...record, turn('7', 'assistant', 'new conversation')]
    expect(await history(renewed, said('0', '1', '3', '5', '7', '8'))).toEqual(['Ben: said 8'])
  })

  it('is cut where somebody pasted a book', async () => {
    const [long = ''] = await history([], [message('3', 'x'.repeat(100_000))])
    expect(long.length).toBeLessThan(2100)
  })
})
