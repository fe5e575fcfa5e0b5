/** Groups, the first rows, shares and differences. */
import { expect, it } from 'vitest'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { readCsv } from '#platform/engine/convert/office/csv.ts'
import { readXlsx } from '#platform/engine/convert/office/xlsx.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { toTable } from './rows.ts'
import { type Item, type Kept, makeKept } from './workbooks.ts'

const ask = (question: string, tables: ReturnType<typeof toTable>, language = 'en') =>
  answerFromTables(question, [{ file: 'a.csv.md', tables }], language)?.text

const STAFF = toTable(
  'Name;Department;City;Salary;Hired',
  'Ada;Sales;Bonn;52000;2024-01-15',
  'Ben;Ops;Bonn;41000;2023-03-01',
  'Cy;Sales;Kiel;48000;2024-03-20',
  'Dee;IT;Kiel;61000;2022-07-01',
  'Eve;Ops;Ulm;39500;2023-01-10',
  'Flo;Sales;Ulm;58000;2024-01-30',
)
const COSTS = toTable(
  'Date;Category;Amount',
  '2026-01-04;Travel;120.50',
  '2026-01-19;Food;60.00',
  '2026-02-02;Travel;300.00',
  '2026-02-11;Software;99.00',
)
const KOSTEN = toTable(
  'Datum;Kategorie;Betrag',
  '04.01.2026;Reise;1.120,50 €',
  '19.01.2026;Essen;60,00 €',
  '02.02.2026;Reise;300,00 €',
  '11.02.2026;Software;99,00 €',
)

it.each([
  ['What is the total salary by department?', ['Sum of Salary by Department', '| Sales | 158,000', '| Ops | 80,500']],
  ['average salary per city', ['Average of Salary by City', '| Kiel | 54,500', '| Bonn | 46,500']],
  ['How many people are there in each department?', ['Number of rows by Department', '| Sales | 3', '| IT | 1']],
  ['Which department has the highest total salary?', ['**Highest: Sales, 158,000**', '| IT | 61,000']],
  ['Which city has the lowest average salary?', ['**Lowest: Bonn, 46,500**']],
  ['Which department has the most employees?', ['**Highest: Sales, 3**']],
  ['Who are the three highest paid employees?', ['**Highest Salary: Dee 61000, Flo 58000, Ada 52000**']],
  ['top 2 employees by salary', ['**Highest Salary: Dee 61000, Flo 58000**']],
  ['What is the difference between the salary of Ada and Ben?', ['Salary: 11,000 (Ada 52000, Ben 41000)']],
])('answers %s', (question, parts) => {
  const text = ask(question, STAFF) ?? ''
  for (const part of parts) expect(text).toContain(part)
})

it.each([
  ['total amount by month', COSTS, ['Sum of Amount by month', '| 2026-01 | 180.50', '| 2026-02 | 399.00']],
  ['total amount per month for Travel', COSTS, ['| 2026-01 | 120.50', '| 2026-02 | 300.00']],
  ['Which month had the highest total amount?', COSTS, ['**Highest: February 2026, 399.00**']],
  ['What percentage of the total amount is Travel?', COSTS, ['Share of Amount: 72.6 % (420.50 of 579.50)']],
  ['Summe der Beträge nach Kategorie', KOSTEN, ['Summe von Betrag nach Kategorie', '| Reise | 1.420,50 €']],
  ['Betrag insgesamt pro Monat', KOSTEN, ['nach Monat', '| 2026-01 | 1.180,50 €']],
  ['Welche Kategorie hat den höchsten Betrag insgesamt?', KOSTEN, ['**Am höchsten: Reise, 1.420,50 €**']],
  ['Welcher Anteil des Betrags entfällt auf Reise?', KOSTEN, ['89,9 % (1.420,50 € von 1.579,50 €)']],
  ['Die zwei höchsten Beträge', KOSTEN, ['Reise 1.120,50 €, Reise 300,00 €']],
] as const)('answers %s', (question, tables, parts) => {
  const text = ask(question, tables, tables === KOSTEN ? 'de' : 'en') ?? ''
  for (const part of parts) expect(text).toContain(part)
})

it('gives each group the passage with its first row', () => {
  const rows = Array.from({ length: 200 }, (_, at) => `${at < 150 ? 'Ada' : 'Ben'};${at}`)
  const answer = answerFromTables(
    'total hours by name',
    [{ file: 'a.csv.md', tables: toTable('Name;Hours', ...rows) }],
    'en',
  )
  const marks = [...(answer?.text ?? '').matchAll(/^\| (\w+) \| .* \[RREF(\d)\] \|$/gm)]
  expect(marks).toHaveLength(2)
  for (const [, name = '', mark] of marks) expect(answer?.passages[Number(mark) - 1]?.body).toContain(name)
})

it('names all that share the last place', () => {
  const prices = toTable('Thing;Price', 'Cup;5', 'Jar;3', 'Box;3', 'Bag;9')
  expect(ask('What are the two most expensive things?', prices)).toContain('Bag 9, Cup 5**')
  expect(ask('What are the 3 most expensive things?', prices)).toContain('Bag 9, Cup 5, Jar 3, Box 3')
})

it('names no group where two share the first place', () => {
  const hours = toTable('Name;Team;Hours', 'Ada;Red;5', 'Ben;Blue;3', 'Cy;Blue;2')
  expect(ask('Which team has the most hours in total?', hours)).not.toContain('Highest')
})

it.each([
  ['What is the total salary by Friday?', STAFF],
  ['What is the total salary by team?', STAFF],
  // One row has no group.
  ['total hours by team', toTable('Name;Team;Hours', 'Ada;Red;5', 'Ben;;3', 'Cy;Blue;2')],
  // Which whole is meant is not told.
  ['What share of the amount in January is Travel?', COSTS],
  ['What is the difference between Ada, Ben and Cy in salary?', STAFF],
  ['Which share of the total is A?', toTable('Name;Balance', 'A;-5', 'B;10')],
  ['What are the 3 cheapest products without the lamp?', STAFF],
] as const)('computes nothing of %s', (question, tables) => {
  expect(ask(question, tables)).toBeUndefined()
})

const TRIPS = toTable('Trip;Nights;Price', 'Rome;4;800', 'Oslo;5;500', 'Bari;2;200')
const ORDERS = toTable('Order;Customer;Amount', 'A1;Acme;120', 'A2;Bolt;100', 'A3;Core;99', 'A4;Bolt;90')
const PEOPLE = toTable('Name;City;Age', 'Ada;Bonn;20', 'Ben;Bonn;30', 'Cy;Kiel;90')
const REGIONS = toTable('Region;Revenue;Cost', 'North;1000;700', 'South;3000;600')
const FLATS = toTable('Flat;Bedrooms;Rent', 'Oak 2;1;500', 'Elm 1;2;700', 'Ash 3;2;650')
const SHIFTS = toTable('Name;Start;Hours', 'Ada;08:30;5', 'Ben;09:00;7')

it.each([
  ['What percentage of the ages is Bonn and Ada?', PEOPLE],
  ['What percentage of the revenue of North is cost?', REGIONS],
  ['What is the difference between the cost and revenue of North and South?', REGIONS],
  ['What share of the discount is Acme?', toTable('Firm;Discount', 'Acme;10 %', 'Bolt;30 %')],
  ['Who are the top 2 customers by amount?', ORDERS],
  ['Which two customers have the highest amount?', ORDERS],
  ['top 2 amounts by customer', ORDERS],
  ['What is the cheapest 2 bedroom flat?', FLATS],
  ['Which 2 bedroom flat has the lowest rent?', FLATS],
  ['What is the average price per night?', TRIPS],
  ['total hours by month', SHIFTS],
  ['How many shifts per year?', SHIFTS],
] as const)('does not guess what is meant by %s', (question, tables) => {
  expect(/\*\*.*\*\*/.exec(ask(question, tables) ?? '')?.[0]).toBeUndefined()
})

it.each(['total fees by town', 'What are the total fees by town?', 'What is the total fee by town?'])(
  'a column is named in the plural, too, however short its word is: %s',
  (question) => {
    const fees = toTable('Ref;Town;Fee GBP;Paid', 'B-1;Wend;196;yes', 'B-2;Merrow;84;yes', 'B-3;Wend;310;no')
    const text = ask(question, fees)
    for (const part of ['| Wend | 506', '| Merrow | 84']) expect(text).toContain(part)
  },
)

it('keeps what limits the rows of a group', () => {
  expect(ask('Which department of Bonn has the fewest employees?', STAFF)).not.toContain('IT')
  expect(ask('Which city without Ops has the most employees?', STAFF) ?? '').not.toContain('Computed from all')
  const inUlm = ask('Which department has the most employees in Ulm?', STAFF) ?? ''
  expect(inUlm).toContain('Computed from 2 of the 6 rows')
  expect(inUlm).not.toContain('Highest')
})

it('takes two names that are nearly alike for two', () => {
  const hours = toTable('Name;Hours', 'Carl;10', 'Karl;15', 'Ann;13', 'Anne;14')
  const text = ask('total hours by name', hours)
  for (const part of ['| Carl | 10', '| Karl | 15', '| Ann | 13', '| Anne | 14']) expect(text).toContain(part)
  const languages = toTable('Language;Hours', 'C;10', 'C++;15', 'C#;25', 'c ;1')
  expect(ask('total hours by language', languages)).toContain('| C++ | 15')
  expect(ask('total hours by language', languages)).toContain('| C | 11')
})

async function textOf({ file }: Kept): Promise<string> {
  const pages = 'csv' in file ? await readCsv(toSource(file.csv)) : await readXlsx(toSource(file.xlsx))
  return pages.map(({ markdown }) => markdown).join('\n')
}

const cents = (amount: number) => Math.round(amount * 100)
const toCents = (text: string, isGerman: boolean) =>
  cents(
    Number((isGerman ? text.replaceAll('.', '').replace(',', '.') : text.replaceAll(',', '')).replace(/[^\d.]/g, '')),
  )

const sumsOf = (items: readonly Item[]) => {
  const sums = new Map<string, number>()
  for (const { group, amount } of items) sums.set(group, (sums.get(group) ?? 0) + amount)
  return new Map([...sums].map(([group, amount]) => [group, cents(amount)]))
}

it('says no wrong group, row, share or difference of 60 sheets with sums in them', async () => {
  const wrong: string[] = []
  let answered = 0
  for (let seed = 0; seed < 60; seed += 1) {
    const kept = makeKept(seed)
    const tables = readTables(await textOf(kept), 'xlsx' in kept.file)
    const isEnglish = seed % 2 === 0
    const isGerman = 'csv' in kept.file
    const say = (en: string, de: string) => {
      const said = answerFromTables(isEnglish ? en : de, [{ file: `${kept.name}.md`, tables }], isEnglish ? 'en' : 'de')
      if (said !== undefined) answered += 1
      return said?.text
    }
    const note = (is: boolean, text: string) => is || wrong.push(`${kept.name}: ${text}`)
    const sorted = kept.items.toSorted((one, other) => other.amount - one.amount)
    const [first, second] = sorted
    const groups = sumsOf(kept.items)

    const by = say('What is the total revenue by region?', 'Wie hoch ist der Umsatz insgesamt nach Region?')
    const listed = [...(by ?? '').matchAll(/^\| (.*?) \| (\S+)/gm)]
      .slice(1)
      .map(([, name = '', value = '']) => [name, value] as const)
    if (by !== undefined) note(listed.length === groups.size, by)
    for (const [name, value] of listed) note(toCents(value, isGerman) === groups.get(name), by ?? '')

    const top = say(
      'What are the two products with the highest revenue?',
      'Welche zwei Produkte haben den höchsten Umsatz?',
    )
    if (top !== undefined) note(new RegExp(`: ${first?.thing} .*, ${second?.thing} `).test(top), top)

    const gap = say(
      `What is the difference between the revenue of ${first?.thing} and ${second?.thing}?`,
      `Was ist der Unterschied zwischen dem Umsatz von ${first?.thing} und ${second?.thing}?`,
    )
    const [, found = ''] = /\*\*.*?: (?:[£€] ?)?([\d.,]+)/.exec(gap ?? '') ?? []
    if (gap !== undefined) note(toCents(found, isGerman) === cents((first?.amount ?? 0) - (second?.amount ?? 0)), gap)

    const region = kept.items[0]?.group ?? ''
    const share = say(`What share of the revenue is ${region}?`, `Welcher Anteil des Umsatzes entfällt auf ${region}?`)
    const whole = [...groups.values()].reduce((all, one) => all + one, 0)
    const percent = Math.round(((groups.get(region) ?? 0) / whole) * 1_000)
    const [, said = ''] = /: ([\d.,]+) %/.exec(share ?? '') ?? []
    if (share !== undefined) note(Math.abs(toCents(said, said.includes(',')) / 10 - percent) <= 1, share)
  }
  expect(wrong).toEqual([])
  expect(answered / 240).toBeGreaterThan(0.6)
})

const FEED = toTable(
  'Date;Item;Supplier;Kilograms;Price per kg;Cost',
  '2026-04-03;Day-old chicks;Marlock Foods;60;£2.10;£126.00',
  '2026-04-17;Quail;Hollin Farm;25;£6.40;£160.00',
  '2026-05-06;Day-old chicks;Marlock Foods;75;£2.10;£157.50',
  '2026-05-19;Rabbit;Hollin Farm;18;£5.00;£90.00',
)
const BOOKINGS = toTable(
  'Booking;School;Town;Pupils;Price per pupil;Paid',
  'B-1;Lowmere Primary;Lowmere;28;7.50;yes',
  'B-2;Tarn Valley School;Fenbridge;31;7.50;no',
  'B-3;Greta Bridge School;Fenbridge;35;8.25;yes',
  'B-4;Lowmere Primary;Lowmere;26;7.50;no',
)
const SHOWS = toTable(
  'Display;Date;Visitors;Occupancy',
  'Owls;2026-06-06;132;55%',
  'Noon;2026-06-06;198;82%',
  'Noon;2026-06-13;0;0%',
)
const SPONSORS = toTable(
  'Sponsor;Bird;Amount;Share displayed',
  'Brewery;Sable;£1,200.00;40%',
  'Bakery;Quill;£275.50;10%',
  'Rotary;Quill;£940.00;30%',
)

it.each([
  ['How much did we spend on day-old chicks?', [FEED], '**Sum of Cost: £283.50 (2 rows)**'],
  ['What did we spend on rabbit in May?', [FEED], '**Sum of Cost: £90.00 (1 row)**'],
  ['How much did we pay Marlock Foods?', [FEED], '**Sum of Cost: £283.50 (2 rows)**'],
  ['How much did quail cost in total?', [FEED, SPONSORS], '**Sum of Cost: £160.00 (1 row)**'],
  ['Number of pupils per town', [BOOKINGS], '| Fenbridge | 66'],
  ['How many pupils come from Fenbridge?', [BOOKINGS], '**Sum of Pupils: 66 (2 rows)**'],
  ['How many pupils are in booking B-3?', [BOOKINGS], '**B-3, Greta Bridge School, Pupils: 35**'],
  ['How many visitors came in June?', [SHOWS], '**Sum of Visitors: 330 (3 rows)**'],
  ['How many bookings are not paid?', [BOOKINGS], '**Bookings: 2**'],
  ['Which school brought the most pupils?', [BOOKINGS], '**Highest: Lowmere Primary, 54**'],
  ['How many schools are there?', [BOOKINGS], '**School: 3 different**'],
  ['Which two sponsors gave the most?', [SPONSORS], '**Highest Amount: Brewery £1,200.00, Rotary £940.00**'],
  ['Which sponsors gave more than 500 pounds?', [SPONSORS], '**2 rows: Brewery, Rotary**'],
  ['How much older is Ben than Ada?', [PEOPLE], '**Difference of Age: 10'],
  ['How much more did Rotary give than Bakery?', [SPONSORS], '**Difference of Amount: £664.50'],
] as const)('reads what is paid, given and counted: %s', (question, tables, part) => {
  expect(ask(question, tables.flat()) ?? '').toContain(part)
})

it.each([
  // One of its days, or all?
  ['Which display had the fewest visitors?', [SPONSORS, SHOWS]],
  ['Which display had the most visitors?', [SPONSORS]],
  ['How many visitors watched the Noon display?', [SHOWS]],
  ['What is the total price per kg?', [FEED]],
  ['How much have we spent?', [FEED, SPONSORS]],
  ['Which show had the lowest number of visitors?', [toTable('Booking;Visit date', 'A;2026-05-12', 'B;2026-06-12')]],
] as const)('says no value of a column or table that is not asked for: %s', (question, tables) => {
  expect(/\*\*.*\*\*/.exec(ask(question, tables.flat()) ?? '')?.[0]).toBeUndefined()
})

const CARS = toTable('Employee;Department;Car', 'Ada;Sales;Golf', 'Ben;Ops;', 'Cy;Sales;Polo')
const PAYERS = toTable('Guest;Paid', 'Ada;40', 'Ben;25', 'Cy;60')
const QUARTERS = toTable('Quarter;Members', 'Q1;42', 'Q2;45', 'Q3;47')
const DAYS = toTable('Date;Members', '2025-01-01;42', '2025-02-01;45', '2025-03-01;47')
const SCHOOLS = toTable('School;Pupils', 'Oak;312', 'Elm;287', 'Ash;405')

it.each([
  ['How many employees have a car?', CARS],
  ['How many guests paid?', PAYERS],
  ['How many members do we have?', QUARTERS],
  ['How many members did we have in 2025?', DAYS],
] as const)('counts no rows and adds no numbers for %s', (question, tables) => {
  expect(/\*\*.*\*\*/.exec(ask(question, tables) ?? '')?.[0]).toBeUndefined()
})

it('adds up numbers of three digits, and names rows where a verb follows the number', () => {
  expect(ask('How many pupils are there?', SCHOOLS)).toContain('**Sum of Pupils: 1004 (3 rows)**')
  expect(ask('How many pupils are there in total?', SCHOOLS)).toContain('**Sum of Pupils: 1004 (3 rows)**')
  expect(ask('How many cost less than 5 euros?', toTable('Thing;Price', 'Cup;4', 'Bag;9'))).toContain('**1 row**')
  const prices = ['Cup;4;5', 'Bag;9;11']
  expect(ask('What is the total price?', toTable('Thing;Net price;Gross price', ...prices))).toBeUndefined()
  expect(ask('What is the total price?', toTable('Thing;Net price;Price', ...prices))).toContain('Sum of Price: 16 ')
  expect(ask('What is the total price?', toTable('Thing;Price (EUR/kg)', 'Cup;4', 'Bag;9'))).toBeUndefined()
})

const REPAIRS = toTable(
  'Date;Repair;Customer;Cost (£);Charged to customer',
  '2026-01-05;R-1;Oak;30.00;yes',
  '2026-01-06;R-2;Elm;10.00;no',
  '2026-01-08;R-3;Oak;50.00;yes',
  '2026-01-09;R-4;Ash;10.00;no',
)
it.each([
  'what share of the repairs was charged to the customer, in percent?',
  'What percentage of repairs was charged?',
])('a share of rows is none of their amounts: %s', (question) => {
  const text = answerFromTables(question, [{ file: 'log.csv.md', tables: REPAIRS }], 'en')?.text
  expect(text).toContain('50.0 % (2 of 4)')
  expect(text).not.toContain('80')
})

it.each(['which two customers had the highest repair cost?', 'top two customers by repair cost'])(
  'customers are no rows that were charged to the customer: %s',
  (question) => {
    const text = answerFromTables(question, [{ file: 'log.csv.md', tables: REPAIRS }], 'en')?.text
    expect(text).toContain('Highest: Oak, 80.00')
    expect(text).toContain('all 4 rows')
  },
)
