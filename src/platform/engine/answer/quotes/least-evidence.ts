/**
 * Least evidence of a sentence by language; below it the answer is "not in this collection". Syllables and short words,
 * as in Thai and Vietnamese, are found more easily by chance. Set on the tuning halves of XQuAD: docs/retrieval.md.
 */
const MIN_EVIDENCE: Readonly<Record<string, number>> = {
  ar: 0.54,
  de: 0.56,
  el: 0.6,
  en: 0.64,
  es: 0.665,
  hi: 0.615,
  ro: 0.65,
  ru: 0.63,
  th: 0.86,
  tr: 0.575,
  vi: 0.815,
}
const USUAL_EVIDENCE = 0.625

/** Least evidence for a question in this language. */
export const leastEvidence = (language: string): number => MIN_EVIDENCE[language] ?? USUAL_EVIDENCE
