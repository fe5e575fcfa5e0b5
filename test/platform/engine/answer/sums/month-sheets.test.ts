/** Sheets with a column for each month: values of one row, of several months, and of the whole sheet. */
import { expect, it } from 'vitest'
import { readTables } from '#platform/engine/answer/tables/read-tables.ts'
import { answerFromTables } from '#platform/engine/answer/tables/table-answer.ts'
import { toMarkdown } from './rows.ts'

/** Two rows that no word calls a sum, and the year only above the months. */
const INCOME = `## Income\n\n${toMarkdown(
  'Line;Responsible;2026 January;2026 February;2026 March;2026 April;Total',
  'Public swims;Ida;£4,120;£3,975;£4,460;£5,215;£17,770',
  'Swimming school;Raj;£2,640;£2,815;£3,105;£2,490;£11,050',
  'Water;;£6,760;£6,790;£7,565;£7,705;£28,820',
  'Sauna;Ona;£1,930;£1,745;£1,220;£980;£5,875',
  'Kiosk;Ida;£410;£385;£560;£895;£2,250',
  'Extras;;£2,340;£2,130;£1,780;£1,875;£8,125',
  'All income;;£9,100;£8,920;£9,345;£9,580;£36,945',
)}`
const VISITS = `## Tonnes\n\n${toMarkdown(
  'Material;2026 (tonnes) January;2026 (tonnes) February;2026 (tonnes) March',
  'Glass;31;24.5;22',
  'Paper;55;49.5;52',
  'Subtotal dry;86;74;74',
  'Garden waste;42.5;38;71.5',
  'Food waste;18.2;17.6;19.4',
  'Subtotal wet;60.7;55.6;90.9',
  'Total;146.7;129.6;164.9',
)}`
const GAESTE = `## Übernachtungen\n\nSaison 2026\n\n${toMarkdown(
  'Gäste;Juni;Juli;August;Gesamt',
  'Mitglieder;84;212;268;564',
  'Kinder;15;74;91;180',
  'Andere;41;133;176;350',
  'Summe;140;419;535;1094',
)}`
const JOBS = toMarkdown('Job;Date;Line;Price', 'J1;2026-02-03;Sauna;£120', 'J2;2026-02-09;Kiosk;£80')

const ask = (question: string, language: 'de' | 'en', ...files: readonly string[]) =>
  answerFromTables(
    question,
    files.map((text, at) => ({ file: `book-${at} 2026.xlsx.md`, tables: readTables(text, true) })),
    language,
  )?.text

it.each([
  ['What was our total income from February to April?', 'Sum of Income: £27,845 (12 values)'],
  ['How much did we take with the sauna in February?', 'Sauna, Income: £1,745'],
  ['How much did the sauna bring in altogether in February?', 'Sum of Income: £1,745 (1 value)'],
  ['What share of our total income so far comes from the sauna?', 'Share of Income: 15.9 % (£5,875 of £36,945)'],
  ['How much more did public swims bring in April than in March', 'Difference of Sum of Income: £755 (£5,215, £4,460)'],
  [
    'How much less did the sauna bring in in April than in January?',
    'Difference of Sum of Income: £950 (£980, £1,930)',
  ],
  [
    'How much more did public swims bring in than the sauna so far?',
    'Difference of Sum of Income: £11,895 (£17,770, £5,875)',
  ],
  [
    'What is the difference between the sauna in January and the sauna in March?',
    'Difference of Sum of Income: £710 (£1,930, £1,220)',
  ],
  ['Which was our best month?', 'Highest: April 2026, £9,580'],
  ['In which month did we take the least?', 'Lowest: February 2026, £8,920'],
  ['Which line brought in the most in April?', 'Highest: Public swims, £5,215'],
  ['Which line brought in the least so far?', 'Lowest: Kiosk, £2,250'],
  ['What did the kiosk bring in per month on average?', 'Average of Income: £562.5 (£2,250 / 4)'],
  ['Top 2 lines by income', 'Highest: Public swims, £17,770'],
])('of income by month: %s', (question, part) => {
  expect(ask(question, 'en', INCOME, JOBS)).toContain(`**${part}**`)
})

it.each([
  ['How many tonnes of glass did we collect from January to March?', 'Sum of Tonnes: 77.5 (3 values)'],
  ['How many tonnes came in in February altogether?', 'Sum of Tonnes: 129.6 (4 values)'],
  ['In which month did we collect the most paper?', 'Highest: January 2026, 55'],
  ['Which material weighed the most in total?', 'Highest: Paper, 156.5'],
  ['What percentage of the total tonnes is glass?', 'Share of Tonnes: 17.6 % (77.5 of 441.2)'],
])('of amounts that the sheet is named after: %s', (question, part) => {
  expect(ask(question, 'en', VISITS)).toContain(`**${part}**`)
})

it.each([
  ['Wie viele Übernachtungen hatten wir insgesamt?', 'Summe von Übernachtungen: 1094 (9 Werte)'],
  ['Wie viele Übernachtungen gab es im August?', 'Summe von Übernachtungen: 535 (3 Werte)'],
  [
    'Wie viel mehr Mitglieder hatten wir im August als im Juni?',
    'Unterschied bei Summe von Übernachtungen: 184 (268, 84)',
  ],
  ['Welcher Monat war der stärkste?', 'Am höchsten: August 2026, 535'],
])('in German: %s', (question, part) => {
  expect(ask(question, 'de', GAESTE)).toContain(`**${part}**`)
})

it.each([
  'How much did we take with the sauna in May?',
  'How much did we spend on the sauna in March?',
  'How many sauna visitors did we have in March?',
  'Which was our best month of last year?',
  'What was our income from the pool bar in March?',
])('says nothing of %s', (question) => {
  expect(ask(question, 'en', INCOME, JOBS)).toBeUndefined()
})
