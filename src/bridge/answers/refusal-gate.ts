import { LONGEST_REFUSAL, NOT_IN_FILES, withoutWord } from './refusal.ts'

export interface RefusalGate {
  /** Takes the next piece; returns what is safe to show. */
  push(text: string): string
  /** What was held back and is answer after all. */
  end(): string
}

/**
 * Keeps a refusal from being seen: holds the beginning of an answer back until it can't be one any more.
 *
 * @param holds `word`: only the word is looked for. `refusal`: also what says so in a sentence, in the languages in which
 *   `soundsLikeRefusal` knows it. An answer is shown from its first mark on; one that begins as no refusal does, at once.
 */
export function createRefusalGate(holds: 'word' | 'refusal' = 'word'): RefusalGate {
  const mayRefuse = holds === 'word' ? mayBeWord : mayBeRefusal
  let held = ''
  let open = false
  return {
    push(text) {
      if (open) return text
      held += text
      if (mayRefuse(held)) return ''
      open = true
      return held
    },
    end: () => (open || withoutWord(held).refuses ? '' : held),
  }
}

function mayBeWord(held: string): boolean {
  if (held.length > LONGEST_REFUSAL) return false
  const bare = held.replace(/^[\s*_`"'“”„«»]+/, '').replaceAll(' ', '_')
  return NOT_IN_FILES.startsWith(bare.slice(0, NOT_IN_FILES.length))
}

const set = (words: string) => new Set(words.split(' '))

/** First words of sentences that refuse: articles, pronouns, negations, apologies, and what a document is called. */
const FIRST_WORDS = set(
  'the these this that those there none no not nothing neither i it in based according from unfortunately sorry regrettably ' +
    'apologies my we you any information as passages documents files ' +
    'die der das den dem dies diese dieses im aus es ich wir leider zu dazu darüber hierzu hierüber kein keine keiner nichts nicht ' +
    'entschuldigung tut über auf laut dateien dokumente passagen ' +
    'le la les l ce ces cette il je aucun aucune rien malheureusement désolé désolée dans d selon ' +
    'el los las en ningún ninguno ninguna lo este esta estos nada lamentablemente según ' +
    'i gli nessun nessuna non nei nel purtroppo mi o os a as não nos nenhum nenhuma infelizmente de het er geen niets helaas ik deze dit',
)
/** By here a sentence that refuses has said no, or sorry. */
const TOLD_BY = 80
const SAYS_NO =
  /(?<!\p{L})(?:no|not|\p{L}+n['’]t|cannot|nothing|none|neither|unable|without|sorry|apolog\p{L}+|unfortunately|nicht|nichts|kein\p{L}*|leider|entschuld\p{L}+|ne|n['’]\p{L}+|pas|aucune?|rien|désolée?|malheureusement|ning[uú]n\p{L}*|nada|siento|lamentablemente|non|nessun\p{L}*|purtroppo|não|nenhuma?|infelizmente|niet|niets|geen|helaas)(?!\p{L})/iu

function mayBeRefusal(held: string): boolean {
  if (mayBeWord(held)) return true
  if (held.length > LONGEST_REFUSAL || /\[\d+\]/.test(held)) return false
  const [first, ended] = held.match(/\p{L}+|(?<=\p{L})[^\p{L}]/gu) ?? []
  if (first === undefined || ended === undefined) return true
  return FIRST_WORDS.has(first.toLowerCase()) && (held.length < TOLD_BY || SAYS_NO.test(held))
}
