/** A bundle of its own, `/assets/formulas.js`, which the page loads with the first formula. */
import temml from 'temml'

/** Within a text that a model wrote: no address, no style, no picture, and bounds of sizes and macros. */
const SAFE = { trust: false, throwOnError: true, maxExpand: 300 } as const

/** Draws a formula as MathML. @throws {Error} if it is no LaTeX */
export function drawFormula(source: string, isBlock: boolean, place: HTMLElement): void {
  temml.render(source, place, { ...SAFE, maxSize: [20, 20], displayMode: isBlock, annotate: true })
}
