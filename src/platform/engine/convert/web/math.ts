/** Signs before the second and the third part of a formula's element. */
const SIGNS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    mfrac: '/',
    msup: '^',
    msub: '_',
    msubsup: '_^',
    mover: '^',
    munder: '_',
    munderover: '_^',
    mtable: ';;',
  }),
)
/** Signs before an element. */
const BEFORE: ReadonlyMap<string, string> = new Map(Object.entries<string>({ msqrt: '√', mroot: '√', mtd: ' ' }))

/** Writes a formula of a page in one line, as people type it: (a + b)/2, x^2, √(x). */
export function createMath(write: (text: string) => void) {
  const open: { readonly name: string; readonly close: string; parts: number }[] = []
  return {
    isOpen: () => open.length > 0,
    open(name: string) {
      const around = open.at(-1)
      const signs = SIGNS.get(around?.name ?? '') ?? ''
      const isPart = signs !== '' && around?.name !== 'mtable'
      if (around !== undefined) {
        write(around.parts === 0 ? '' : (signs[around.parts - 1] ?? signs.at(-1) ?? ''))
        around.parts += 1
      }
      const hasBrackets = name === 'msqrt' || (isPart && name === 'mrow')
      write(`${BEFORE.get(name) ?? ''}${hasBrackets ? '(' : ''}`)
      open.push({ name, close: hasBrackets ? ')' : '', parts: 0 })
    },
    close: () => write(open.pop()?.close ?? ''),
  }
}
