const ITEM = /^ *(?:[-*+]|\d{1,9}[.)])\s/
/** Further in, the first item of a list is code. */
const MAX_FIRST = 3
/** Least and, for Discord, exact step from one level to the next. */
const STEP = 2

const indentOf = (line: string): number => line.length - line.trimStart().length

const withoutTabs = (line: string): string => line.replace(/^[ \t]+/, (blanks) => blanks.replaceAll('\t', '    '))

/**
 * Puts each level of nested lists two blanks further in: Discord makes further levels of four. Only tabs get longer.
 *
 * @param lines outside of code
 */
export function levelLists(lines: readonly string[]): string[] {
  /** Indentations of the open items, from the outermost. */
  const open: number[] = []
  let isAfterBlank = false
  return lines.map((written) => {
    const line = written.includes('\t') ? withoutTabs(written) : written
    const indent = indentOf(line)
    const isBlank = indent === line.length
    const endsList = isAfterBlank && indent === 0
    isAfterBlank = isBlank
    if (isBlank) return line
    if (!ITEM.test(line)) {
      if (endsList) open.length = 0
      return open.length === 0 ? line : ' '.repeat(Math.min(indent, STEP * open.length)) + line.slice(indent)
    }
    while (open.length > 0 && indent < (open.at(-1) ?? 0)) open.pop()
    const last = open.at(-1)
    if (last === undefined && indent > MAX_FIRST) return line
    if (last === undefined || indent >= last + STEP) open.push(indent)
    return ' '.repeat(STEP * (open.length - 1)) + line.slice(indent)
  })
}
