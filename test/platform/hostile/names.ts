import type { Random } from './random.ts'

const spoof = ['\u202e', '\u202d', '\u2066', '\u2067', '\u2068', '\u202a']
const control = ['\u0000', '\u0001', '\u0008', '\u001b[2J', '\u007f', '\u0085', '\r', '\n', '\t', '\u2028', '\u2029']

/** Names that are refused for one bad part, whatever is around it. */
export function badCharacters(random: Random): string {
  const text = () => random.pick(['notes', 'a', 'Ω', '笔记', 'x y', '😀', 'גשר', 'e\u0301'])
  return random.pick([
    () => `${text()}${random.pick(control)}${text()}`,
    () => `${text()}${random.pick(spoof)}${text()}`,
    () => `${text()}\\${text()}`,
    () => `..\\..\\${text()}`,
    () => `../../${text()}/${text()}`,
    () => `${text()}/${text()}/${text()}`,
    () => random.pick([' ', '\u3000', '  ', '\u00a0', '\u2003']),
    () => random.pick(['..', '.', '/', '//', 'a/', 'a//', 'a/..', 'a/.']),
  ])()
}

export const tooLong = (random: Random, most: number) =>
  random.pick(['x', 'ä', '字', '😀', '\u0301']).repeat(most + 1 + random.int(3000))

/** Paths that want out of the folder, and bytes that no name has, already encoded. */
export const wildSegments = [
  '..%2f..%2fetc%2fpasswd',
  '..%2F..%2F..%2Fplatform.sqlite',
  '..%5c..%5cplatform-key',
  '%2e%2e%2f%2e%2e%2fplatform-key',
  '%252e%252e%252f%252e%252e',
  '%00',
  'notes%00.md',
  'a.md%00.exe',
  '%ff%fe',
  '%c0%ae%c0%ae%2f',
  '%ed%a0%80',
  '%',
  '%zz',
  '%u0000',
  '%e2%80%ae',
  '%0d%0aset-cookie:%20a=b',
  '%20',
  '.%2f',
  '%2f%2f%2f',
  '%7f',
  'nul',
  'con',
  '-rf',
  '~',
  '$(id)',
  "';drop%20table%20file;--",
  '%22%27%3e%3cscript%3e',
  '{{7*7}}',
  'x'.repeat(3000),
] as const
