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
    ['How many pages has the handbook?', { kind: 'pages', name: 'the handbook' }],
    ['How many pages does the handbook have?', { kind: 'pages', name: 'the handbook' }],
    ['Wie viele Seiten hat das Handbuch?', { kind: 'pages', name: 'das Handbuch' }],
    ['What is on page 6 of the handbook?', { kind: 'page', name: 'the handbook', page: 6 }],
    ['what does page 2 say', { kind: 'page', name: undefined, page: 2 }],
    ['Was steht auf Seite 6?', { kind: 'page', name: undefined, page: 6 }],
    ['Was steht im Handbuch auf Seite 3?', { kind: 'page', name: 'Handbuch', page: 3 }],
    ['Which file is about the delivery delay?', { kind: 'whichFile', topic: 'the delivery delay' }],
    ['What does the presentation say about risks?', { kind: 'inFile', name: 'the presentation', topic: 'risks' }],
    ['What is said about tea in the price list?', { kind: 'inFile', name: 'the price list', topic: 'tea' }],
    [
      'On which page of the handbook do I find the stuff about vans?',
      { kind: 'inFile', name: 'the handbook', topic: 'vans', asksPage: true },
    ],
    [
      'Auf welcher Seite im Handbuch steht etwas über Urlaub?',
      { kind: 'inFile', name: 'Handbuch', topic: 'Urlaub', asksPage: true },
    ],
    ['Was steht im Handbuch über Urlaub?', { kind: 'inFile', name: 'Handbuch', topic: 'Urlaub' }],
    ['Which documents mention parking?', { kind: 'whichFile', topic: 'parking' }],
    ['In welcher Datei steht etwas über Parkplätze?', { kind: 'whichFile', topic: 'Parkplätze' }],
    ['Welche Datei handelt vom Urlaub?', { kind: 'whichFile', topic: 'Urlaub' }],
    ['delete the price list', { kind: 'remove', name: 'the price list' }],
    ['Could you please remove prices.csv?', { kind: 'remove', name: 'prices.csv' }],
    ['Lösch bitte die Preisliste', { kind: 'remove', name: 'die Preisliste' }],
    ['Kannst du die Preisliste löschen?', { kind: 'remove', name: 'die Preisliste' }],
    ['What is the newest file?', { kind: 'newest', name: 'the newest file' }],
    ['Welche ist die neueste Präsentation?', { kind: 'newest', name: 'die neueste Präsentation' }],
    ['Which sheets does the spreadsheet have?', { kind: 'contents', name: 'the spreadsheet' }],
    ['Which file is the newest?', { kind: 'newest', name: 'the newest file' }],
    ['Which PDF was uploaded last?', { kind: 'newest', name: 'last PDF' }],
    ['Welche Datei ist die neueste?', { kind: 'newest', name: 'die neueste Datei' }],
    ['Welche Datei wurde zuletzt hochgeladen?', { kind: 'newest', name: 'zuletzt Datei' }],
    ['How many pages has the crew handbook got?', { kind: 'pages', name: 'the crew handbook' }],
    ['sheets in the accounts workbook', { kind: 'contents', name: 'the accounts workbook' }],
    ['What is in the newest file?', { kind: 'contents', name: 'the newest file' }],
    ['whats the newest file we have here', { kind: 'newest', name: 'the newest file' }],
    ['what was the last file that was uploaded', { kind: 'newest', name: 'the last file' }],
    ['which of the files is newest', { kind: 'newest', name: 'newest file' }],
    ['Which file says something about the new kiln?', { kind: 'whichFile', topic: 'the new kiln' }],
    ['which file has the prices in it', { kind: 'whichFile', topic: 'the prices' }],
    ['what file is the price list in?', { kind: 'whichFile', topic: 'the price list' }],
    ['is there a file about insurance?', { kind: 'whichFile', topic: 'insurance' }],
    ['do we have anything on insurance', { kind: 'whichFile', topic: 'insurance' }],
    ['Where can I read about parental leave?', { kind: 'whichFile', topic: 'parental leave' }],
    ['haben wir etwas über Versicherungen', { kind: 'whichFile', topic: 'Versicherungen' }],
    ['Wo steht etwas über Elternzeit?', { kind: 'whichFile', topic: 'Elternzeit' }],
    ['worum gehts in der präsentation', { kind: 'summary', name: 'der präsentation' }],
    ['do we have any meetings on Friday', undefined],
    ['are there any fees for late payment', undefined],
    ['who is the newest member', undefined],
    ['How do I delete an order?', undefined],
    ['How many pages may a report have?', undefined],
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
    '- **Rules**: Dr. Ada wrote it.\n  - It is long.\n  - **Fees**: a table of 2 rows (Kind · Price)',
  )
  expect(toOutline('One. Two [x](https://evil.example).', textsFor('en'))).not.toContain('](')
  expect(toOutline('# [x](https://evil.example)\n', textsFor('en'))).not.toContain('](')
})

it('an outline of a short file has each of its points, that of a long one a point of each section', () => {
  const notes = '# Notes\n\nthere: Ada\n\n- wifi: new provider\n- [ ] Ben: quotes\n1. keys: **14** missing\n'
  expect(toOutline(notes, textsFor('en'))).toBe(
    '- **Notes**: there: Ada\n  - wifi: new provider\n  - Ben: quotes\n  - keys: 14 missing',
  )
  const long = Array.from({ length: 14 }, (_, at) => `## Part ${at}\n\nOne. Two. Three.\n`).join('\n')
  const lines = toOutline(long, textsFor('en')).split('\n')
  expect(lines).toHaveLength(16)
  expect(lines.slice(0, 5)).toEqual([
    '- **Part 0**: One.',
    '  - Two.',
    '- **Part 1**: One.',
    '  - Two.',
    '- **Part 2**: One.',
  ])
})

it('the outline of a letter begins after its salutation', () => {
  const letter =
    'Eleanor Vale\n14 Mill Row\n\nYork, 17 May 2026\n\nDear Mr Devlin,\n\nThe piano has a scratch. We want 620 pounds.\n'
  expect(toOutline(letter, textsFor('en'))).toBe('- The piano has a scratch.\n- We want 620 pounds.')
  expect(toOutline('One, two, three. Four.', textsFor('en'))).toBe('- One, two, three.\n- Four.')
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
    chat.mention('Wobei kannst du mir helfen?', { thread: 'a2', author: cem })
    await shows(/^Erwähne mich/)
    chat.mention('Which files do you have?', { thread: 'b' })
    await shows(/^\*\*2 files\*\*[^]*handbook\.md[^]*price-list\.md|^\*\*2 files\*\*[^]*price-list\.md[^]*handbook\.md/)
    chat.mention('Welche Dateien gibt es hier?', { thread: 'c', author: cem })
    await shows(/^\*\*2 Dateien\*\*/)
    chat.mention('Summarise the handbook', { thread: 'd' })
    expect((await shows(/^This is in/)).text).toBe(
      'This is in **handbook.md**:\n\n- **Handbook**: For everybody.\n  - **Leave**: Thirty days of leave.\n    - Ask early.',
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

  it.each([
    ['How many pages has the guide?', '**guide.md** has 2 pages.'],
    ['What is on page 2 of the guide?', '**guide.md**, page 2:\n\n> Tides\n>\n> High · 9:40'],
    ['What is on page 3 of the guide?', 'There is no page 3. **guide.md** has 2 pages.'],
    ['How many slides has the kickoff?', '**kickoff.md** has 2 slides.'],
    ['Was steht auf Folie 2 von kickoff.md?', '**kickoff.md**, Folie 2:\n\n> Slide 2: Money\n>\n> None is left.'],
    ['How many pages has the price list?', /^\*\*price-list\.md\*\* has no page numbers\. This is in it:\n\n- /],
    ['delete the price list', 'Write `forget price-list.md` to remove it. I ask before I do.'],
    ['Lösche bitte das Handbook', 'Schreib `vergiss handbook.md`, um sie zu entfernen. Ich frage vorher nach.'],
    ['What is the newest file?', /^The newest file:\n- \*\*kickoff\.md\*\* — Anna, /],
    ['What is in the newest file?', /^This is in \*\*kickoff\.md\*\*/],
    ['Summarise the prise list', /^This is in \*\*price-list\.md\*\*/],
    ['Summarise the bylaws of the club', /^This is in \*\*2026-01\.md\*\*/],
  ])('%s is answered by the file itself', async (question, shown) => {
    const { chat, platform, shows } = await withFiles({ models: ['extractive'] })
    const more = [
      markdown('2026-01.md', '# Bylaws of the club\n\nThe seat is Kiel.\n'),
      markdown('guide.md', '<!-- page 1 -->\n\n# Guide\n\n<!-- page 2 -->\n\n## Tides\n\n| High | 9:40 |\n|---|---|\n'),
      markdown('kickoff.md', '## Slide 1\n\nHello.\n\n## Slide 2: Money\n\nNone is left.\n'),
    ]
    for (const file of more) {
      chat.drop([file])
      await shows(new RegExp(`${file.name.replace('.', String.raw`\.`)}[^]*ready`))
    }
    const language = /^(Was|Lö)/.test(question) ? 'de' : 'en'
    chat.mention(question, { thread: 'q', author: { id: 'U3', name: 'Cem', language } })
    const { text } = await shows(typeof shown === 'string' ? new RegExp(`^${RegExp.escape(shown)}$`) : shown)
    expect(text).toMatch(shown)
    expect(platform.script.requests).toEqual([])
  })

  it('which file is about something: names of files come first, and a name alone is enough', async () => {
    const { chat, platform, shows, gaps } = await withFiles({ models: ['extractive'] })
    platform.script.answer(cited('Tea.', 'price-list.md', 'Tea costs two euros.'))
    chat.mention('Which file is about tea?', { thread: 'a' })
    expect((await shows(/^It is in \*\*price-list\.md\*\*\.\n\nTea/)).outgoing.references).toHaveLength(1)
    expect(JSON.stringify(platform.script.requests.at(-1)?.messages.at(-1))).not.toContain('file')
    platform.script.answer('NOT_IN_FILES')
    chat.mention('Which file is about the handbook?', { thread: 'b' })
    expect((await shows(/^It is in \*\*handbook/)).text).toBe('It is in **handbook.md**.')
    expect(await gaps()).toEqual([])
  })

  it('what one file says about something is looked for in this file alone, and then in all', async () => {
    const { chat, platform, shows } = await withFiles({ models: ['extractive'] })
    platform.script.answer(cited('Tea.', 'price-list.md', 'Tea costs two euros.'))
    chat.mention('What does the price list say about tea?', { thread: 'a' })
    await shows(/^Tea/)
    expect(platform.script.requests.at(-1)).toMatchObject({ file: 'price-list.md' })
    platform.script.answer('NOT_IN_FILES')
    platform.script.answer(cited('Coffee.', 'handbook.md', 'The handbook.'))
    chat.mention('What does the price list say about coffee?', { thread: 'b' })
    await shows(/^Coffee/)
    expect(platform.script.requests.at(-1)).not.toHaveProperty('file')
  })

  it('a scan may be a PDF, where there is no picture', async () => {
    const { chat, shows } = await withFiles({ models: ['extractive'] })
    chat.drop([{ ...markdown('lease.pdf', '# Lease'), mimeType: 'application/pdf' }])
    await shows(/lease\.pdf/)
    chat.mention('delete the scan', { thread: 'a' })
    expect((await shows(/^Write/)).text).toContain('forget lease.pdf')
  })

  it('a file is known by its kind and what it is about', async () => {
    const { chat, shows } = await withFiles({ models: ['extractive'] })
    chat.mention('Which file is the newest?', { thread: 'a' })
    await shows(/^The newest files, 2 dropped together:\n- .*\n- /)
    chat.drop([{ ...markdown('Re_ ferry.eml', 'From: Marijke\n\nThe ferry is booked.'), mimeType: 'message/rfc822' }])
    await shows(/ferry\.eml[^]*ready/)
    chat.drop([markdown('letter_Vasey_claim.md', 'Dear Sirs, my piano is damaged.')])
    await shows(/claim\.md[^]*ready/)
    chat.mention('give me a short summary of the letter from Mrs Vasey', { thread: 'b' })
    await shows(/^This is in \*\*letter.*claim\.md\*\*/)
    chat.mention('Summarise the mail from Marijke', { thread: 'c' })
    expect((await shows(/^This is in \*\*Re.*ferry\.eml\*\*/)).text).not.toContain('Vasey')
  })

  it('where several files fit, they are named', async () => {
    const { chat, shows } = await withFiles({ models: ['extractive'] })
    chat.drop([markdown('price-list-old.md', 'Tea costs one euro.')])
    await shows(/old\.md[^]*ready/)
    chat.mention('Summarise the price list', { thread: 'a' })
    const { text } = await shows(/^Several files fit\. Which one do you mean\?\n/)
    expect(text.match(/\*\*.+?\*\*/g)).toEqual(['**price-list-old.md**', '**price-list.md**'])
  })

  it('a file that is not here is not the only one of its kind', async () => {
    const { chat, platform, shows } = await withFiles({ models: ['extractive'] })
    chat.drop([{ ...markdown('kickoff.eml', 'Subject: Kickoff\n\nHello.'), mimeType: 'message/rfc822' }])
    await shows(/kickoff\.eml[^]*ready/)
    platform.script.answer('NOT_IN_FILES')
    chat.mention('Summarise budget mail', { thread: 'a' })
    await shows(/Not in this channel/)
    chat.mention('delete the mail', { thread: 'b' })
    expect((await shows(/^Write/)).text).toContain('forget kickoff.eml')
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
      /^There is no file “shift plan” here\. These are the newest:\n- \*\*price-list\.md\*\*/,
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

  it.each(['Who sent the email?', 'What does the price list cost?', 'What is the length of the price list?'])(
    '%s is asked of the files',
    async (question) => {
      const { chat, platform, shows } = await withFiles({ models: ['extractive'] })
      chat.drop([{ ...markdown('kickoff.eml', 'Subject: Kickoff\n\nHello.'), mimeType: 'message/rfc822' }])
      await shows(/kickoff\.eml[^]*ready/)
      platform.script.answer('NOT_IN_FILES')
      chat.mention(question)
      expect((await shows(/Not in this channel/)).text).not.toContain('dropped by')
    },
  )

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
