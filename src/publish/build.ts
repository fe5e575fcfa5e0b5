// Builds `dist`, the content of the npm package: Node strips no types under `node_modules`. Each file becomes one file
// of the same name in JavaScript, so that threads and children are found where they are. The repository itself runs
// without a build.
import { execFile } from 'node:child_process'
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { bundlePage } from '#adapters/web/server/bundle.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The oldest Node that has all parts of Node that are used; `engines` says the same. */
const TARGET = 'node24'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly imports: Readonly<Record<string, string>>
}

/** The suite that an adapter of somebody else passes, too (`footbridge/contract`). */
const CONTRACT = ['test/contract/adapter.ts', 'test/contract/adapter/*.ts', 'test/support/patience.ts']

/** Copied as they are: the page at /docs of the platform, and lists of words. */
const isAsset = (path: string) => /openapi\/page\.(?:html|css|js)$|\.txt$/.test(path)
const isPage = (path: string) => path.startsWith('adapters/web/page/')

/** `#lib/lru.ts` as a path from the root. */
function locate(specifier: string, from: string, imports: Manifest['imports']): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  const slash = specifier.indexOf('/') + 1
  return imports[`${specifier.slice(0, slash)}*`]?.replace(/^\.\//, '').replace('*', specifier.slice(slash))
}

/** Imports, and the addresses of threads and children. */
const NAMED_FILE = /(\bfrom |\bimport |\bimport\(|\bnew URL\()["']([.#][^"'\n]*\.(?:ts|js))["']/g

function nameBuilt(code: string, from: string, imports: Manifest['imports']): string {
  return code.replace(NAMED_FILE, (whole, head: string, specifier: string) => {
    const target = locate(specifier, from, imports)
    if (target === undefined) return whole
    const path = posix.relative(posix.dirname(from), target).replace(/\.ts$/, '.js')
    return `${head}"${path.startsWith('.') ? path : `./${path}`}"`
  })
}

/** Sentences name the commands of a checkout; whoever has the package has the program `footbridge`. */
const nameCommands = (code: string) =>
  code.replace(
    /\bnpm run (doctor|eval|feedback|init|jobs|keys|manifest|move|platform)\b(?: --(?= ))?/g,
    'footbridge $1',
  )

async function buildFile(path: string, to: string, { imports }: Manifest): Promise<void> {
  const source = await readFile(join(ROOT, path), 'utf8')
  const loader = path.endsWith('.ts') ? 'ts' : 'js'
  const { code } = await transform(source, { loader, format: 'esm', target: TARGET, sourcefile: path })
  const target = join(to, path.replace(/\.ts$/, '.js'))
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, nameCommands(nameBuilt(code, path, imports)))
}

/** The types of the modules that `exports` in package.json names. */
async function declare(to: string, { imports }: Manifest): Promise<void> {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const words = [compiler, '-p', join(ROOT, 'src/publish/tsconfig.json'), '--outDir', to]
  await promisify(execFile)(process.execPath, words)
  for await (const path of glob('**/*.d.ts', { cwd: to })) {
    const text = await readFile(join(to, path), 'utf8')
    await writeFile(join(to, path), nameBuilt(text, path, imports))
  }
}

/**
 * Writes the built program into the folder `to`, which is emptied first.
 *
 * @param hasTypes with the types of the modules that others import; the image needs none
 */
export async function build(to: string, { hasTypes = true } = {}): Promise<void> {
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Manifest
  await rm(to, { recursive: true, force: true })
  const page = join(to, 'adapters/web/server/page.json')
  for await (const path of glob(['{src,adapters}/**/*.{ts,js,html,css,txt}', ...CONTRACT], { cwd: ROOT })) {
    if (isPage(path) || path.startsWith('src/publish/') || path.endsWith('check-node.js')) continue
    if (isAsset(path)) await cp(join(ROOT, path), join(to, path), { recursive: true })
    else if (/\.(?:ts|js)$/.test(path)) await buildFile(path, to, manifest)
  }
  if (hasTypes) await declare(to, manifest)
  await writeFile(page, JSON.stringify(await bundlePage(undefined)))
  const { name, version } = manifest
  await writeFile(join(to, 'package.json'), `${JSON.stringify({ name, version, type: 'module' }, undefined, 2)}\n`)
}

if (import.meta.main) await build(join(ROOT, 'dist'), { hasTypes: !process.argv.includes('--program') })
