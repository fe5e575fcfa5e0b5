/** Names of the two ends of a footnote, as Word, pandoc and others write them. */
const NOTE_TARGET = /^#?(?<kind>fn|footnote|endnote|_ftn|_edn|note)[-_:]?(?<number>\d+)$/i
const NOTE_ORIGIN = /^#(?:fnref|footnote-ref|endnote-ref|_ftnref|_ednref|noteref)[-_:]?\d+$/i

/** Labels footnotes in the order they are met; the ids in files are no numbers for readers. */
export function createNoteLabels(): (id: string | undefined) => string | undefined {
  const numbers = new Map<string, number>()
  return (id) => {
    const note = NOTE_TARGET.exec(id ?? '')?.groups
    if (note === undefined) return undefined
    const key = `${note['kind']?.toLowerCase()} ${note['number']}`
    const number = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, number)
    return `[^${number}]`
  }
}

/** True for the link that leads back from a footnote. */
export const isNoteOrigin = (href: string): boolean => NOTE_ORIGIN.test(href)
