import { english, type Texts } from './english.ts'
import { german } from './german.ts'
import { keptSetting } from './parts/kept-setting.ts'
import { toLanguageTag } from './parts/language-tag.ts'

/** Chosen in the settings, or the browser's. */
export const language = toLanguageTag(keptSetting('language') ?? globalThis.navigator?.language ?? 'en')
export const texts: Texts = language.toLowerCase().startsWith('de') ? german : english

/** A heading may be in another language than the page. */
export const isQuestion = (heading: string): boolean =>
  [english, german].some(({ questionStart }) => questionStart.test(heading))

/** “Who we are” names nothing that can be asked about. */
export const isClause = (heading: string): boolean =>
  [english, german].some(({ clauseStart }) => clauseStart.test(heading))
