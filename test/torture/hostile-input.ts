import { hostileDocuments } from '../fixtures/documents/hostile.ts'
import type { Random } from '../platform/hostile/random.ts'
import { badCharacters, tooLong } from '../platform/hostile/names.ts'
import type { DroppedFile } from '../support/people/workspace.ts'
import { familyAt } from './families.ts'

const SIZES = [1, 40, 400, 3_500] as const
const EXTENSIONS = [
  'md',
  'txt',
  'html',
  'rtf',
  'eml',
  'csv',
  'docx',
  'pdf',
  'xlsx',
  'ipynb',
  'png',
  'exe',
  'ogg',
  '',
] as const

/** Words of a family, of some length; never empty. */
export function hostileText(random: Random, most: number = SIZES.at(-1) ?? 1): string {
  const { prefix, piece, suffix } = familyAt(random.int(1e9), random.int(1e9))
  const size = Math.min(random.pick(SIZES), most)
  return `${prefix}${piece.repeat(Math.ceil(size / piece.length))}${suffix}`.slice(0, most)
}

function hostileName(random: Random): string {
  const extension = random.pick(EXTENSIONS)
  const stem = random.pick([
    () => badCharacters(random),
    () => tooLong(random, 150),
    () => hostileText(random, 60),
    () => 'notes',
  ])()
  return extension === '' ? stem : `${stem}.${extension}`
}

/** Makes files: hostile names, hostile contents, documents that nobody saves. */
export async function createHostileFiles(random: Random): Promise<() => DroppedFile> {
  const documents = (await hostileDocuments()).filter(({ content }) => content.byteLength < 100_000)
  return () => {
    const document = random.pick(documents)
    const bytes = random.pick([
      () => document.content,
      () => random.bytes(random.int(2000)),
      () => hostileText(random),
      () => `---\n${hostileText(random)}\n---\n# ${hostileText(random)}\n\n${hostileText(random)}`,
      () => '',
    ])()
    const name = bytes === document.content && random.int(2) === 0 ? document.name : hostileName(random)
    return {
      name,
      bytes,
      mimeType: random.pick(['text/markdown', 'text/plain', 'application/pdf', 'application/octet-stream', 'x/y']),
    }
  }
}
