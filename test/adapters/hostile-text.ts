/** Text that makes a careless reader slow: the time may grow with its length, never with the square of it. */
import { expect, test } from 'vitest'

const REPEATED =
  String.raw`[ ![ * _ < | > ~ # & \ ! ( @ <@ <@U1| ]( [a](https: []( </ <:a <br __a **a* |- [[a](https://x)`
    .split(' ')
    .concat(
      '`',
      '`a``',
      ' ',
      '\n',
      '> ',
      '* ',
      'a\n',
      '||\n|',
      '`\n',
      '```\n',
      '~~~a`\n',
      '\n-# ',
      '[a](b "',
      '\uE000 ',
    )

const FAMILIES: readonly (readonly [name: string, make: (size: number) => string])[] = [
  ...REPEATED.map((part) => [JSON.stringify(part), (size: number) => part.repeat(size / part.length)] as const),
  ['a plus, blanks and a bracket', (size) => `+${' '.repeat(size)}]`],
  ['a fence, blanks and a backtick', (size) => `\`\`\`${' '.repeat(size)}\``],
  ['a heading that ends in no mark', (size) => `# ${'#'.repeat(size)}a`],
  ['blanks between words', (size) => `x${' '.repeat(size)}x`],
  ['tabs before a mention', (size) => `${'\t'.repeat(size)}<@`],
  ['a table of dashes and blanks', (size) => `|a\n|-${' '.repeat(size)}x`],
  ['runs of backticks of every length', (size) => runs(Math.sqrt(2 * size))],
  ['a wide table of short rows', (size) => `${wide(size, 'a|')}${wide(size, '-|')}${wide(size, '|\n')}`],
  ['a long label of many rows', (size) => `${'a'.repeat(size / 2)}|b\n-|-\n${'x|y\n'.repeat(size / 8)}`],
  ['links in links', (size) => `${'['.repeat(size / 16)}${'](https://x)'.repeat(size / 16)}`],
]

const wide = (size: number, part: string) => `${part.repeat(size / 8)}\n`
const runs = (count: number) => Array.from({ length: count }, (_, index) => '`'.repeat(index)).join(' ')

const SIZES = [8_000, 16_000, 32_000]
/** Less is noise, above all of the garbage collector. */
const NOISE_MS = 15

/** Milliseconds of this thread, so that other work on the machine does not count. */
function fastest(convert: (text: string) => unknown, text: string): number {
  const times = Array.from({ length: 3 }, () => {
    const begin = process.threadCpuUsage()
    convert(text)
    const { user, system } = process.threadCpuUsage(begin)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

/** Twice the text takes at most 2.5 times as long. */
export function staysLinear(convert: (text: string) => unknown): void {
  test.each(FAMILIES)('%s', (_name, make) => {
    convert(make(500))
    const [small, , large] = SIZES.map((size) => fastest(convert, make(size)))
    expect(large).toBeLessThan(2.5 ** 2 * Math.max(small ?? 0, NOISE_MS))
  })
}
