import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { answerLanguage } from '#platform/engine/answer/extractive.ts'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { createEngine } from '#platform/engine/engine.ts'
import { createLogSink } from '#test/platform/server/platform.ts'

const PRICES = `## Prices

| Product | Category | Price | Stock |
| --- | --- | --- | --- |
| Sofa Oslo | Living room | 1.299,00 € | 4 |
| Sofa Bergen | Living room | 899,50 € | 0 |
| Desk Narvik | Office | 349,00 € | 12 |
| Chair Bodø | Office | 89,90 € | 40 |
| Lamp Røros | Lighting | 45,00 € | |
| Total |  | 2.682,40 € | 56 |
`
const STAFF = `| Name | City | Department | Start | Salary |
| --- | --- | --- | --- | --- |
| Anna Berg | Berlin | Sales | 2019-03-01 | 52,000 |
| Tom Hale | London | Engineering | 2021-11-15 | 71,500 |
| Li Wei | Berlin | Engineering | 2020-06-01 | 68,250 |
| Maria Silva | Lisbon | Support | 2023-01-09 | 39,900 |
`
const MACHINES = `## Machines

| Model | Type | Price (EUR) | In stock |
| --- | --- | --- | --- |
| Linea Duo | espresso machine | 4890 | 3 |
| Piccolo S | espresso machine | 1290 | 11 |
| Grindwell 64 | grinder | 690 | 0 |
| PourBar | filter machine | 1990 | 0 |
`
const BEANS = `| Coffee | Origin | Price per kg (EUR) | Organic |
| --- | --- | --- | --- |
| Aurora | Ethiopia | 27.5 | yes |
| Midnight Decaf | Mexico | 24.2 | yes |
| House Crema | Vietnam | 16.4 | no |
`
const EXPENSES = `| Datum | Lieferant | Kategorie | Betrag | Bezahlt |
| --- | --- | --- | --- | --- |
| 22.07.2026 | Stadtwerke | Energie | 2.870,35 | ja |
| 05.08.2026 | Fazenda Export | Rohkaffee | 48.200,00 | ja |
| 21.08.2026 | Stadtwerke | Energie | 2.790,10 | ja |
| 02.09.2026 | Papier Union | Verpackung | 1.310,40 | nein |
| 18.10.2026 | Stadtwerke | Energie | 2.655,80 | nein |
`
const MEMBERS = `| Name | Joined | Newsletter |
| --- | --- | --- |
| Anna Kruse | 2019-03-01 | yes |
| Bilal Demir | 2021-07-15 | no |
| Dmitri Orlov | 2025-11-05 | yes |
`
const INVENTORY = `## Inventory

| Asset tag | Item | Value |
| --- | --- | --- |
| A-001 | Projector | 899 |
| A-002 | Piano | 4200 |
`
const DISHES = `| Dish | Vegan | Spicy |
| --- | --- | --- |
| Curry | yes | yes |
| Salad | yes | no |
| Schnitzel | no | no |
`
const ROOMS = `| Room | Seats | Projector |
| --- | --- | --- |
| Blue | 8 | yes |
| Red | 20 | no |
`
const INVOICES = `| Invoice | Supplier | Category | Date | Amount | Paid |
| --- | --- | --- | --- | --- | --- |
| I-1 | Acme | Travel | 2026-03-02 | 100 | yes |
| I-2 | Birch | Office | 2026-05-09 | 200 | yes |
| I-3 | Acme | Travel | 2026-06-11 | 400 | no |
| I-4 | Cedar | Office | 2025-08-20 | 50 | no |
`
const WORK = `| Customer | Hours |
| --- | --- |
| Nord | 2 |
| Nord | 3 |
| Süd | 4 |
`
const BOATS = `| Boat | Available |
| --- | --- |
| Laser | yes |
| Finn | no |
| Optimist | yes |
`
const ask = (question: string, ...tables: readonly string[]) =>
  answerFromTables(
    question,
    tables.map((text, at) => ({ file: ['prices.xlsx.md', 'employees.csv.md'][at] ?? '', tables: readTables(text) })),
    answerLanguage(question),
  )

describe('a question about a table', () => {
  it.each([
    [
      'What is the most expensive product?',
      /all 5 rows of prices\.xlsx, Prices[^]*Highest Price: 1\.299,00 €[^]*Sofa Oslo.*\(row 2\)/,
    ],
    ['Which product is the cheapest?', /Lowest Price: 45,00 €[^]*Lamp Røros.*\(row 6\)/],
    ['What is the average price?', /Average of Price: 536,48 € \(5 rows\)/],
    ['Summe der Preise', /Summe von Price: 2.682,40 € \(5 Zeilen\)/],
    ['How many products cost more than 100?', /\*\*Products: 3\*\*/],
    ['Welche Produkte kosten zwischen 80 und 349 Euro?', /\*\*2 Zeilen: [^]*Narvik[^]*Bodø/],
    ['Which products cost at least 899.5 €?', /\*\*2 rows: [^]*Oslo[^]*Bergen/],
    ['Which products cost at least 899,5 €?', /\*\*2 rows: [^]*Oslo[^]*Bergen/],
    ['Total stock of office products', /2 of the 5 rows[^]*Sum of Stock: 52/],
    ['What is the total stock?', /Sum of Stock: 56 \(4 rows\)[^]*One row has no value there/],
    ['Which products are out of stock?', /\*\*[^*]*Bergen[^*]*\*\*/],
    ['Was ist ausverkauft?', /Bergen/],
    ['Welche Produkte sind nicht auf Lager?', /\*\*[^*]*Bergen[^*]*\*\*/],
    ['Which products are in stock?', /\*\*3 rows: [^]*Oslo[^]*Narvik[^]*Bodø/],
    ['How many Chair Bodø are in stock?', /Stock: 40/],
    ['How much does the Sofa Oslo cost?', /From prices\.xlsx, Prices[^]*Price: 1\.299,00 €/],
    ['Was kostet die Lampe Røros?', /Das steht in[^]*45,00 €[^]*\(Zeile 6\)/],
    ['Who started most recently?', /Latest Start: 9 January 2023[^]*Maria Silva/],
    ['Who was hired before 2020?', /\*\*[^*]*Anna Berg[^*]*\*\*/],
    ['Wie viele Mitarbeiter arbeiten in Berlin?', /2 der 4 Zeilen von employees\.csv[^]*\*\*Mitarbeiter: 2\*\*/],
    ['What is the highest salary in Berlin?', /Highest Salary: 68,250[^]*Li Wei/],
    ['Which employees are in engineering?', /\*\*2 rows: [^]*Tom Hale[^]*Li Wei/],
    ["What is Tom Hale's salary?", /Salary: 71,500/],
    ['Where does Maria Silva work?', /City: Lisbon/],
    ['Wer verdient am meisten?', /71,500[^]*Tom Hale/],
    ['What is the average price in Japan?', /undefined/],
    ['Who is the CEO?', /undefined/],
    ['How many days of vacation do I have?', /undefined/],
    ['Can I work from Spain for a month?', /undefined/],
    ['What does the handbook say about the most important rule?', /undefined/],
    ['Which lamps cost more than 100?', /undefined/],
  ])('%s', (question, expected) => {
    expect(String(ask(question, PRICES, STAFF)?.text)).toMatch(expected)
  })

  it.each([
    // The cell of a row tells how many there are.
    ['How many Grindwell 64 do we have in stock?', /From .*[^]*\*\*Grindwell 64, In stock: 0\*\*/],
    ['How many espresso machines do we have?', /\*\*Sum of In stock: 14 \(2 rows\)\*\*/],
    // The name of the sheet names all of its rows.
    ['Which machines are sold out?', /\*\*2 rows: [^]*Grindwell 64[^]*PourBar/],
    // Columns of yes and no.
    ['Which coffees are organic?', /\*\*2 rows: [^]*Aurora[^]*Midnight Decaf/],
    ['Which coffees are not organic?', /\*\*[^*]*House Crema[^*]*\*\*/],
    ['How many coffees are organic?', /\*\*Coffees: 2\*\*/],
    ['What is the cheapest organic coffee?', /Lowest Price[^]*24\.2[^]*Midnight Decaf/],
    ['What does Midnight Decaf cost per kilo?', /\*\*Midnight Decaf, Price per kg \(EUR\): 24\.2\*\*/],
    ['Is House Crema organic?', /\*\*House Crema, Organic: no\*\*/],
    ['Welche Rechnungen sind noch nicht bezahlt?', /\*\*2 Zeilen: [^]*Papier Union[^]*Stadtwerke/],
    ['Welche Rechnungen sind unbezahlt?', /\*\*2 Zeilen: [^]*Papier Union[^]*Stadtwerke/],
    // Several payments are added; a month, a quarter and a year choose rows by their date.
    ['Wie viel haben wir für Energie ausgegeben?', /Summe von Betrag: 8.316,25 \(3 Zeilen\)/],
    ['Wie viel haben wir im dritten Quartal für Energie ausgegeben?', /Summe von Betrag: 5.660,45 \(2 Zeilen\)/],
    ['Wie viel haben wir im August 2026 bezahlt?', /Summe von Betrag: 50\.990,10 \(2 Zeilen\)/],
    ['How much did we spend in Q3 2026?', /Sum of Betrag: 55\.170,85 \(4 rows\)/],
    ['Wie viel haben wir 2025 ausgegeben?', /undefined/],
    ['Wie viel haben wir im Mai ausgegeben?', /undefined/],
    ['How much did we pay Stadtwerke?', /Sum of Betrag: 8.316,25/],
    ['Who joined last?', /Latest Joined: 5 November 2025[^]*Dmitri Orlov/],
    ['Wer ist zuletzt beigetreten?', /undefined/],
    ["Who doesn't get the newsletter?", /\*\*[^*]*Bilal Demir[^*]*\*\*/],
    ['Who gets the newsletter?', /\*\*2 rows: [^]*Anna Kruse[^]*Dmitri Orlov/],
    // A tag of letters and digits is no number to add up.
    ['What is the total value of the inventory?', /Sum of Value: 5099 \(2 rows\)/],
    ['Which coffees are fair trade?', /undefined/],
    ['Is coffee healthy?', /undefined/],
  ])('of everyday use: %s', (question, expected) => {
    expect(String(ask(question, MACHINES, BEANS, EXPENSES, MEMBERS, INVENTORY)?.text)).toMatch(expected)
  })

  it.each([
    // A negation is for the next condition after it.
    ['Which dishes are vegan but not spicy?', /\*\*[^*]*Salad[^*]*\*\*/],
    ['Which dishes are spicy and not vegan?', /No row|undefined/],
    ['Which dishes are not vegan?', /\*\*[^*]*Schnitzel[^*]*\*\*/],
    ['Which dishes are vegan or spicy?', /undefined/],
    ['Which dishes are neither vegan nor spicy?', /\*\*[^*]*Schnitzel[^*]*\*\*/],
    ['Welche Gerichte sind weder vegan noch spicy?', /undefined/],
    ['Welche Gerichte sind vegan, aber nicht spicy?', /\*\*[^*]*Salad[^*]*\*\*/],
    ['Which room is not too big and has a projector?', /undefined/],
    ['Which rooms have a projector?', /\*\*[^*]*Blue[^*]*\*\*/],
    ['Which rooms have no projector?', /\*\*[^*]*Red[^*]*\*\*/],
    ['Which rooms do not hold more than 10 people?', /undefined/],
    ['How much did we spend excluding travel?', /undefined/],
    ['How much did we spend except travel?', /undefined/],
    ['How much did we spend on everything but travel?', /undefined/],
    ['How much did we spend without travel?', /undefined/],
    ['Wie viel haben wir ohne Travel ausgegeben?', /undefined/],
    ['Wie viel haben wir außer für Travel ausgegeben?', /undefined/],
    ['How much did we spend on travel?', /Sum of Amount: 500 \(2 rows\)/],
    ['Which invoices are not from Acme?', /undefined/],
    ['Which invoices are from Acme?', /\*\*2 rows: /],
    ['Which invoices are not due in March?', /undefined/],
    ['Which invoices of Acme are not paid?', /\*\*[^*]*I-3[^*]*\*\*/],
    // Months and times that are not understood.
    ['How much did we spend in May?', /Sum of Amount: 200 \(1 row\)/],
    ['How much did we spend in May 2026?', /Sum of Amount: 200 \(1 row\)/],
    ['How much did we spend in May and June?', /undefined/],
    ['How much did we spend from May to August?', /undefined/],
    ['How much did we spend between May and August?', /undefined/],
    ['How much did we spend May-August?', /undefined/],
    ['Wie viel haben wir im Mai und Juni ausgegeben?', /undefined/],
    ['Wie viel haben wir von Mai bis Juni ausgegeben?', /undefined/],
    ['How much did we spend last month?', /undefined/],
    ['How much did we spend this year?', /undefined/],
    ['How much did we spend in March last year?', /undefined/],
    ['How much did we spend today?', /undefined/],
    ['How much did we spend since March?', /undefined/],
    ['How much did we spend after the merger?', /undefined/],
    ['Wie viel haben wir letztes Jahr ausgegeben?', /undefined/],
    ['Wie viel haben wir dieses Quartal ausgegeben?', /undefined/],
    ['What is the total overdue amount?', /undefined/],
    // Words that change what is computed.
    ['What are the three highest amounts?', /Highest Amount/i],
    ['What are the 3 highest amounts?', /Highest Amount/i],
    ['Was ist der zweithöchste Betrag?', /undefined/],
    ['What is the highest amount?', /Highest Amount: 400/],
    ['Wie groß ist der Unterschied zwischen dem höchsten und dem niedrigsten Amount?', /undefined/],
    ['What did we spend on average per month?', /undefined/],
    ['What is the average amount per supplier?', /\| Acme \| 250 /],
    ['What is the total amount by supplier?', /\| Acme \| 500 /],
    ['What share of the total amount is travel?', /66.7 % .500 of 750/],
    ['Which category has the highest total amount?', /Highest: Travel, 500/],
    ['Which category did we spend the most on?', /Highest: Travel, 500/],
    ['Wofür haben wir am meisten ausgegeben?', /undefined/],
    ['Which invoices are at least half paid?', /undefined/],
    ['How many suppliers are there?', /\*\*Supplier: 3 different\*\*/],
    ['How many invoices are there?', /\*\*Invoices: 4\*\*/],
    ['Wie viele Supplier gibt es?', /\*\*Supplier: 3 verschiedene\*\*/],
    ['How many customers are there?', /\*\*Customer: 2 different\*\*/],
    ['How many hours did we work in total?', /Sum of Hours: 9/],
    ['How many customers are there in total?', /\*\*Customer: 2 different\*\*/],
    // A column of yes and no for a stock.
    ['Which boats are not available?', /\*\*[^*]*Finn[^*]*\*\*/],
    ['Which boats are unavailable?', /\*\*[^*]*Finn[^*]*\*\*/],
    ["Which boats aren't available?", /\*\*[^*]*Finn[^*]*\*\*/],
    ['Which boats are in stock?', /\*\*2 rows: [^]*Laser[^]*Optimist/],
    ['Which boats are available?', /\*\*2 rows: [^]*Laser[^]*Optimist/],
    ['Welche Boote sind nicht verfügbar?', /\*\*[^*]*Finn[^*]*\*\*/],
    ['Welche Boote sind verfügbar?', /\*\*2 Zeilen: [^]*Laser[^]*Optimist/],
  ])('with a word that limits it: %s', (question, expected) => {
    const sources = Object.entries({ dishes: DISHES, rooms: ROOMS, invoices: INVOICES, work: WORK, boote: BOATS })
    const tables = sources.map(([file, text]) => ({ file: `${file}.csv.md`, tables: readTables(text) }))
    expect(String(answerFromTables(question, tables, answerLanguage(question))?.text)).toMatch(expected)
  })

  it.each([
    ['What is the cheapest product in stock?', /Lowest Price: 89,90 €[^]*Bodø/],
    ['Which products cost less than 100 € and are in stock?', /\*\*[^*]*Bodø[^*]*\*\*/],
    ['How many products are in stock?', /undefined/],
    ['Is the Sofa Bergen in stock?', /\*\*Sofa Bergen, Stock: 0\*\*/],
    ['How many products are out of stock?', /\*\*Products: 1\*\*/],
    ['What is the average price of products with stock over 10?', /Average of Price: 219,45 € \(2 rows\)/],
    ['Which products cost less than 900 and have a stock over 10?', /undefined/],
    ['Which product costs more than the Desk Narvik?', /undefined/],
    ['Who was hired after 2020?', /\*\*2 rows: [^]*Tom Hale[^]*Maria Silva/],
    ['Who joined after Tom Hale?', /undefined/],
    ['Which employees are in Berlin or London?', /\*\*3 rows: /],
    ['Which employees are in Lisbon or in engineering?', /undefined/],
    ['Which department has the highest salary?', /undefined/],
  ])('of prices or staff: %s', (question, expected) => {
    expect(String(ask(question, PRICES, STAFF)?.text)).toMatch(expected)
  })

  it('compares two columns of amounts', () => {
    const text =
      '| Item | Quantity | Reorder level |\n| --- | --- | --- |\n| Kit | 12 | 15 |\n| Pump | 7 | 10 |\n| Filter | 240 | 100 |\n'
    expect(ask('Which items are below the reorder level?', text)?.text).toMatch(/\*\*2 rows: [^]*Kit[^]*Pump/)
    expect(ask('Which items are above the reorder level?', text)?.text).toMatch(/\*\*[^*]*Filter[^*]*\*\*/)
  })

  it.each([
    ['What is the total weight?', undefined],
    ['Was ist die Summe von Weight?', undefined],
    ['What is the highest weight?', '1.250 (A)'],
    ['Which parts weigh more than 1000?', undefined],
  ])('says nothing that the notation of 1.250 decides: %s', (question, expected) => {
    const source = '| Part | Weight |\n| --- | --- |\n| A | 1.250 |\n| B | 1.100 |\n| C | 1.050 |\n'
    const [tables] = [[{ file: 'parts.csv.md', tables: readTables(source) }]]
    for (const language of ['en', 'de', 'en'] as const) {
      const answer = answerFromTables(question, tables, language)
      expect(/: (.*)\*\*/.exec(answer?.text ?? '')?.[1]).toBe(expected)
    }
  })

  it.each([
    ['Who is the oldest?', /\*\*Highest Age: 61 \(Ada\)\*\*/],
    ['Who is the youngest?', /\*\*Lowest Age: 25 \(Ben\)\*\*/],
    ['Wer ist der Älteste?', /\*\*Höchster Wert von Age: 61 \(Ada\)\*\*/],
  ])('names the direction in which it looked: %s', (question, expected) => {
    expect(ask(question, '| Name | Age |\n| --- | --- |\n| Ada | 61 |\n| Ben | 25 |\n| Cleo | 40 |\n')?.text).toMatch(
      expected,
    )
  })

  it('of which several know its words is answered by the one whose name it says', () => {
    const sources = [
      { file: 'price-list.xlsx.md', tables: readTables(MACHINES) },
      { file: 'ausgaben_q3.csv.md', tables: readTables(EXPENSES) },
    ]
    expect(answerFromTables('Was war die höchste Ausgabe?', sources, 'de')?.text).toMatch(/48\.200,00/)
    expect(answerFromTables('Was ist der höchste Preis?', sources, 'de')?.text).toMatch(/4890/)
  })

  it.each([
    ['two currencies', '| 5 € |\n| 7 $ |', undefined],
    ['two notations', '| 1,5 |\n| 2.5 |', undefined],
    ['an order of day and month that nothing tells', '| 03/04/2024 |\n| 05/06/2024 |', undefined],
    ['percent', '| 12,5 % |\n| 7,25 % |', '12,5 %'],
    ['thousands with a point', '| 1.234,5 |\n| 12.345 |', '12.345'],
    ['thousands with a comma', '| 1,234.5 |\n| 12,345 |', '12,345'],
    ['thousands with an apostrophe', "| CHF 1'200 |\n| CHF 999.50 |", "CHF 1'200"],
    ['negative numbers', '| -3 |\n| (12.00) |', '-3'],
    ['a currency in front', '| $5.00 |\n| $12.00 |', '$12.00'],
    ['cells without a number', '| 5 |\n| 6 |\n| 7 |\n| 8 |\n| n/a |', '8'],
    ['German dates', '| 05.03.2024 |\n| 14.02.2025 |', '14.02.2025'],
    ['dates with names', '| 5 March 2024 |\n| May 7, 2023 |', '5 March 2024'],
    ['American dates', '| 03/24/2024 |\n| 12/01/2023 |', '03/24/2024'],
    ['words', '| high |\n| low |', undefined],
  ])('reads or leaves %s', (_, rows, most) => {
    const answer = ask('What is the highest figure?', `| figure |\n| --- |\n${rows}\n`)
    expect(/: (.*)\*\*/.exec(answer?.text ?? '')?.[1]).toBe(most)
  })

  it('adds exactly what doubles cannot', () => {
    const rows = [...Array.from({ length: 10 }, () => '| 0.1 |'), '| 90071992547409.93 |'].join('\n')
    expect(ask('What is the total figure?', `| figure |\n| --- |\n${rows}\n`)?.text).toContain(
      '90,071,992,547,410.93 (11 rows)',
    )
  })

  it('shows some of many rows, and says how many more there are', () => {
    const rows = Array.from({ length: 40 }, (_, at) => `| ${at} | ${at % 2 === 0 ? 'yes' : 'no'} |`).join('\n')
    const answer = ask('Which figures are yes?', `| figure | state |\n| --- | --- |\n${rows}\n`)
    expect(answer?.passages).toHaveLength(6)
    expect(answer?.text).toContain('… and 14 more rows.')
  })
})

test('a table of a workbook answers through the chat, with references to its rows', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'footbridge-tables-'))
  const engine = await createEngine({ log: createLogSink().log, dataDir })
  onTestFinished(async () => {
    await engine.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const key = await engine.identify(engine.firstKey.key)
  if (key === undefined) throw new Error('the first key is not known')
  const { user } = key
  await engine.collections.create(user, 'notes')
  for (const [name, text] of Object.entries({ 'prices.xlsx.md': PRICES, 'employees.csv.md': STAFF })) {
    const content = await engine.files.receive([new TextEncoder().encode(text)])
    await engine.files.upload(user, 'notes', { name, content })
  }
  await engine.collections.generateIndex(user, 'notes')
  const answer = async (question: string) => {
    const request = { model: 'extractive', messages: [{ role: 'user' as const, content: question }] }
    const answered = await engine.chat({ user, request, retrieval: { collections: ['notes'] } })
    return JSON.stringify(answered.kind === 'whole' ? answered.body : '')
  }
  // The table has no word of this question.
  expect(await answer('Wer verdient am meisten?')).toMatch(
    /Tom Hale.*\[RREF1\].*References:.*\[RREF1\] employees\.csv\.md \(.*\| Tom Hale \| London \| Engineering \| 2021-11-15 \| 71,500 \|.*"place":"L4"/,
  )
  expect(await answer('How many products cost more than 100?')).toMatch(
    /Products: 3.*\[RREF1\] prices\.xlsx\.md \(.*"place":"L5-7"/,
  )
})
