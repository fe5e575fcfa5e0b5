import { makeSheet, type SheetCell } from '#test/fixtures/documents/workbook.ts'

/** A sheet as people keep it, and what a reader of it answers. */
export interface Kept {
  readonly name: string
  /** A workbook, or text with German numbers. */
  readonly file: { readonly xlsx: Uint8Array<ArrayBuffer> } | { readonly csv: string }
  readonly questions: readonly { readonly question: string; readonly answer: string | number }[]
  readonly items: readonly Item[]
}

/** The same numbers for the same seed. */
function createDice(seed: number) {
  let state = seed * 7919 + 13
  return (sides: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

interface Words {
  readonly groups: readonly string[]
  readonly things: readonly string[]
  readonly header: readonly [group: string, thing: string, amount: string, other: string]
  readonly note: string
  /** Label of the sum of the first two groups. */
  readonly both: string
  readonly sumOf: ((group: string) => string)[]
  readonly all: readonly string[]
  readonly ask: {
    readonly sum: string
    readonly highest: string
    readonly lowest: string
    readonly count: string
    readonly value: (thing: string) => string
    readonly average: string
    readonly ofGroup: (group: string) => string
  }
}

const EN: Words = {
  groups: ['North', 'South', 'West', 'Online', 'Export'],
  things: 'Lamp,Chair,Desk,Sofa,Shelf,Stool,Bench,Mirror,Carpet,Clock,Vase,Basket,Curtain,Pillow,Blanket,Frame'.split(
    ',',
  ),
  header: ['Region', 'Product', 'Revenue', 'Cost'],
  both: 'Inland',
  note: 'Figures of the accounting department, not audited',
  sumOf: [(group) => `${group} Total`, (group) => `Total ${group}`, () => 'Subtotal', (group) => `Sum ${group}`],
  all: ['Total', 'Grand total', 'Everything', 'All regions', 'TOTAL:'],
  ask: {
    sum: 'What is the total revenue?',
    highest: 'Which product has the highest revenue?',
    lowest: 'Which product has the lowest cost?',
    count: 'How many products are there?',
    value: (thing) => `What is the revenue of ${thing}?`,
    average: 'What is the average revenue?',
    ofGroup: (group) => `What is the total revenue of ${group}?`,
  },
}

const DE: Words = {
  groups: ['Nord', 'Süd', 'West', 'Online', 'Export'],
  things: 'Lampe,Stuhl,Tisch,Sofa,Regal,Hocker,Bank,Spiegel,Teppich,Uhr,Vase,Korb,Vorhang,Kissen,Decke,Rahmen'.split(
    ',',
  ),
  header: ['Region', 'Produkt', 'Umsatz', 'Kosten'],
  both: 'Inland',
  note: 'Zahlen der Buchhaltung, ungeprüft',
  sumOf: [
    (group) => `Summe ${group}`,
    (group) => `${group} gesamt`,
    () => 'Zwischensumme',
    (group) => `${group} Summe`,
  ],
  all: ['Summe', 'Gesamtsumme', 'Alles', 'Alle Regionen', 'Insgesamt'],
  ask: {
    sum: 'Wie hoch ist der Umsatz insgesamt?',
    highest: 'Welches Produkt hat den höchsten Umsatz?',
    lowest: 'Welches Produkt hat die niedrigsten Kosten?',
    count: 'Wie viele Produkte gibt es?',
    value: (thing) => `Wie hoch ist der Umsatz von ${thing}?`,
    average: 'Wie hoch ist der Umsatz im Durchschnitt?',
    ofGroup: (group) => `Wie hoch ist der Umsatz in ${group} insgesamt?`,
  },
}

export interface Item {
  readonly group: string
  readonly thing: string
  readonly amount: number
  readonly other: number
}

const sum = (items: readonly Item[], of: 'amount' | 'other') => items.reduce((all, item) => all + item[of], 0)

/** Subtotals at one or two levels, blank rows and notes around them; 60 seeds are 60 sheets. */
export function makeKept(seed: number): Kept {
  const dice = createDice(seed)
  const isCsv = seed % 3 === 2
  const words = seed % 2 === 0 ? EN : DE
  const things = words.things.toSorted(() => dice(3) - 1)
  const cents = dice(2) === 0 ? 100 : 1
  const amount = () => (150 + dice(9_850 * cents)) / cents
  const groups = words.groups.slice(0, 2 + dice(3))
  const items = groups.flatMap((group) =>
    Array.from({ length: 2 + dice(3) }, (): Item => ({
      group,
      thing: things.pop() ?? '',
      amount: amount(),
      other: amount(),
    })),
  )
  const format = ['#,##0.00', '£#,##0.00', '#,##0.00 [$€-407]', '0.00'][dice(4)] ?? ''
  const toNumber = (value: number): SheetCell =>
    isCsv
      ? value
          .toFixed(2)
          .replace('.', ',')
          .replace(/\B(?=(?:\d{3})+,)/g, '.')
      : { value, format }
  const toRow = (group: string, thing: string, of: readonly Item[]) => [
    group,
    thing,
    toNumber(sum(of, 'amount')),
    ...(hasOther ? [toNumber(sum(of, 'other'))] : []),
  ]
  const hasOther = dice(2) === 0
  const hasGroups = dice(4) > 0
  const hasTwoLevels = groups.length > 2 && dice(2) === 0
  const hasBlank = !isCsv && dice(3) === 0
  const sumLabel = words.sumOf[dice(words.sumOf.length)] ?? String
  const rows: SheetCell[][] = [words.header.slice(0, hasOther ? 4 : 3)]
  for (const group of groups) {
    const of = items.filter((item) => item.group === group)
    // The name of a group is at its first row, or at each.
    const isOnce = dice(3) === 0
    for (const [at, item] of of.entries()) rows.push(toRow(isOnce && at > 0 ? '' : group, item.thing, [item]))
    if (hasGroups) rows.push(toRow(sumLabel(group), '', of))
    if (hasGroups && hasBlank) rows.push([])
    if (hasGroups && hasTwoLevels && group === groups[1])
      rows.push(
        toRow(
          words.both,
          '',
          items.filter((item) => groups.indexOf(item.group) < 2),
        ),
      )
  }
  rows.push(toRow(words.all[dice(words.all.length)] ?? '', '', items))
  const before: SheetCell[][] = !isCsv && dice(3) === 0 ? [[words.note], []] : []
  const best = items.reduce((one, other) => (other.amount > one.amount ? other : one))
  const least = items.reduce((one, other) => (other.other < one.other ? other : one))
  const some = items[dice(items.length)] ?? best
  const { ask } = words
  return {
    items,
    name: `${seed % 2 === 0 ? 'sales' : 'umsatz'}-${seed}.${isCsv ? 'csv' : 'xlsx'}`,
    file: isCsv
      ? { csv: rows.map((row) => row.map((cell) => `"${cell as string}"`).join(';')).join('\n') }
      : { xlsx: makeSheet([...before, ...rows]) },
    questions: [
      { question: ask.sum, answer: sum(items, 'amount') },
      { question: ask.highest, answer: best.thing },
      hasOther
        ? { question: ask.lowest, answer: least.thing }
        : { question: ask.value(best.thing), answer: best.amount },
      { question: ask.count, answer: items.length },
      { question: ask.value(some.thing), answer: some.amount },
      { question: ask.average, answer: sum(items, 'amount') / items.length },
      {
        question: ask.ofGroup(some.group),
        answer: sum(
          items.filter(({ group }) => group === some.group),
          'amount',
        ),
      },
    ],
  }
}
