const PLAIN_WORD = /^[a-z]+$/

/** A term as a word that PostgreSQL's own parser leaves whole, whatever script it is in. */
export const toWord = (term: string) =>
  PLAIN_WORD.test(term) ? term : `x${Buffer.from(term).toString('hex')}`
