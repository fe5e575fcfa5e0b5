import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import type { Lexicon } from './lexicon.ts'
import { nl } from './nl.ts'
import { OTHER_LANGUAGES } from './other-languages.ts'
import { pt } from './pt.ts'

/** Every language of which something is known; on a tie the first one wins. */
export const LANGUAGES: readonly Lexicon[] = [en, de, fr, es, it, pt, nl, ...OTHER_LANGUAGES]
