import { rmSync } from 'node:fs'
import { join } from 'node:path'

// Packages bring parts that no program here reads, a quarter of an install: they go after each `npm ci`, and in the image.
// Plain JavaScript: it runs under the Node of the machine.

const UNUSED = [
  // The large data of text recognition; the small one is read.
  '@tesseract.js-data/deu/4.0.0',
  '@tesseract.js-data/eng/4.0.0',
  // Bundles for browsers.
  '@e965/xlsx/dist',
  'jschardet/dist',
  'mediabunny/dist/bundles',
  // TypeScript sources: the built JavaScript is read.
  'mediabunny/src',
  'openai/src',
  'zod/src',
  // A second copy of 143 MB, which the binary of Node was linked from.
  'node/node_modules',
]

for (const path of UNUSED) rmSync(join(process.cwd(), 'node_modules', path), { recursive: true, force: true })
