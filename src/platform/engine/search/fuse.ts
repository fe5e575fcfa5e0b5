/** Distribution of the cosines between the question and all chunks of a collection. */
export interface Nearness {
  /** Number of chunks with a vector. */
  readonly count: number
  readonly mean: number
  readonly deviation: number
  readonly best: number
  /**
   * Cosine of the fifth nearest (of the last where there are fewer): chunks of one document are close to each other.
   */
  readonly fifth: number
}

export interface Candidate {
  /** Score of its words, 0…1. */
  readonly words: number
  /** Share of the question that its words cover. */
  readonly coverage: number
  /** Cosine of its vector and the question's; undefined without a vector. */
  readonly cosine: number | undefined
}

export interface Fused {
  readonly score: number
  /** Its vector alone marks it as relevant. */
  readonly near: boolean
  /** Its vector is as near as chance makes only the nearest: enough for a model, which judges by itself. */
  readonly likely: boolean
}

/** Weight of one nat of vector evidence, relative to words that cover the whole question. */
const EVIDENCE_PART = 0.095
/** Rank at which the length of the tail is measured; at least this many are always candidates. */
const TAIL_RANK = 15
const FIFTH_RANK = 5
/** Standard deviations above chance from which a vector alone makes a chunk relevant. */
const NEAR_LEAD = 1

/** Weight of the words, at least, where words are found. */
export const USUAL_ALPHA = 0.7
/** Standard deviations below the best of chance down to which a model is shown a chunk for its vector. */
const LIKELY_BELOW = 0.5
/** In fewer chunks each is near. */
const FEW_CHUNKS = 20

const bounded = (value: number) => Math.min(1, Math.max(0, value))

/** Expected maximum of `count` standard normal values, in standard deviations (Gumbel). */
export function chanceLead(count: number): number {
  if (count < 2) return 0
  const root = Math.sqrt(2 * Math.log(count))
  return root - (Math.log(Math.log(count)) + Math.log(4 * Math.PI)) / (2 * root)
}

/** With fewer chunks less can stand out. */
const MANY_CHUNKS = 100

function lead(count: number, wanted: number): number {
  const most = Math.sqrt(Math.max(0, count - 1)) - chanceLead(count)
  return Math.max(Number.EPSILON, Math.min(wanted * Math.sqrt(Math.min(1, count / MANY_CHUNKS)), 0.9 * most))
}

/** Softplus: 0 far below 0, the value itself far above; smooth between. */
const softPlus = (value: number) => Math.max(0, value) + Math.log1p(Math.exp(-Math.abs(value)))

/**
 * Length of the tail of the nearest (ranks 5 to 15; the first four may be the answer) relative to a normal
 * distribution, at least 1. In texts of one field all chunks are close, so closeness says less.
 */
function tailStretch(cosines: readonly number[], { count, deviation }: Nearness): number {
  const nearest = cosines.toSorted((one, other) => other - one)
  const [from, to] = [nearest[FIFTH_RANK - 1], nearest[TAIL_RANK - 1]]
  if (from === undefined || to === undefined || count <= TAIL_RANK) return 1
  const usual = chanceLead(count / FIFTH_RANK) - chanceLead(count / TAIL_RANK)
  return Math.max(1, (from - to) / deviation / usual)
}

/**
 * Evidence of a cosine for its chunk, in nats: how unlikely it is that chance brings the nearest of all this close.
 * Below chance it is 0; where the nearest stands out, being far counts against a chunk.
 */
function toEvidence(cosines: readonly number[], nearness: Nearness): (cosine: number) => number {
  const { count, mean, deviation, best } = nearness
  if (count < 2 || deviation === 0) return () => 0
  const chance = chanceLead(count)
  // The tail of a normal distribution falls by a factor of e over this part of a deviation. Ten values measure its
  // length only roughly, so half of it counts.
  const perDeviation = Math.sqrt((2 * Math.log(count)) / tailStretch(cosines, nearness))
  const nats = (cosine: number) => ((cosine - mean) / deviation - chance) * perDeviation
  const known = softPlus(nats(best))
  return (cosine) => softPlus(nats(cosine) + known)
}

/**
 * Convex combination of word scores and vector evidence, each relative to the best candidate; `alpha` (0…1) weighs the
 * words. Both are also weighed by how much they show for this question, so that collections compare.
 */
export function fuse(candidates: readonly Candidate[], nearness: Nearness, alpha: number): Fused[] {
  const { count, mean, deviation, best } = nearness
  const mostWords = Math.max(0, ...candidates.map((candidate) => candidate.words))
  const mostCoverage = Math.max(0, ...candidates.map((candidate) => candidate.coverage))
  const evidence = toEvidence(
    candidates.flatMap(({ cosine }) => cosine ?? []),
    nearness,
  )
  const most = evidence(best)
  const words = alpha * (1 - USUAL_ALPHA) * mostCoverage
  const vectors = (1 - alpha) * USUAL_ALPHA * EVIDENCE_PART * most
  const shown = words + vectors === 0 ? Math.ceil(alpha) : words / (words + vectors)
  // However far the nearest stands out: where words are found, the vectors have their part and no more.
  const part = mostWords > 0 ? Math.max(alpha, shown) : shown
  const level = part * mostWords + (1 - part) * bounded(best)
  const leadOf = (cosine: number) => (deviation > 0 && cosine > 0 ? (cosine - mean) / deviation : 0) - chanceLead(count)
  const isNear = (cosine: number) => leadOf(cosine) >= lead(count, NEAR_LEAD)
  const isLikely = (cosine: number) => count > FEW_CHUNKS && leadOf(cosine) >= -LIKELY_BELOW
  return candidates.map((candidate) => {
    const byWords = mostWords === 0 ? 0 : candidate.words / mostWords
    // Without a vector only the words count.
    if (candidate.cosine === undefined) return { score: level * byWords, near: false, likely: false }
    const byVector = most === 0 ? 0 : bounded(evidence(candidate.cosine) / most)
    return {
      score: level * (part * byWords + (1 - part) * byVector),
      near: isNear(candidate.cosine),
      likely: isLikely(candidate.cosine),
    }
  })
}
