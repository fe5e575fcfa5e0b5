import { endWithout, startWithout } from '../../lib/unicode.ts'

/** The word by which a model says that the passages do not answer: no language and no phrase to guess. */
export const NOT_IN_FILES = 'NOT_IN_FILES'

const WORD = /NOT[_ ]IN[_ ]FILES/g
const DECORATION = '*_`"\'“”„«»'

/** The text without the word, and whether it stood there. */
export function withoutWord(text: string): { readonly text: string; readonly refuses: boolean } {
  let rest = ''
  let from = 0
  for (const { 0: word, index } of text.matchAll(WORD)) {
    rest += text.slice(from, endWithout(DECORATION, text, from, index))
    const behind = text.slice(index + word.length)
    from = text.length - behind.length + startWithout(`${DECORATION}.`, behind)
  }
  return { text: (rest + text.slice(from)).trim(), refuses: from > 0 }
}

/** An answer that is longer is more than a refusal. */
export const LONGEST_REFUSAL = 600

/** How models and platforms that were not told the word say it, in the languages that are met most. */
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

/** Whether an answer that cites nothing says that there is no answer. */
export function soundsLikeRefusal(text: string): boolean {
  return text.length <= LONGEST_REFUSAL && REFUSALS.some((pattern) => pattern.test(text))
}

const SMALL_TALK =
  /^(?:hi|hello|hey|thanks?(?: you| a lot| so much)?|thx|cheers|ok(?:ay)?|great|good (?:morning|evening|night)|bye|hallo|hi zusammen|moin|servus|danke(?: schön| dir| sehr)?|vielen dank|super|prima|alles klar|guten (?:morgen|tag|abend)|tschüss|merci|salut|bonjour|gracias|hola|grazie|ciao|obrigad[oa])(?:[\s,]+(?:footbridge|there|everyone|all|zusammen|du))?[\s!.,:)😊🙏👍]*$/iu

/** A greeting or thanks: no question that files could answer. */
export function isSmallTalk(text: string): boolean {
  return SMALL_TALK.test(text.trim())
}
