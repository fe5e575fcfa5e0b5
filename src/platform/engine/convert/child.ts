import { open, readFile, writeFile } from 'node:fs/promises'
import { ConvertError } from './reader.ts'
import type { ConvertAnswer, ConvertCall, ReadLimits } from './protocol.ts'

// Runs in a process that the parent can kill: a hostile document may use all memory or never end.

async function writePages(bytes: Buffer, path: string, limits: ReadLimits): Promise<number> {
  const { readPdf } = await import('./pdf/pdf.ts')
  const out = await open(path, 'w', 0o600)
  let pages = 0
  let left = limits.resultCharacters
  try {
    for await (const page of readPdf(bytes, limits.pages)) {
      left -= page.markdown.length
      if (left < 0) throw new ConvertError('too-big')
      await out.write(`${JSON.stringify(page)}\n`)
      pages += 1
    }
  } finally {
    await out.close()
  }
  if (pages === 0) throw new ConvertError('empty')
  return pages
}

async function convert({ path, out, work, limits }: ConvertCall): Promise<number> {
  const bytes = await readFile(path)
  if (work.kind === 'pages') return writePages(bytes, out, limits)
  const [{ readDocument }, { createPictures }, { render }] = await Promise.all([
    import('./read-document.ts'),
    import('./images/pictures.ts'),
    import('./render.ts'),
  ])
  const pictures = createPictures(limits.pictureBytes)
  const { kind, pages } = await readDocument({ name: work.name, bytes, limits, query: work.query, pictures })
  const result = await render({ name: work.name, kind, pages }, work.query, pictures)
  await writeFile(out, JSON.stringify(result), { mode: 0o600 })
  return pages.length
}

async function answer(call: ConvertCall): Promise<ConvertAnswer> {
  const { id } = call
  try {
    return { id, pages: await convert(call) }
  } catch (error) {
    if (!(error instanceof ConvertError)) return { id, failure: 'broken' }
    return { id, failure: error.failure, found: error.found }
  }
}

process.on('message', (call: ConvertCall) => {
  void answer(call).then((result) => process.send?.(result))
})
// The parent has gone.
process.on('disconnect', () => process.exit(0))
