/** How the vectors of a collection lie to the question. */
export interface Nearness {
  /** Chunks that have a vector. */
  readonly count: number
  readonly mean: number
  readonly deviation: number
  readonly best: number
  /** Cosine of the fifth nearest, or of the last of fewer: chunks of one document are near each other. */
  readonly fifth: number
}

export interface Candidate {
  /** Score of its words, 0…1. */
  readonly words: number
  /** Part of the question that its words cover. */
  readonly coverage: number
  /** Cosine of its vector and the question's; undefined before it has one. */
  readonly cosine: number | undefined
}

export interface Fused {
  readonly score: number
  /** Its vector alone shows that it belongs to the question. */
  readonly near: boolean
}

/** Coverage from which the words are fully trusted; a question from another field reaches half of it by chance. */
const fullCoverage = 0.4
/** Deviations above chance from which the vectors are fully trusted. */
const fullLead = 2
/**
 * Deviations that the nearest may lie above the fifth before it counts as found for sure, and what each further one adds
 * to the part of the vectors.
 */
const usualGap = 1.3
const gapPart = 5
/** Deviations above chance from which a vector alone shows a chunk to be relevant. */
const nearLead = 1

const bounded = (value: number) => Math.min(1, Math.max(0, value))

/** Deviations above the mean that the largest of `count` random values reaches on average (Gumbel). */
export function chanceLead(count: number): number {
  if (count < 2) return 0
  const root = Math.sqrt(2 * Math.log(count))
  return root - (Math.log(Math.log(count)) + Math.log(4 * Math.PI)) / (2 * root)
}

/** Among fewer, less can stand out. */
const manyChunks = 100

function lead(count: number, wanted: number): number {
  const most = Math.sqrt(Math.max(0, count - 1)) - chanceLead(count)
  return Math.max(Number.EPSILON, Math.min(wanted * Math.sqrt(Math.min(1, count / manyChunks)), 0.9 * most))
}

/**
 * Convex sum of the scores of words and of vectors, each over its own range among the candidates; `alpha` (0…1) is the
 * part of the words. A part that shows nothing for this question has no say: words by how little of the question they
 * cover, vectors by how little the nearest stands out from what the nearest of so many is by chance. The sum is
 * scaled by how good the best of both are, so that collections can be compared.
 */
export function fuse(candidates: readonly Candidate[], nearness: Nearness, alpha: number): Fused[] {
  const { count, mean, deviation, best, fifth } = nearness
  const mostWords = Math.max(0, ...candidates.map((candidate) => candidate.words))
  const mostCoverage = Math.max(0, ...candidates.map((candidate) => candidate.coverage))
  const deviations = (cosine: number) => (deviation === 0 ? 0 : (cosine - mean) / deviation)
  const chance = chanceLead(count)
  const words = alpha * bounded(mostCoverage / fullCoverage)
  const trust = bounded((deviations(best) - chance) / lead(count, fullLead))
  const sure = gapPart * Math.max(0, deviations(best) - deviations(fifth) - usualGap)
  const vectors = (1 - alpha) * trust * (1 + sure)
  const part = words + vectors === 0 ? Math.ceil(alpha) : words / (words + vectors)
  const level = part * mostWords + (1 - part) * bounded(best)
  return candidates.map((candidate) => {
    const byWords = mostWords === 0 ? 0 : candidate.words / mostWords
    // Without a vector (yet) there is no second opinion.
    if (candidate.cosine === undefined) return { score: level * byWords, near: false }
    const byVector = best > mean ? bounded((candidate.cosine - mean) / (best - mean)) : 0
    return {
      score: level * (part * byWords + (1 - part) * byVector),
      near: candidate.cosine > 0 && deviations(candidate.cosine) - chance >= lead(count, nearLead),
    }
  })
}
