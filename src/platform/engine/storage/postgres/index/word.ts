const plain = /^[a-z]+$/

/** A term as a word that PostgreSQL's own parser leaves whole, whatever script it is in. */
export const toWord = (term: string) => (plain.test(term) ? term : `x${Buffer.from(term).toString('hex')}`)
