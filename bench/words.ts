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

const vocabularySize = 20_000
const onsets = ['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'z', 'st', 'tr', 'pl', 'gr']
const vowels = ['a', 'e', 'i', 'o', 'u', 'ai', 'ou']
const commonWords = ['the', 'of', 'and', 'to', 'in', 'is', 'for', 'that', 'with', 'on', 'by', 'from']

/** A word of the made-up language: the same for the same rank, different for different ranks. */
function wordOf(rank: number): string {
  const syllables = onsets.length * vowels.length
  const syllable = (at: number) =>
    `${onsets[at % onsets.length] ?? ''}${vowels[Math.floor(at / onsets.length) % vowels.length] ?? ''}`
  return `${syllable(rank % syllables)}${syllable(Math.floor(rank / syllables) % syllables)}${syllable((rank * 31) % syllables)}n`
}

/** Text as it is spread in real files: word frequencies fall with the rank (Zipf), between common words of English. */
export interface Prose {
  sentence(): string
  /** A question made of words of this sentence, rarer ones among them, as people ask. */
  questionFor(sentence: string): string
}

export function createProse(seed: number): Prose {
  const random = createRandom(seed)
  const rank = () => Math.floor(vocabularySize ** random()) - 1
  const common = () => commonWords[Math.floor(random() * commonWords.length)] ?? 'the'
  return {
    sentence() {
      const words = Array.from({ length: 9 }, () => wordOf(rank()))
      const text = words.map((word, at) => (at % 2 === 0 ? `${common()} ${word}` : word)).join(' ')
      return `${text[0]?.toUpperCase()}${text.slice(1)}.`
    },
    questionFor(sentence) {
      const words = sentence.replace('.', '').split(' ')
      const asked = words.filter((word) => word.length > 5).toSorted(() => random() - 0.5)
      return `What about ${asked.slice(0, 5).join(' ')}?`
    },
  }
}
