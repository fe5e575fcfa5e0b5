const MAX_FIELDS = 50_000

const refsIn = (list: string | undefined): readonly number[] =>
  Array.from((list ?? '').matchAll(/(\d{1,9})\s+\d{1,5}\s+R/g), ([, number]) => Number(number))

/** Whether the fields of a form come back to one of them: the native reader follows them for ever. */
export function createFields() {
  const open: number[] = []
  const kids = new Map<number, readonly number[]>()
  return {
    take(number: number, text: string): void {
      const fields = /\/Fields\s{0,99}(?:\[([^\]]*)|(\d{1,9}\s+\d{1,5}\s+R))/.exec(text)
      open.push(...refsIn(fields?.[1] ?? fields?.[2]))
      const list = /\/Kids\s{0,99}\[([^\]]*)/.exec(text)?.[1] ?? /^\s{0,99}\[([^\]]*)/.exec(text)?.[1]
      if (list !== undefined) kids.set(number, refsIn(list))
    },
    areEndless(): boolean {
      const seen = new Set<number>()
      for (let one = open.pop(); one !== undefined; one = open.pop()) {
        if (seen.has(one) || seen.size > MAX_FIELDS) return true
        seen.add(one)
        open.push(...(kids.get(one) ?? []))
      }
      return false
    },
  }
}
