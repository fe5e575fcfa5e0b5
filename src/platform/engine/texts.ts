const EN = {
  /** Above quotations, and in the place of an answer. */
  files: {
    fromFiles: 'The files say (no language model is connected):',
    /** The same, once it was said in a conversation that there is no model. */
    filesSay: 'The files say:',
    notInCollection:
      'Not found in this collection: no passage of its files has the words of the question. Try the words that the files use.',
    /** Some words of the question are in passages. */
    nearest: 'I am not sure that this collection answers it. These passages may help.',
    nothingIndexed:
      'This collection holds nothing to search yet: upload a PDF, a text or a markdown file and index it, then ask again. If indexing failed, the file list says why.',
    noModel:
      'No language model is configured, so I can only answer from files: drop a PDF, a text or a markdown file here and ask about it.',
    noQuestion: 'There is no question in this request: ask something about the files.',
  },
  /** Around a computed value and its rows. */
  tables: {
    computed: (rows: number, all: number, where: string) =>
      rows === all
        ? `Computed from all ${rows} rows of ${where}:`
        : `Computed from ${rows} of the ${all} rows of ${where}:`,
    computedValues: (count: number, all: number, where: string) =>
      count === all
        ? `Computed from all ${all} values of ${where}:`
        : `Computed from ${count} of the ${all} values of ${where}:`,
    both: (one: string, other: string) => `${one} and ${other}`,
    found: (where: string) => `From ${where}:`,
    max: (isDate: boolean, name: string) => `${isDate ? 'Latest' : 'Highest'} ${name}`,
    min: (isDate: boolean, name: string) => `${isDate ? 'Earliest' : 'Lowest'} ${name}`,
    sum: (name: string) => `Sum of ${name}`,
    average: (name: string) => `Average of ${name}`,
    median: (name: string) => `Median of ${name}`,
    rows: (count: number) => (count === 1 ? '1 row' : `${count} rows`),
    list: (names: readonly string[], more: number) => `${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}`,
    values: (count: number) => `${count} ${count === 1 ? 'value' : 'values'}`,
    row: (number: number) => (number === 0 ? '' : ` (row ${number})`),
    different: (name: string, count: string) => `${name}: ${count} different`,
    more: (count: number) => `… and ${count} more ${count === 1 ? 'row' : 'rows'}.`,
    leftOut: (count: number) => (count === 1 ? 'One row has no value there.' : `${count} rows have no value there.`),
    rounded: 'The sheet shows these numbers rounded: the exact result may differ.',
    otherTotal: (label: string, value: string) => `The row “${label}” of the table says ${value}.`,
    none: 'No row fits.',
    counted: 'Number of rows',
    month: 'month',
    year: 'year',
    by: (what: string, group: string) => `${what} by ${group}`,
    extreme: (isMax: boolean, group: string, value: string) => `${isMax ? 'Highest' : 'Lowest'}: ${group}, ${value}`,
    share: (name: string) => `Share of ${name}`,
    of: (part: string, whole: string) => `${part} of ${whole}`,
    difference: (name: string) => `Difference of ${name}`,
    nth: (what: string, place: number) => `${what}, place ${place}`,
  },
}

/** The few sentences that the engine itself says. */
export type EngineTexts = typeof EN

const DE: EngineTexts = {
  files: {
    fromFiles: 'Das steht in den Dateien (es ist kein Sprachmodell angeschlossen):',
    filesSay: 'Das steht in den Dateien:',
    notInCollection:
      'In dieser Sammlung nicht gefunden: Keine Stelle ihrer Dateien hat die Wörter der Frage. Versuchen Sie es mit den Wörtern der Dateien.',
    nearest: 'Ich bin nicht sicher, ob diese Sammlung das beantwortet. Diese Stellen helfen vielleicht.',
    nothingIndexed:
      'In dieser Sammlung gibt es noch nichts zu durchsuchen: Laden Sie eine PDF-, Text- oder Markdown-Datei hoch, indexieren Sie sie und fragen Sie noch einmal. Ging das schief, nennt die Dateiliste den Grund.',
    noModel:
      'Es ist kein Sprachmodell eingerichtet, deshalb kann ich nur aus Dateien antworten: Legen Sie hier eine PDF-, Text- oder Markdown-Datei ab und fragen Sie danach.',
    noQuestion: 'In dieser Anfrage steht keine Frage: Fragen Sie etwas zu den Dateien.',
  },
  tables: {
    computed: (rows: number, all: number, where: string) =>
      rows === all
        ? `Berechnet aus allen ${rows} Zeilen von ${where}:`
        : `Berechnet aus ${rows} der ${all} Zeilen von ${where}:`,
    computedValues: (count: number, all: number, where: string) =>
      count === all
        ? `Berechnet aus allen ${all} Werten von ${where}:`
        : `Berechnet aus ${count} der ${all} Werte von ${where}:`,
    both: (one: string, other: string) => `${one} und ${other}`,
    found: (where: string) => `Das steht in ${where}:`,
    max: (isDate: boolean, name: string) => `${isDate ? 'Spätestes' : 'Höchster Wert von'} ${name}`,
    min: (isDate: boolean, name: string) => `${isDate ? 'Frühestes' : 'Niedrigster Wert von'} ${name}`,
    sum: (name: string) => `Summe von ${name}`,
    average: (name: string) => `Durchschnitt von ${name}`,
    median: (name: string) => `Median von ${name}`,
    rows: (count: number) => (count === 1 ? '1 Zeile' : `${count} Zeilen`),
    list: (names, more) => `${names.join(', ')}${more === 0 ? '' : ` und ${more} weitere`}`,
    values: (count: number) => `${count} ${count === 1 ? 'Wert' : 'Werte'}`,
    row: (number: number) => (number === 0 ? '' : ` (Zeile ${number})`),
    different: (name: string, count: string) => `${name}: ${count} verschiedene`,
    more: (count: number) => `… und ${count} weitere ${count === 1 ? 'Zeile' : 'Zeilen'}.`,
    leftOut: (count: number) =>
      count === 1 ? 'Eine Zeile hat dort keinen Wert.' : `${count} Zeilen haben dort keinen Wert.`,
    rounded: 'Die Tabelle zeigt diese Zahlen gerundet: das genaue Ergebnis kann abweichen.',
    otherTotal: (label: string, value: string) => `Die Zeile „${label}“ der Tabelle sagt ${value}.`,
    none: 'Keine Zeile passt.',
    counted: 'Anzahl der Zeilen',
    month: 'Monat',
    year: 'Jahr',
    by: (what: string, group: string) => `${what} nach ${group}`,
    extreme: (isMax: boolean, group: string, value: string) =>
      `${isMax ? 'Am höchsten' : 'Am niedrigsten'}: ${group}, ${value}`,
    share: (name: string) => `Anteil an ${name}`,
    of: (part: string, whole: string) => `${part} von ${whole}`,
    difference: (name: string) => `Unterschied bei ${name}`,
    nth: (what: string, place: number) => `${what}, Platz ${place}`,
  },
}

const TEXTS: ReadonlyMap<string, EngineTexts> = new Map([
  ['en', EN],
  ['de', DE],
])

/** First lines of answers that quote files, with the notice that there is no model and without it, in all languages. */
const HEADS = Array.from(TEXTS.values()).flatMap(({ files }) => [files.fromFiles, files.filesSay])

/** Whether a text says in any language that the files answer. */
export const quotesFiles = (text: string): boolean => HEADS.some((head) => text.includes(head))

/** The first line of an answer that quotes files, and the rest; without such a line all is the rest. */
export function splitHead(text: string): { readonly head: string; readonly rest: string } {
  const head = HEADS.find((one) => text.startsWith(one)) ?? ''
  return { head, rest: text.slice(head.length) }
}

/** A word or a question with a capital letter at its beginning. */
export const toTitle = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** @param language ISO 639-1; one without sentences of its own has the English ones */
export const textsFor = (language: string): EngineTexts => TEXTS.get(language) ?? EN
