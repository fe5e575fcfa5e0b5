import { existsSync, readdirSync, rmSync } from 'node:fs'
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
  'protobufjs/dist',
  // TypeScript sources: the built JavaScript is read.
  'mediabunny/src',
  'openai/src',
  'zod/src',
  // A second copy of 143 MB, which the binary of Node was linked from.
  'node/node_modules',
]

/** Builds for every kind of browser: Node reads these three. */
const RUNTIME = ['ort.node.min.mjs', 'ort-wasm-simd-threaded.mjs', 'ort-wasm-simd-threaded.wasm']

const folder = join(process.cwd(), 'node_modules')
const remove = (path) => rmSync(join(folder, path), { recursive: true, force: true })

for (const path of UNUSED) remove(path)
// Only a debugger reads the maps of sources.
for (const path of readdirSync(folder, { recursive: true })) if (path.endsWith('.map')) remove(path)
const builds = 'onnxruntime-web/dist'
if (existsSync(join(folder, builds)))
  for (const name of readdirSync(join(folder, builds))) if (!RUNTIME.includes(name)) remove(join(builds, name))
