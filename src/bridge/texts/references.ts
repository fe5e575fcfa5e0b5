/** What is said about the references under an answer. */
export interface ReferenceTexts {
  /** The answer cites none of them. */
  readonly read: string
  /** Numbers whose files could not be looked into in time. */
  readonly unchecked: (numbers: readonly number[]) => string
  /** The answer cites passages, and none of them stands in a file. */
  readonly noneStands: string
}

const marks = (numbers: readonly number[]) => numbers.map((number) => `[${number}]`).join(' ')

export const referencesEn: ReferenceTexts = {
  read: '_This answer marks no passage; below are the passages that were read for it._',
  unchecked: (numbers) =>
    `_Not checked: ${marks(numbers)}. I could not look into the file in time, so I don’t quote it. Ask again in a moment._`,
  noneStands:
    '_What this answer cites does not stand in the files here, so no reference is shown. Treat it with care._',
}

export const referencesDe: ReferenceTexts = {
  read: '_Diese Antwort nennt keine Stelle; unten stehen die Stellen, die für sie gelesen wurden._',
  unchecked: (numbers) =>
    `_Nicht geprüft: ${marks(numbers)}. Ich konnte nicht rechtzeitig in die Datei sehen und zitiere sie deshalb nicht. Bitte frag gleich noch einmal._`,
  noneStands:
    '_Was diese Antwort zitiert, steht in keiner Datei hier; darum zeige ich keinen Beleg. Bitte mit Vorsicht lesen._',
}
