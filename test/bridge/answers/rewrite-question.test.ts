import { describe, expect, it } from 'vitest'
import { dependsOnHistory } from '#bridge/answers/rewrite-question.ts'
import { cited, markdown, setUpBridge, until } from '#test/support/bridge/set-up.ts'
import { platformFailure } from '#test/support/fakes/switchboard.ts'
import { inLong } from '#test/support/forms.ts'

const turn = (role: 'user' | 'assistant', text: string) => ({ messageId: text, role, author: '', text, at: 0 })
const BEFORE = [turn('user', 'When does the ferry leave?'), turn('assistant', 'At 9:40.')]

describe('a question depends on what was said before', () => {
  it.each([
    'And from which pier?',
    'What does it cost on Mondays in winter?',
    'Why?',
    'Was kostet sie im Winter für Kinder?',
    'Und von welchem Pier?',
    'Et pourquoi la compagnie change les horaires?',
    '料金はいくらですか',
  ])('%s', (question) => {
    expect(dependsOnHistory(question, BEFORE)).toBe(true)
    expect(dependsOnHistory(question, [])).toBe(false)
  })

  it.each([
    'How many days of leave do full-time employees have?',
    'Welche Unterlagen braucht ein Antrag auf Elternzeit?',
  ])('not so: %s', (question) => {
    expect(dependsOnHistory(question, BEFORE)).toBe(false)
  })
})

async function underWay(options: Parameters<typeof setUpBridge>[0] = {}) {
  const all = await setUpBridge(options)
  all.chat.drop([markdown('ferry.md', 'The ferry leaves at 9:40 from pier seven.')])
  await all.shows(/ferry.*ready/)
  all.platform.script.answer(cited('At 9:40.', 'ferry.md', 'The ferry leaves at 9:40 from pier seven.'))
  all.chat.mention('When does the ferry to the island leave?', { thread: 't1' })
  await all.shows(/At 9:40/)
  return all
}
const SEVEN = cited('Pier seven.', 'ferry.md', 'The ferry leaves at 9:40 from pier seven.')

describe('a follow-up', () => {
  it('is made complete by a small call, and searched for with the words that were added', async () => {
    const { chat, platform, shows, store } = await underWay()
    platform.script.answer('"From which pier does the ferry to the island leave?"', SEVEN)
    chat.say('And from which pier?', { thread: 't1' })
    const { id } = await shows(/Pier seven/)
    const [, small, request] = platform.script.requests
    expect(small?.collection).toBeUndefined()
    expect(small?.messages.at(-1)?.content).toMatch(/Person: When does the ferry[^]*Last question: And from/)
    expect(request?.messages.slice(1)).toEqual([
      { role: 'user', content: 'When does the ferry to the island leave?' },
      { role: 'assistant', content: 'At 9:40. [1]' },
      { role: 'user', content: 'And from which pier?\n\nFrom which pier does the ferry to the island leave?' },
    ])
    await expect
      .poll(() => store().answers.ofMessage('fake:W1:C1', id))
      .toMatchObject({ question: 'And from which pier?', query: 'From which pier does the ferry to the island leave?' })
  })

  it.each([
    ['fails', platformFailure('server')],
    ['gives more than a question', 'First line.\nSecond line.'],
    ['gives a lecture', 'x'.repeat(500)],
    ['gives nothing', ' '],
  ] as const)('is asked as it is when that call %s', async (_, reply) => {
    const { chat, platform, shows } = await underWay()
    platform.script.answer(typeof reply === 'string' ? reply : [reply], SEVEN)
    chat.say('And from which pier?', { thread: 't1' })
    await shows(/Pier seven/)
    expect(platform.script.requests[2]?.messages.at(-1)?.content).toBe('And from which pier?')
  })

  it('does not wait longer than five seconds for it', { ...inLong, timeout: 20_000 }, async () => {
    const { chat, platform, shows, log } = await underWay()
    platform.script.answer([new Promise(() => {})], SEVEN)
    chat.say('And from which pier?', { thread: 't1' })
    await shows(/Pier seven/)
    expect(log.at('warn').map(({ message }) => message)).toContainEqual(expect.stringContaining('rewritten'))
  })

  it('that stands for itself costs no further call', async () => {
    const { chat, platform, shows } = await underWay()
    platform.script.answer(SEVEN)
    chat.say('Which pier belongs to the harbour office downtown?', { thread: 't1' })
    await shows(/Pier seven/)
    expect(platform.script.requests).toHaveLength(2)
  })

  it('without a language model takes over the words of the last question, if it has none', async () => {
    const { chat, platform, shows } = await underWay({ models: ['extractive'] })
    platform.script.answer(SEVEN, SEVEN)
    chat.say('Why not then?', { thread: 't1' })
    await shows(/Pier seven/)
    expect(platform.script.requests).toHaveLength(2)
    expect(platform.script.requests[1]?.messages.at(-1)?.content).toBe(
      'Why not then?\n\nWhy not then? ferry island leave',
    )
  })
})

describe('in a direct conversation', () => {
  const FERRY = cited('At 9:40.', 'ferry.md', 'The ferry leaves at 9:40 from pier seven.')
  async function direct() {
    const all = await setUpBridge({ models: ['extractive'] })
    all.chat.direct('', { files: [markdown('ferry.md', 'The ferry leaves at 9:40 from pier seven.')] })
    await all.shows(/ferry.*ready/)
    all.platform.script.answer(FERRY, FERRY, FERRY)
    const asks = async (question: string, count: number) => {
      all.chat.direct(question)
      await until(() => all.platform.script.requests.length === count)
      await until(() => all.texts().filter((text) => text.startsWith('At 9:40')).length === count)
      return all.platform.script.requests.at(-1)?.messages.at(-1)?.content
    }
    return { ...all, asks }
  }

  it('a complete question takes no words over, thanks leave no trace, and what is left out is added', async () => {
    const { chat, asks, shows } = await direct()
    expect(await asks('When does the ferry to the island leave?', 1)).toBe('When does the ferry to the island leave?')
    chat.direct('Thanks!')
    await shows(/welcome/)
    expect(await asks('Can I work from Spain for a month?', 2)).toBe('Can I work from Spain for a month?')
    expect(await asks('And in Poland?', 3)).toBe('And in Poland?\n\nAnd in Poland? work spain month')
  })

  it('a new conversation takes nothing over', async () => {
    const { chat, asks, shows } = await direct()
    await asks('When does the ferry to the island leave?', 1)
    await asks('And on Mondays?', 2)
    const completed = await shows(/At 9:40/)
    expect(completed.outgoing.actions?.map(({ label }) => label)).not.toContain('New conversation')
    chat.direct('new conversation')
    await shows(/This is a new conversation/)
    expect(await asks('And on Mondays?', 3)).toBe('And on Mondays?')
  })
})
