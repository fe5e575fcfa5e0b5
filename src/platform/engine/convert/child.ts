import { open, readFile, writeFile } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { ConvertError, toFailure, type Source } from './reader.ts'
import type { ConvertAnswer, ConvertCall, ConvertProgress } from './protocol.ts'

// Runs in a process that the parent can kill: a hostile document may use all memory or never end.

const PLAIN = { response_type: 'markdown', extract_tables_as_images: false, image_resolution_scale: 1 } as const

async function writePages(source: Source, path: string): Promise<number> {
  const { readPdf } = await import('./pdf/pdf.ts')
  const out = await open(path, 'w', 0o600)
  let pages = 0
  let left = source.limits.resultCharacters
  try {
    for await (const page of readPdf(source)) {
      left -= page.markdown.length
      if (left < 0) throw new ConvertError('too-big')
      // Readers of lines take these two characters for the end of a line.
      await out.appendFile(`${JSON.stringify(page).replaceAll(/[\u2028\u2029]/g, ' ')}\n`)
      pages += 1
    }
  } finally {
    await out.close()
  }
  if (pages === 0) throw new ConvertError('empty')
  return pages
}

async function convert({ path, out, work, limits }: ConvertCall, told: Pick<Source, 'onPage' | 'onNote' | 'onStuck'>) {
  const [bytes, { createPictures }] = await Promise.all([readFile(path), import('./images/pictures.ts')])
  const pictures = createPictures(limits.pictureBytes)
  const source = { bytes, limits, pictures, ...told }
  const { createInnerReader, readDocument } = await import('./read-document.ts')
  if (work.kind === 'pages') {
    const document = { ...source, name: 'document.pdf', query: PLAIN }
    return writePages({ ...document, readInner: createInnerReader(document) }, out)
  }
  if (work.kind === 'picture') {
    const { drawPage } = await import('./pdf/page-picture.ts')
    const document = { ...source, name: 'document.pdf', query: PLAIN }
    await writeFile(out, await drawPage(document, work.page, work.quote), { mode: 0o600 })
    return 1
  }
  const { render } = await import('./render.ts')
  const notes: string[] = []
  const onNote = (note: string) => {
    notes.push(note)
    told.onNote(note)
  }
  const { kind, pages } = await readDocument({ ...source, name: work.name, query: work.query, onNote })
  const noted = notes.map((note) => ({ page: pages.at(-1)?.page ?? 1, markdown: `*${note}*` }))
  const result = await render({ name: work.name, kind, pages: [...pages, ...noted] }, work.query, pictures)
  const note = notes.length === 0 ? {} : { note: notes.join(' ') }
  await writeFile(out, JSON.stringify({ ...result, ...note }), { mode: 0o600 })
  return pages.length
}

async function answer(call: ConvertCall): Promise<ConvertAnswer> {
  const { id } = call
  let note: string | undefined
  let isStuck = false
  const told = {
    onPage: (page: number, pages: number) => void process.send?.({ id, page, pages } satisfies ConvertProgress),
    onNote: (text: string) => void (note = note === undefined ? text : `${note} ${text}`),
    onStuck: () => void (isStuck = true),
  }
  try {
    const pages = await convert(call, told)
    return { id, pages, note, isStuck }
  } catch (error) {
    return { id, note, isStuck, ...toFailure(error) }
  }
}

async function serve(call: ConvertCall): Promise<void> {
  process.send?.(await answer(call))
  // A child that is killed saves nothing at its end.
  flushCompileCache()
}

process.on('message', (call: ConvertCall) => void serve(call))
// The parent has gone.
process.on('disconnect', () => process.exit(0))
