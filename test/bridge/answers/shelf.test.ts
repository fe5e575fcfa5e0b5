import { describe, expect, it } from 'vitest'
import { toOutline } from '#bridge/answers/outline.ts'
import { readShelfQuestion } from '#bridge/answers/shelf-question.ts'
import { textsFor } from '#bridge/texts/texts.ts'
import { cited, markdown, setUpBridge } from '#test/support/bridge/set-up.ts'

describe('a question about the shelf', () => {
  it.each([
    ['what is in tides.xlsx?', { kind: 'contents', name: 'tides.xlsx' }],
    ['What does the runbook contain?', { kind: 'contents', name: 'the runbook' }],
    ['Was steht in der Hausordnung?', { kind: 'contents', name: 'der Hausordnung' }],
    ['Summarise the handbook', { kind: 'summary', name: 'the handbook' }],
    ['Please summarize handbook.pdf for me', { kind: 'summary', name: 'handbook.pdf' }],
    ['Can you give me a short summary of the travel policy?', { kind: 'summary', name: 'the travel policy' }],
    ['what is runbook.md about', { kind: 'summary', name: 'runbook.md' }],
    ['Kannst du mir das Handbuch kurz zusammenfassen?', { kind: 'summary', name: 'das Handbuch' }],
    ['Fass mir bitte die Hausordnung zusammen', { kind: 'summary', name: 'die Hausordnung' }],
    ['Worum geht es in der Satzung?', { kind: 'summary', name: 'der Satzung' }],
    ['who dropped this?', { kind: 'dropper', name: 'this' }],
    ['Who uploaded the price list?', { kind: 'dropper', name: 'the price list' }],
    ['Von wem ist das?', { kind: 'dropper', name: 'das' }],
    ['Wann wurde plan.md hochgeladen?', { kind: 'dropper', name: 'plan.md' }],
    ['what is new since Monday?', { kind: 'news', since: { weekday: 1 } }],
    ['what’s new', { kind: 'news', since: { days: 7 } }],
    ['Was gibt es Neues seit gestern?', { kind: 'news', since: { days: 1 } }],
    ['Was ist neu seit letztem Freitag?', { kind: 'news', since: { weekday: 5 } }],
    ['which files are new today?', { kind: 'news', since: { days: 0 } }],
    ['any news from the last 3 days', { kind: 'news', since: { days: 3 } }],
    ['what changed since 2024-13-45', { kind: 'news', since: { days: 7 } }],
    ['When does the ferry leave?', undefined],
    ['Who is the manager of the warehouse?', undefined],
    ['How many days of leave are there?', undefined],
  ])('is told by its wording: %s', (text, question) => {
    expect(readShelfQuestion(text)).toEqual(question)
  })
})

it('an outline has headings with their first sentences, and tables with their columns', () => {
  const text =
    '# Rules\n\nDr. Ada wrote it. It is long.\n\n## Fees\n\n| Kind | Price |\n|---|---|\n| Adult | 4 |\n| Child | 2 |\n\n```\n# no heading\n```\n'
  expect(toOutline(text, textsFor('en'))).toBe(
    '- **Rules**: Dr. Ada wrote it.\n  - **Fees**: a table of 2 rows (Kind · Price)',
  )
  expect(toOutline('One. Two [x](https://evil.example).', textsFor('en'))).not.toContain('](')
  expect(toOutline('# [x](https://evil.example)\n', textsFor('en'))).not.toContain('](')
})

const HANDBOOK = '# Handbook\n\nFor everybody.\n\n## Leave\n\nThirty days of leave. Ask early.\n'

async function withFiles(options: Parameters<typeof setUpBridge>[0] = {}) {
  const all = await setUpBridge(options)
  all.chat.drop([markdown('handbook.md', HANDBOOK), markdown('price-list.md', '# Prices\n\nTea costs two euros.')])
  await all.shows(/handbook[^]*ready[^]*price-list[^]*ready/)
  const gaps = async () => all.store().answers.unanswered('fake:W1:C1', 9)
  return { ...all, gaps }
}

describe('without a model', () => {
  it('the shelf answers for itself, in both languages, and nothing of it is a gap', async () => {
    const { chat, platform, shows, gaps } = await withFiles({ models: ['extractive'] })
    const cem = { id: 'U3', name: 'Cem', language: 'de' }
    chat.mention('Hi, what can you do?', { thread: 'a' })
    await shows(/^Mention me with a question/)
    chat.mention('What can you help me with?', { thread: 'a2', author: cem })
    await shows(/^Erwähne mich/)
    chat.mention('Which files do you have?', { thread: 'b' })
    await shows(/^\*\*2 files\*\*[^]*handbook\.md[^]*price-list\.md|^\*\*2 files\*\*[^]*price-list\.md[^]*handbook\.md/)
    chat.mention('Welche Dateien gibt es hier?', { thread: 'c', author: cem })
    await shows(/^\*\*2 Dateien\*\*/)
    chat.mention('Summarise the handbook', { thread: 'd' })
    expect((await shows(/^This is in/)).text).toBe(
      'This is in **handbook.md**:\n\n- **Handbook**: For everybody.\n  - **Leave**: Thirty days of leave.',
    )
    chat.mention('Was steht in der price list?', { thread: 'e', author: cem })
    await shows(/^Das steht in \*\*price-list\.md\*\*:\n\n- \*\*Prices\*\*: Tea costs two euros\./)
    chat.mention('What’s new since yesterday?', { thread: 'f' })
    await shows(/^No file is new since .*\. The newest one:\n- \*\*price-list\.md\*\* — Anna, 1 Jan$/)
    chat.mention('Who dropped the handbook?', { thread: 'g' })
    await shows(/^\*\*handbook\.md\*\* was dropped by Anna on /)
    expect(platform.script.requests).toEqual([])
    expect(await gaps()).toEqual([])
  })

  it('who dropped this: the file of the last answer', async () => {
    const { chat, platform, shows } = await withFiles({ models: ['extractive'] })
    platform.script.answer(cited('Thirty.', 'handbook.md', 'Thirty days of leave.'))
    chat.mention('How many days of leave?', { thread: 'a' })
    await shows(/^Thirty/)
    chat.say('who dropped this?', { thread: 'a' })
    expect((await shows(/was dropped by/)).text).toMatch(/^\*\*handbook\.md\*\* was dropped by Anna/)
  })

  it.each([
    [
      'Who uploaded the shift plan?',
      /^I know no file “shift plan” here\. These are the newest:\n- \*\*price-list\.md\*\*/,
    ],
    ['Wer hat den Schichtplan hochgeladen?', /^Eine Datei „Schichtplan“ kenne ich hier nicht\. Die neuesten sind:\n- /],
  ])('%s: where no such file is here, the newest are named, and it is no gap', async (question, shown) => {
    const { chat, platform, shows, gaps } = await withFiles({ models: ['extractive'] })
    platform.script.answer('NOT_IN_FILES')
    chat.mention(question, { author: { id: 'U3', name: 'Cem', language: question.startsWith('Wer') ? 'de' : 'en' } })
    const { text } = await shows(shown)
    expect(text).toContain('handbook.md')
    expect(await gaps()).toEqual([])
  })

  it('who dropped something that is no file is asked of the files', async () => {
    const { chat, platform, shows, gaps } = await withFiles({ models: ['extractive'] })
    platform.script.answer('NOT_IN_FILES')
    chat.mention('Who added the salt?')
    await shows(/Not in this channel|no passage/i)
    expect(await gaps()).toHaveLength(1)
  })

  it('a question that names no file here is one about what stands in them', async () => {
    const { chat, platform, shows } = await withFiles({ models: ['extractive'] })
    platform.script.answer(cited('Tea.', 'price-list.md', 'Tea costs two euros.'))
    chat.mention('What is in the cup?')
    expect((await shows(/^Tea/)).outgoing.references).toHaveLength(1)
  })
})

it('with a model a file is summarised part by part, and by its beginning only if it is very long', async () => {
  const { chat, platform, shows, gaps } = await setUpBridge().then(async (all) => {
    all.chat.drop([markdown('short.md', HANDBOOK)])
    await all.shows(/short.*ready/)
    return { ...all, gaps: async () => all.store().answers.unanswered('fake:W1:C1', 9) }
  })
  platform.script.answer('Leave is [thirty](https://evil.example) days.')
  chat.mention('Please summarise short.md')
  const { text } = await shows(/^Leave is/)
  expect(text).not.toContain('](')
  expect(platform.script.requests[0]?.collection).toBeUndefined()
  expect(platform.script.requests[0]?.messages[1]?.content).toMatch(/^The text of the file short\.md:\n> # Handbook\n/)
  expect(await gaps()).toEqual([])
})

it('a summary that the model ended at its limit says so, and offers no other wording of what it rests on', async () => {
  const { chat, platform, shows } = await setUpBridge()
  chat.drop([markdown('short.md', HANDBOOK)])
  await shows(/short.*ready/)
  platform.script.answer([
    { type: 'text', text: 'Leave is thirty' },
    { type: 'finish', reason: 'length' },
  ])
  chat.mention('Please summarise short.md')
  const { text, outgoing } = await shows(/^Leave is/)
  expect(text).toContain(textsFor('en').cutByLength)
  expect(outgoing.actions?.map(({ label }) => label)).toEqual(['👍', '👎'])
})
