/** Values that would be computed of something else than the question asks for. */
import { expect, it } from 'vitest'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toTable } from './rows.ts'

const LETTINGS = toTable(
  'Room;Wing;Tenant;Floor area;Monthly rent',
  'A1;North;Okafor Dental;42;£840.00',
  'A2;North;Brill Prints;30;£615.00',
  'A3;North;;28;£590.00',
  'B1;South;Hart Sons;55;£990.00',
  'All rooms;;;155;£3035.00',
  'Let 75 %;;;127;£2445.00',
)
const ORDERS = toTable(
  'Order no;Customer;Sales rep;Boxes;Gross;Currency;Status',
  '50121;Harbour Cafe;Mina Shah;12;266.40;GBP;delivered',
  '50122;Nordwind GmbH;Mina Shah;30;450.00;EUR;delivered',
  '50123;The Mill;Josh Kerr;8;177.60;GBP;cancelled',
  '50124;Harbour Cafe;Josh Kerr;20;388.80;GBP;cancelled',
)
const INVOICES = toTable(
  'Invoice;Supplier;Paid on;Amount;Discount',
  'INV-1;Marlow Mills;2025-02-28;£1,240.00;2%',
  'INV-2;Marlow Mills;;£980.00;5%',
  'INV-3;Dairy Direct;2025-03-01;£640.50;4%',
)
const BUDGET = toTable(
  'Department;Budget 2024;Actual 2024;Budget 2025;Actual 2025',
  'Education;50000;48200;52000;53100',
  'Events;30000;33400;34000;31250',
  'Facilities;72000;70150;75000;76800',
)
const STAFF = toTable(
  'Name;Role;Hours per week;Hourly pay',
  'Iris Bell;Baker;38;13.2',
  'Lea Bell;Assistant;16;11.9',
  'Joe Tan;Driver;30;12.1',
)
const SALES = toTable(
  'Shop;Year;Jan;Feb;Mar;Total',
  'Market;2024;1200;1100;1300;3600',
  'Station;2024;900;950;980;2830',
  'Market;2025;1300;1150;1350;3800',
  'Station;2025;850;900;990;2740',
)
const EVENTS = toTable(
  'Event;Date;Tickets sold;Ticket price',
  'Spring fair;2025-04-12;310;$10',
  'Quiz night;2025-05-09;92;$15',
)
const COURSES = toTable(
  'Course;Places;Booked;Fee;Studio',
  'Pottery;12;12;£95;Kiln',
  'Drawing;16;9;£140;Attic',
  'Clay;15;11;£45;Kiln',
)
const AUSGABEN = toTable(
  'Kostenstelle;Januar;Februar;März;Summe',
  'Miete;1.200,00;1.200,00;1.200,00;3.600,00',
  'Strom;310,50;290,00;275,40;875,90',
  'Werbung;0,00;4.500,00;120,00;4.620,00',
)
const HOURS = toTable(
  'Name;Team;Hours 2024;Hours 2025',
  'Ann Lee;Kitchen;120;95',
  'Bo Marsh;Kitchen;110;130',
  'Carl Odin;Van;160;75',
)

const ALL = {
  'lettings.csv.md': LETTINGS,
  'orders_2025.csv.md': ORDERS,
  'invoices.csv.md': INVOICES,
  'budget.csv.md': BUDGET,
  'Bakery_2025.xlsx.md': STAFF,
  'sales_by_month.csv.md': SALES,
  'fundraising.csv.md': EVENTS,
  'courses.csv.md': COURSES,
  'ausgaben_2025.csv.md': AUSGABEN,
  'volunteers.csv.md': HOURS,
}

const ask = (question: string) =>
  answerFromTables(
    question,
    Object.entries(ALL).map(([file, tables]) => ({ file, tables })),
    /^W(?:el|ie|er)/.test(question) ? 'de' : 'en',
  )?.text ?? ''

it.each([
  ['a number of an order is no number of orders', 'Who has the most cancelled orders?'],
  ['pounds and euros have no sum', 'What is the total gross?'],
  ['pounds and euros are not compared', 'Which order has the highest gross?'],
  ['what is not paid yet is no payment', 'How much have we paid Marlow Mills?'],
  ['percentages of amounts have no sum', 'What is the total discount?'],
  ['a budget or its costs', 'How much more did Facilities cost than Events?'],
  ['an hour is no week', 'What is the weekly pay of Iris Bell?'],
  ['two people of one name are not one', 'How many hours does Bell work?'],
  ['the longest is no number of hours', 'Who has worked here the longest?'],
  ['a total is no average of months', 'What is the average monthly sales of Station in 2025?'],
  ['events are no shops', 'Which shop sold the most in 2025?'],
  ['rooms are no invoices', 'What is the largest invoice?'],
  ['values of months are no places', 'How many places are left in total?'],
  ['what is spent is no hours', 'Which team worked the most hours in 2023?'],
  ['a total is not that of a month', 'What is the lowest month total for Market?'],
  ['a payment is no day', 'Which invoice was paid last?'],
  ['a price of one is not added up', 'What is the total ticket price?'],
  ['orders are no gas', 'Which month used the most gas in 2025?'],
  ['what is spent is not what is sold', 'How much did we sell in the first quarter of 2025?'],
])('%s: %s', (_, question) => {
  expect(ask(question)).not.toMatch(/^(?:Computed|Berechnet|From .*\n+\*\*)/u)
})

it.each([
  ['rows below the sum of the table are notes', 'What is the total monthly rent?', 'Sum of Monthly rent: £3035.00'],
  ['and not the highest', 'Which room has the highest rent?', 'Highest Monthly rent: £990.00 (B1)'],
  ['one currency has a sum', 'What is the total gross in GBP?', 'Sum of Gross: 832.80'],
  ['boxes have no currency', 'How many boxes did we sell in total?', 'Sum of Boxes: 70'],
  [
    'a month that is named is meant, not the total',
    'Welche Kostenstelle war im Februar am höchsten?',
    '4.500,00 (Werbung)',
  ],
  ['the year of a column, not that of a file', 'Who has the most hours in 2025?', 'Highest Hours 2025: 130 (Bo Marsh)'],
  ['places are those of a column', 'How many places does the Kiln have?', 'Sum of Places: 27'],
  ['one person of a whole name', 'How many hours does Iris Bell work?', 'Hours per week: 38**'],
])('%s: %s', (_, question, answer) => {
  expect(ask(question)).toContain(answer)
})
