import { endWithout, startWithout } from '#lib/unicode.ts'

/** The marker word by which a model refuses, independent of language. */
export const NOT_IN_FILES = 'NOT_IN_FILES'

const WORD = /NOT[_ ]IN[_ ]FILES/g
const DECORATION = '*_`"\'“”„«»'

/** Removes the marker word and tells whether it was there. */
export function withoutMarkerWord(text: string): { readonly text: string; readonly refuses: boolean } {
  let rest = ''
  let from = 0
  for (const { 0: word, index } of text.matchAll(WORD)) {
    rest += text.slice(from, endWithout(DECORATION, text, from, index))
    const behind = text.slice(index + word.length)
    from = text.length - behind.length + startWithout(`${DECORATION}.`, behind)
  }
  return { text: (rest + text.slice(from)).trim(), refuses: from > 0 }
}

/** A longer answer is not a refusal. */
const MAX_REFUSAL_CHARS = 600

/** Refusals of models and platforms that do not use the marker word, in the most frequent languages. */
const REFUSALS: readonly RegExp[] = [
  /\b(?:files?|passages?|documents?|collection|context|excerpts?|sources?)\b[^.]{0,60}\b(?:do(?:es)?n['’]t|do(?:es)? not|not|no|nothing)\b[^.]{0,40}\b(?:answer|contain|mention|state|say|specif|provid|includ|hold|cover|give|address|information|detail)/i,
  /\b(?:not|n['’]t|no|nothing)\b[^.]{0,40}\b(?:answer\w*|mention\w*|stated?|specified|provided|found|covered|find|information)\b[^.]{0,40}\b(?:files?|passages?|documents?|collection|context|excerpts?|sources?)\b/i,
  /\bnot in (?:this|the|these) (?:collection|files?|passages?|documents?|context)\b/i,
  /\b(?:Dateien?|Passagen?|Textstellen?|Stellen?|Dokumente?n?|Sammlung|Kontext)\b[^.]{0,60}\b(?:nicht|kein\w*|nichts)\b[^.]{0,40}(?:beantwort|enth[aä]lt|erwähn|finde|steh|hervor|Angabe|Information|Antwort|Auskunft)/i,
  /\b(?:nicht|kein\w*|nichts)\b[^.]{0,40}\b(?:Dateien?|Passagen?|Textstellen?|Dokumente?n?|Sammlung|Kontext)\b/i,
  /(?:beantwort|enth[aä]lt|steht|finde)\w*[^.]{0,60}\b(?:Dateien?|Passagen?|Textstellen?|Dokumente?n?|Sammlung)\b[^.]{0,20}\b(?:nichts?|kein\w*)\b/i,
  /\b(?:Dateien?|Passagen?|Textstellen?|Dokumente?n?|Sammlung)\b[^.]{0,40}(?:beantwort|enth[aä]lt|enthalten|erwähn)\w*[^.]{0,40}\b(?:nichts?|kein\w*)\b/i,
  /\b(?:fichiers?|passages?|documents?|extraits?)\b[^.]{0,40}\bne\b[^.]{0,40}\b(?:pas|aucun\w*|rien)\b/i,
  /\b(?:archivos?|pasajes?|documentos?|fragmentos?|ficheros?)\b no (?:contien|respond|menciona|indica|dice|incluye)/i,
  /\b(?:file|passaggi|documenti)\b non (?:conten|rispond|menziona|indica|dic)/i,
  /\b(?:arquivos?|ficheiros?|trechos?|documentos?)\b não (?:cont|respond|menciona|indica|diz)/i,
  /\b(?:bestanden|passages|documenten)\b[^.]{0,40}\b(?:niet|geen)\b/i,
]

/** Whether an answer without citations is a refusal. */
export function soundsLikeRefusal(text: string): boolean {
  return text.length <= MAX_REFUSAL_CHARS && REFUSALS.some((pattern) => pattern.test(text))
}

export interface RefusalGate {
  /** Takes the next piece; returns what is safe to show. */
  push(text: string): string
  /** The rest of the held text, once the answer is no refusal. */
  end(): string
}

/**
 * Hides refusals: holds back the beginning of an answer until it cannot be a refusal any more.
 *
 * @param holds `word`: hold back the marker word only. `refusal`: also sentences that `soundsLikeRefusal` knows. The
 * first citation mark, or a beginning unlike any refusal, releases the text.
 */
export function createRefusalGate(holds: 'word' | 'refusal' = 'word'): RefusalGate {
  const mayRefuse = holds === 'word' ? mayBeMarkerWord : mayBeRefusal
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
    end: () => (open || withoutMarkerWord(held).refuses ? '' : held),
  }
}

function mayBeMarkerWord(held: string): boolean {
  if (held.length > MAX_REFUSAL_CHARS) return false
  const bare = held.replace(/^[\s*_`"'“”„«»]+/, '').replaceAll(' ', '_')
  return NOT_IN_FILES.startsWith(bare.slice(0, NOT_IN_FILES.length))
}

const set = (words: string) => new Set(words.split(' '))

/** First words of refusals: articles, pronouns, negations, apologies, and names for a document. */
const FIRST_WORDS = set(
  'the these this that those there none no not nothing neither i it in based according from unfortunately sorry regrettably ' +
    'apologies my we you any information as passages documents files ' +
    'die der das den dem dies diese dieses im aus es ich wir leider zu dazu darüber hierzu hierüber kein keine keiner nichts nicht ' +
    'entschuldigung tut über auf laut dateien dokumente passagen ' +
    'le la les l ce ces cette il je aucun aucune rien malheureusement désolé désolée dans d selon ' +
    'el los las en ningún ninguno ninguna lo este esta estos nada lamentablemente según ' +
    'i gli nessun nessuna non nei nel purtroppo mi o os a as não nos nenhum nenhuma infelizmente de het er geen niets helaas ik deze dit',
)
/** A refusal says no or sorry within so many characters. */
const REFUSAL_START_CHARS = 80
const SAYS_NO =
  /(?<!\p{L})(?:no|not|\p{L}+n['’]t|cannot|nothing|none|neither|unable|without|sorry|apolog\p{L}+|unfortunately|nicht|nichts|kein\p{L}*|leider|entschuld\p{L}+|ne|n['’]\p{L}+|pas|aucune?|rien|désolée?|malheureusement|ning[uú]n\p{L}*|nada|siento|lamentablemente|non|nessun\p{L}*|purtroppo|não|nenhuma?|infelizmente|niet|niets|geen|helaas)(?!\p{L})/iu

function mayBeRefusal(held: string): boolean {
  if (mayBeMarkerWord(held)) return true
  if (held.length > MAX_REFUSAL_CHARS || /\[\d+\]/.test(held)) return false
  const [first, ended] = held.match(/\p{L}+|(?<=\p{L})[^\p{L}]/gu) ?? []
  if (first === undefined || ended === undefined) return true
  return FIRST_WORDS.has(first.toLowerCase()) && (held.length < REFUSAL_START_CHARS || SAYS_NO.test(held))
}
