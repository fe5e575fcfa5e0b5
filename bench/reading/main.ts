import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CONVERT_LIMITS, createConverter } from '#platform/engine/convert/converter.ts'
import { kindOf } from '#platform/engine/convert/document-kind.ts'
import { type Agreement, compare } from './compare.ts'

const say = (text: string) => void process.stdout.write(`${text}\n`)

const NATIVE_TEXT = /\b(?:Str|Math\s+\w+|Code(?:Block)?\s+\([^()]*\))\s+"((?:[^"\\]|\\[^])*)"/g

/** Words of a document as pandoc's tests write it, without its properties. */
const readNative = (native: string): string =>
  [...native.slice(Math.max(0, native.search(/\}\s*\)?\s*\n\s*\[/))).matchAll(NATIVE_TEXT)]
    .map(([, text = '']) =>
      text.replace(/\\(?:(\d+)|&|(.))/g, (_, code?: string, sign = '') =>
        code === undefined ? sign.replace('n', '\n') : String.fromCodePoint(Number(code)),
      ),
    )
    .join(' ')

/** Texts of the truth: next to the document, or as docling and pandoc store them. */
function truthOf(path: string): string | undefined {
  const [folder, name] = [dirname(path), basename(path)]
  const stem = basename(path, extname(path))
  const other = join(folder, '..', 'groundtruth')
  const places = [`${path}.md`, `${path}.txt`, join(other, `${name}.md`), join(other, `${stem}.md`)]
  const found = places.find((place) => existsSync(place))
  if (found !== undefined) return readFileSync(found, 'utf8')
  const native = join(folder, `${stem}.native`)
  return existsSync(native) ? readNative(readFileSync(native, 'utf8')) : undefined
}

const MAX_PAGES = 40

/** Text that another reader, pdf.js, finds in a PDF without a truth; undefined where it finds nothing. */
async function readByOther(path: string): Promise<string | undefined> {
  const { getDocumentProxy } = await import('unpdf')
  try {
    const document = await getDocumentProxy(new Uint8Array(await readFile(path)), { verbosity: 0 })
    let text = ''
    for (let page = 1; page <= Math.min(document.numPages, MAX_PAGES); page += 1) {
      // oxlint-disable-next-line no-await-in-loop -- pages in order
      const { items } = await (await document.getPage(page)).getTextContent()
      text += `${items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')}\n`
    }
    await document.loadingTask.destroy()
    return text.trim() === '' ? undefined : text
  } catch {
    return undefined
  }
}

/** Seconds of processor that children took which have ended; 0 where the system does not say. */
function secondsOfChildren(): number {
  try {
    const [user = 0, system = 0] = readFileSync('/proc/self/stat', 'latin1').split(' ').slice(15, 17).map(Number)
    return (user + system) / 100
  } catch {
    return 0
  }
}

interface Kind {
  documents: number
  sure: number
  words: number
  lost: number
  pairs: number
  readPairs: number
  samePairs: number
  seconds: number
  longestMs: number
  readonly refused: Map<string, number>
}

function add(kind: Kind, { words, lost, pairs, readPairs, samePairs }: Agreement): void {
  kind.sure += 1
  kind.words += words
  kind.lost += lost.length
  kind.pairs += pairs
  kind.readPairs += readPairs
  kind.samePairs += samePairs
}

const share = (part: number, whole: number) => (whole === 0 ? '-' : (part / whole).toFixed(4))

function toRow(name: string, kind: Kind): string {
  const { documents, sure, words, lost, pairs, readPairs, samePairs, seconds, longestMs, refused } = kind
  const reasons = [...refused].map(([reason, count]) => `${count} × ${reason}`).join('; ')
  const tables = pairs === 0 ? '-' : share(2 * samePairs, pairs + readPairs)
  const time = `${(seconds / documents).toFixed(2)} s | ${(longestMs / 1000).toFixed(1)} s`
  return `| ${name} | ${documents} | ${sure} | ${words} | ${share(words - lost, words)} | ${tables} | ${time} | ${reasons} |`
}

const isTruth = (name: string) => /\.(?:md|txt)$/.test(name) && kindOf(name.replace(/\.(?:md|txt)$/, '')) !== undefined

/** Documents by extension. A text of its own name is a truth. */
async function findDocuments(folder: string, wanted: RegExp, every: number): Promise<Map<string, string[]>> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = all
    .filter((entry) => entry.isFile() && kindOf(entry.name) !== undefined && !isTruth(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => wanted.test(path) && !path.includes('groundtruth'))
    .toSorted()
  return Map.groupBy(
    paths.filter((_, index) => index % every === 0),
    (path) => extname(path).toLowerCase(),
  )
}

async function measureKind(folder: string, paths: readonly string[], least: number, show: boolean): Promise<Kind> {
  const spool = await mkdtemp(join(tmpdir(), 'reading-'))
  // One after the other, so that the seconds are those of one document.
  const converter = createConverter(join(spool, 'work'), { ...CONVERT_LIMITS, processes: 1 })
  const refused = new Map<string, number>()
  const numbers = { words: 0, lost: 0, pairs: 0, readPairs: 0, samePairs: 0, seconds: 0, longestMs: 0 }
  const kind: Kind = { documents: 0, sure: 0, ...numbers, refused }
  const before = secondsOfChildren()
  const query = { response_type: 'markdown', extract_tables_as_images: false, image_resolution_scale: 1 } as const
  for (const path of paths) {
    kind.documents += 1
    const startedAt = performance.now()
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const read = await converter.convertDocument({ path, name: basename(path), query }).then(
      ({ markdown = '' }) => markdown,
      (error: Error) => error,
    )
    kind.longestMs = Math.max(kind.longestMs, performance.now() - startedAt)
    if (read instanceof Error) refused.set(read.message, (refused.get(read.message) ?? 0) + 1)
    // oxlint-disable-next-line no-await-in-loop -- as above
    const truth = truthOf(path) ?? (kindOf(path) === 'pdf' ? await readByOther(path) : undefined)
    if (truth === undefined) continue
    const page = kindOf(path) === 'html' ? readFileSync(path, 'utf8') : ''
    const agreement = compare(truth, read instanceof Error ? '' : read, page)
    if (agreement.words < least) continue
    add(kind, agreement)
    const { words, lost, pairs, readPairs, samePairs } = agreement
    if (!show || (lost.length === 0 && samePairs === Math.max(pairs, readPairs))) continue
    const said = read instanceof Error ? ` ${read.message}` : ''
    say(
      `${relative(folder, path)}: ${share(words - lost.length, words)} of ${words}, tables ${samePairs}/${pairs}/${readPairs}${said} ${lost.slice(0, 20).join(' ')}`,
    )
  }
  await converter.close()
  await rm(spool, { recursive: true, force: true })
  // The system counts a child when it has been waited for.
  await setTimeout(500)
  kind.seconds = secondsOfChildren() - before
  return kind
}

/**
 * How much of the documents below a folder is read, by kind. `--show` names what is lost, `--only <pattern>` and
 * `--every <n>` choose some, `--least <words>` leaves short truths out.
 */
async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { show: { type: 'boolean' }, only: text, every: text, least: text },
  })
  const [folder] = positionals
  if (folder === undefined) throw new Error('Name a folder with documents: npm run bench:documents -- <folder>')
  const kinds = await findDocuments(folder, new RegExp(values.only ?? ''), Number(values.every ?? 1))
  const rows = [
    '| kind | documents | with truth | words | recall | tables | processor | longest | refused |',
    `|${' --- |'.repeat(9)}`,
  ]
  for (const [name, paths] of kinds) {
    // oxlint-disable-next-line no-await-in-loop -- one kind after the other
    rows.push(toRow(name, await measureKind(folder, paths, Number(values.least ?? 1), values.show === true)))
  }
  say(rows.join('\n'))
}

await main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})
