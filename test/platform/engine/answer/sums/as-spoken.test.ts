/** Values that people ask for in their own words: verbs for columns, people for their rows, a share of rows. */
import { expect, it } from 'vitest'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toMarkdown, toTable } from './rows.ts'

const FAULTS = toTable(
  'Fault no;Reported;Vehicle;Category;Reported by;Parts cost;Status',
  'F-1;2026-03-04;Larch;Heating;Ida Holm;24.50;closed',
  'F-2;2026-03-18;Alder;Doors;Raj Nair;;waiting for parts',
  'F-3;2026-04-02;Larch;Doors;Ida Holm;110.00;closed',
  'F-4;2026-04-09;Rowan;Heating;Ona Byrd;95.00;closed',
  'F-5;2026-04-28;Alder;Brakes;Raj Nair;120.00;closed',
)
const CRUISES = readTables(
  `## Special cruises\n\n${toMarkdown(
    'Cruise;Cruise Date;Cruise Organiser;Cruise Boat;Seats Seats offered;Seats Seats sold;Money Fare;Money Takings;Money Costs',
    'Jazz Night;2026-05-16;Ida Holm;Puffin;140;133;£31.00;£4,123.00;£1,980.00',
    'Lobster Day;2026-06-13;Raj Nair;Kittiwake;320;287;£22.00;£6,314.00;£3,420.00',
    'Seal Tour;2026-07-25;Ida Holm;Sula;140;118;£35.00;£4,130.00;£2,215.00',
    'Fish and Chip Special;2026-06-26;Ida Holm;Sula;96;94;£27.00;£2,538.00;£1,262.00',
    'Harbour Lights;2026-09-26;Ona Byrd;Puffin;150;58;£18.00;£1,044.00;£960.00',
  )}## Boats\n\n${toMarkdown(
    'Name;Built;Safety ticket expires;Hire charge per day;Owner;State',
    'Puffin;1887;2029-05-31;£410.00;Trust;in use',
    'Kittiwake;1931;2033-08-24;£560.00;Skerry Boat Club;in use',
    'Sula;1956;n/a;£330.00;Marsh family;in use',
  )}## Volunteers\n\n${toMarkdown(
    'Name;Department;Hours 2026;Travel claimed;Subs paid',
    'Ida Holm;Deck;612;£184.40;yes',
    'Raj Nair;Deck;205;£57.60;no',
    'Ona Byrd;Kitchen;129;£24.00;no',
    'Una Lind;Kitchen;318;£12.00;yes',
  )}`,
)
const ask = (question: string, language = 'en') =>
  answerFromTables(
    question,
    [
      { file: 'Season 2026.xlsx.md', tables: CRUISES },
      { file: 'carriage_faults_2026.csv.md', tables: FAULTS },
    ],
    language,
  )?.text

it.each([
  ["How many seats were sold on Ida Holm's special cruises altogether?", '**Sum of Seats Seats sold: 345'],
  ['how many seats were offered on cruises of Ida Holm', '**Sum of Seats Seats offered: 376'],
  ['how much travel was claimed by the volunteers who havent paid their subs', '**Sum of Travel claimed: £81.60'],
  ['How much travel was claimed by the volunteers of the Kitchen?', '**Sum of Travel claimed: £36.00'],
  ['how much more did the Lobster Day take than Harbour Lights', '£5,270.00'],
  ['Which department worked the most hours in 2026?', '**Highest: Deck, 817**'],
  ['What were the total takings of special cruises with boats owned by the Skerry Boat Club?', '£6,314.00'],
  ['What did Seal Tour take?', '£4,130.00'],
  ['what percentage of the carriage faults were heating faults', '40.0 % (2 of 5)'],
  ['What percentage of the volunteers have not paid their subs?', '50.0 % (2 of 4)'],
  ['What percentage of the volunteers are in the Kitchen?', 'Share of Volunteers: 50.0 % (2 of 4)'],
  ['in which month were the most carriage faults reported, and how many?', '**Highest: April 2026, 3**'],
  ['Which month had the most faults?', '**Highest: April 2026, 3**'],
  ['Which two vehicles had the highest parts cost?', '**Highest: Larch, 134.50**'],
])('answers %s', (question, part) => {
  expect(ask(question)).toContain(part)
})

it.each([['Wie viele Stunden haben die Freiwilligen der Abteilung Deck 2026 zusammen geleistet?', '817']])(
  'answers %s',
  (question, part) => {
    expect(ask(question, 'de')).toContain(part)
  },
)

it.each([
  'how much is a family day ticket',
  'How long does it take to get to Seal Tour?',
  'which cruise takes the lowest safety ticket?',
  'total seats sold on special cruises whose boat was built before 1900?',
  'what percentage of the vehicles were heating faults',
  'what percentage of the heating faults in April were closed',
  'what percentage of the boats were heating faults',
  'what percentage of the passengers were children',
])('says nothing to %s', (question) => {
  expect(ask(question)).toBeUndefined()
})

it('says no takings to a question for a time', () => {
  const tables = toTable('Shop;Month;Takings;Rent', 'North;May;£100;£20', 'South;May;£200;£30')
  const said = answerFromTables('How long does it take to get to North?', [{ file: 'shops.csv.md', tables }], 'en')
  expect(said).toBeUndefined()
})
