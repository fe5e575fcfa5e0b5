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

/** Weight of a nat of the vectors' evidence beside words that cover the whole question. */
const EVIDENCE_PART = 0.095
/** The last of the nearest that is looked at for how long the tail is; at least so many are always among the candidates. */
const TAIL_RANK = 15
const FIFTH_RANK = 5
/** Deviations above chance from which a vector alone shows a chunk to be relevant. */
const NEAR_LEAD = 1

const bounded = (value: number) => Math.min(1, Math.max(0, value))

/** Deviations above the mean that the largest of `count` random values reaches on average (Gumbel). */
export function chanceLead(count: number): number {
  if (count < 2) return 0
  const root = Math.sqrt(2 * Math.log(count))
  return root - (Math.log(Math.log(count)) + Math.log(4 * Math.PI)) / (2 * root)
}

/** Among fewer, less can stand out. */
const MANY_CHUNKS = 100

function lead(count: number, wanted: number): number {
  const most = Math.sqrt(Math.max(0, count - 1)) - chanceLead(count)
  return Math.max(Number.EPSILON, Math.min(wanted * Math.sqrt(Math.min(1, count / MANY_CHUNKS)), 0.9 * most))
}

/** 0 far below 0, the value itself far above; smooth between. */
const softPlus = (value: number) => Math.max(0, value) + Math.log1p(Math.exp(-Math.abs(value)))

/**
 * How much longer the tail of the nearest is than that of a bell curve, at least 1: from the fifth to the fifteenth,
 * since those before may be what is looked for. Texts of one field are all near each other, and say less by it.
 */
function tailStretch(cosines: readonly number[], { count, deviation }: Nearness): number {
  const nearest = cosines.toSorted((one, other) => other - one)
  const [from, to] = [nearest[FIFTH_RANK - 1], nearest[TAIL_RANK - 1]]
  if (from === undefined || to === undefined || count <= TAIL_RANK) return 1
  const usual = chanceLead(count / FIFTH_RANK) - chanceLead(count / TAIL_RANK)
  return Math.max(1, (from - to) / deviation / usual)
}

/**
 * What a cosine says for its chunk, in nats: how much rarer so near a chunk is than the nearest of so many by chance.
 * Below chance it says nothing, so vectors that know nothing change nothing; where the nearest does stand out they
 * know something, and then being far says something, too.
 */
function toEvidence(cosines: readonly number[], nearness: Nearness): (cosine: number) => number {
  const { count, mean, deviation, best } = nearness
  if (count < 2 || deviation === 0) return () => 0
  const chance = chanceLead(count)
  // The tail of a bell curve falls by a factor of e over this part of a deviation. Ten values show its length only
  // roughly: half of what they show is believed.
  const perDeviation = Math.sqrt((2 * Math.log(count)) / tailStretch(cosines, nearness))
  const nats = (cosine: number) => ((cosine - mean) / deviation - chance) * perDeviation
  const known = softPlus(nats(best))
  return (cosine) => softPlus(nats(cosine) + known)
}

/**
 * Convex sum of the scores of words and of the evidence of vectors, each over the best among the candidates; `alpha`
 * (0…1) is the part of the words. Each part weighs as much as it shows for this question: words what they cover of it,
 * vectors how far the nearest stands out from what the nearest of so many is by chance. The sum is scaled by how good
 * the best of both are, so that collections can be compared.
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
  const words = alpha * mostCoverage
  const vectors = (1 - alpha) * EVIDENCE_PART * most
  const part = words + vectors === 0 ? Math.ceil(alpha) : words / (words + vectors)
  const level = part * mostWords + (1 - part) * bounded(best)
  const isNear = (cosine: number) =>
    cosine > 0 && deviation > 0 && (cosine - mean) / deviation - chanceLead(count) >= lead(count, NEAR_LEAD)
  return candidates.map((candidate) => {
    const byWords = mostWords === 0 ? 0 : candidate.words / mostWords
    // Without a vector (yet) there is no second opinion.
    if (candidate.cosine === undefined) return { score: level * byWords, near: false }
    const byVector = most === 0 ? 0 : bounded(evidence(candidate.cosine) / most)
    return { score: level * (part * byWords + (1 - part) * byVector), near: isNear(candidate.cosine) }
  })
}
