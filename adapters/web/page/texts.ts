import { english, type Texts } from './english.ts'
import { german } from './german.ts'

export const language = globalThis.navigator?.language ?? 'en'
export const texts: Texts = language.toLowerCase().startsWith('de') ? german : english
