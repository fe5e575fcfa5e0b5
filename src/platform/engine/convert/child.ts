import { open } from 'node:fs/promises'
import { PdfError, readPdf } from './pdf.ts'
import type { ConvertAnswer, ConvertCall } from './protocol.ts'

// A process of its own, so that the parent can kill it: a hostile document may take all memory or never end.

async function convert(call: ConvertCall): Promise<ConvertAnswer> {
  const out = await open(call.out, 'w', 0o600)
  let pages = 0
  try {
    for await (const page of readPdf(call.path, call.maxPages)) {
      await out.write(`${JSON.stringify(page)}\n`)
      pages += 1
    }
  } catch (error) {
    return { id: call.id, failure: error instanceof PdfError ? error.failure : 'broken' }
  } finally {
    await out.close()
  }
  return pages === 0 ? { id: call.id, failure: 'empty' } : { id: call.id, pages }
}

process.on('message', (call: ConvertCall) => {
  void convert(call).then((answer) => process.send?.(answer))
})
// The parent died: nobody waits any more.
process.on('disconnect', () => process.exit(0))
