/** Reasons against an answer, by the word that is kept of each: the same in every language. */
const REASONS = [
  { value: 'wrong', english: 'It is wrong', german: 'Sie stimmt nicht' },
  { value: 'incomplete', english: 'Something is missing', german: 'Etwas fehlt' },
  { value: 'outdated', english: 'It is out of date', german: 'Sie ist veraltet' },
  { value: 'wrong source', english: 'It cites the wrong passage', german: 'Sie nennt die falsche Stelle' },
  { value: 'off topic', english: 'It answers something else', german: 'Sie beantwortet etwas anderes' },
] as const

/** The boxes of a dialog that asks for reasons, in the language of who sees it. */
export function reasonsFor(language: string | undefined) {
  const isGerman = language?.toLowerCase().startsWith('de') === true
  return {
    label: isGerman ? 'Was trifft zu?' : 'What applies?',
    options: REASONS.map(({ value, english, german }) => ({ value, label: isGerman ? german : english })),
  }
}

/** The text of the action: ticked reasons, then typed words. */
export function toReason(ticked: readonly string[], typed: string): string {
  const words = REASONS.flatMap(({ value }) => (ticked.includes(value) ? [value] : [])).join(', ')
  return words === '' || typed.trim() === '' ? words || typed : `${words}: ${typed}`
}
