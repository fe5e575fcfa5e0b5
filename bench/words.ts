/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Cumulative word frequencies: [number of most common words, their share]. From the abstracts of SciFact without stop
 * words; the last two are extrapolated.
 */
const spread = [
  [1, 0.015],
  [2, 0.022],
  [5, 0.039],
  [10, 0.062],
  [20, 0.098],
  [50, 0.171],
  [100, 0.249],
  [200, 0.352],
  [500, 0.523],
  [1_000, 0.661],
  [2_000, 0.788],
  [5_000, 0.906],
  [10_000, 0.961],
  [100_000, 0.997],
  [1_000_000, 1],
] as const

/** Probability that a word repeats one of the last hundred; fitted to the number of chunks that hold a word. */
const again = 0.3
const remembered = 100

const onsets = ['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'z', 'st', 'tr', 'pl', 'gr']
const vowels = ['a', 'e', 'i', 'o', 'u', 'ai', 'ou']
const commonWords = ['the', 'of', 'and', 'to', 'in', 'is', 'for', 'that', 'with', 'on', 'by', 'from']

/** A word of the made-up language: the same for the same rank, different for different ranks. */
function wordOf(rank: number): string {
  const syllables = onsets.length * vowels.length
  const syllable = (at: number) =>
    `${onsets[at % onsets.length] ?? ''}${vowels[Math.floor(at / onsets.length) % vowels.length] ?? ''}`
  const third = Math.floor(rank / syllables ** 2)
  const last = third === 0 ? '' : syllable(third)
  return `${syllable(rank % syllables)}${syllable(Math.floor(rank / syllables) % syllables)}${last}n`
}

/** A random rank from 0, distributed like words of natural text. */
function rankAt(part: number): number {
  const above = Math.max(
    0,
    spread.findIndex(([, upTo]) => part < upTo),
  )
  const [to, upTo] = spread[above] ?? spread[0]
  const [from, downTo] = spread[above - 1] ?? [0, 0]
  return from + Math.floor(((part - downTo) / (upTo - downTo)) * (to - from))
}

/** Text whose words are spread as in real files, between common words of English. */
export interface Prose {
  /** 14 words, 9 of them not stop words. */
  sentence(): string
  /** A question made of 3 to 8 words of this sentence, whatever they are. */
  questionFor(sentence: string): string
}

export function createProse(seed: number): Prose {
  const random = createRandom(seed)
  const last: string[] = []
  const below = (end: number) => Math.floor(random() * end)
  const common = () => commonWords[below(commonWords.length)] ?? 'the'
  const word = () => {
    const known = random() < again ? last[below(last.length)] : undefined
    if (known !== undefined) return known
    const made = wordOf(rankAt(random()))
    if (last.length < remembered) last.push(made)
    else last[below(remembered)] = made
    return made
  }
  return {
    sentence() {
      const words = Array.from({ length: 9 }, word)
      const text = words.map((one, at) => (at % 2 === 0 ? `${common()} ${one}` : one)).join(' ')
      return `${text[0]?.toUpperCase()}${text.slice(1)}.`
    },
    questionFor(sentence) {
      const words = sentence.replace('.', '').split(' ')
      const asked = words.filter((one) => one.length > 4)
      const count = 3 + below(6)
      while (asked.length > count) asked.splice(below(asked.length), 1)
      return `What about ${asked.join(' ')}?`
    },
  }
}

const SENTENCES = 16

/** Markdown of as many sections as there are sentences for: each becomes one chunk. */
export function sectionsOf(sentences: readonly string[]): string {
  const count = Math.ceil(sentences.length / SENTENCES)
  const section = (at: number) => sentences.slice(at * SENTENCES, (at + 1) * SENTENCES).join(' ')
  return Array.from({ length: count }, (_, at) => `# Section ${at}\n\n${section(at)}`).join('\n\n')
}
