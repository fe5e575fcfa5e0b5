import { describe, expect, it } from 'vitest'
import { cited, markdown, setUpBridge } from '#test/support/bridge/set-up.ts'

async function withFiles() {
  const all = await setUpBridge()
  all.chat.drop([markdown('leave.md', '30 days of leave.')])
  await all.shows(/leave.*ready/)
  return all
}

const QUESTION = 'How many days of leave are there?'
const text = (said: string) => ({ type: 'text', text: said }) as const
const finish = (reason: string) => ({ type: 'finish', reason }) as const
const refusal = { type: 'refusal', text: 'I cannot help with that: see https://evil.example/x.' } as const

describe('what a model says beside text', () => {
  it('a refusal is told in its own words, without live links and a button that costs again, and is no gap', async () => {
    const { chat, platform, shows, store } = await withFiles()
    platform.script.answer([refusal, finish('stop')])
    chat.mention(QUESTION)
    const shown = await shows(/declines/)
    expect(shown.text).toMatch(/^The model declines to answer this\. It says: “I cannot help with that: see `.*`.*”$/)
    expect(shown.outgoing.actions).toEqual([])
    expect(platform.script.requests).toHaveLength(1)
    expect(await store().answers.unanswered('fake:W1:C1', 5)).toEqual([])
  })

  it('a call of a tool that nobody gave it is a sentence about the model, with Retry, and no second search', async () => {
    const { chat, platform, shows, store } = await withFiles()
    platform.script.answer([
      { type: 'progress', event: 'tool-call', toolCall: { name: 'web_search' } },
      finish('tool_calls'),
    ])
    chat.mention(QUESTION)
    const shown = await shows(/called a tool/)
    expect(shown.text).toContain('called a tool (`websearch`) instead of answering')
    expect(shown.outgoing.actions?.map(({ label }) => label)).toEqual(['Retry'])
    expect(platform.script.requests).toHaveLength(1)
    expect(await store().answers.unanswered('fake:W1:C1', 5)).toEqual([])
  })

  it('a filter that stopped it is told, at once or under what came', async () => {
    const { chat, platform, shows } = await withFiles()
    platform.script.answer(
      [finish('content_filter')],
      [text(cited('There are thirty', 'leave.md', '30 days of leave.')), finish('content_filter')],
    )
    chat.mention(QUESTION)
    expect((await shows(/filter/)).text).toMatch(/before its first word\. Please ask in other words\.$/)
    chat.mention(QUESTION)
    const shown = await shows(/There are thirty/)
    expect(shown.text).toMatch(/There are thirty.*\n\n_A filter of the model stopped the answer here/)
    expect(shown.outgoing.references).toMatchObject([{ file: 'leave.md' }])
  })

  it('a refusal after text stands under it', async () => {
    const { chat, platform, shows } = await withFiles()
    platform.script.answer([text('Thirty days.'), refusal, finish('stop')])
    chat.mention(QUESTION)
    expect((await shows(/Thirty/)).text).toMatch(/^Thirty days\.\n\nThe model declines/)
  })

  it('thinking that was shown before its end could be told is replaced by the answer, also in the history', async () => {
    const { chat, platform, shows, texts } = await withFiles()
    platform.script.answer([
      text('SECRET it must be thirty, as far as the passages go and nobody said otherwise. [RREF1] '.repeat(9)),
      { type: 'retract' },
      text(cited('Thirty.', 'leave.md', '30 days of leave.')),
      finish('stop'),
    ])
    chat.mention(QUESTION, { thread: 't1' })
    const shown = await shows(/^Thirty/)
    expect(shown.text).toBe('Thirty. [1]')
    expect(shown.outgoing.references).toMatchObject([{ file: 'leave.md' }])
    expect(texts().join('\n')).not.toContain('SECRET')
    platform.script.answer(
      [text('SECRET SECRET'), { type: 'retract' }, text('Days of leave in winter?')],
      'NOT_IN_FILES',
    )
    chat.say('And in winter?', { thread: 't1' })
    await shows(/in winter\?” and found/)
    expect(JSON.stringify(platform.script.requests)).not.toContain('SECRET')
  })
})
