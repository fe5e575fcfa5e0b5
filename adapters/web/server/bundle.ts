import { existsSync } from 'node:fs'
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export type AssetName = 'page.js' | 'formulas.js' | 'page.css'

export interface BundledText {
  readonly name: AssetName
  readonly text: string
}

/** A bundle on the disk. It is good while every file that it was made of is as it was. */
interface KeptBundle {
  readonly inputs: Readonly<Record<string, string>>
  readonly texts: readonly BundledText[]
}

/** A checkout that was installed without the packages of the development. */
export class NoBundler extends Error {
  override readonly name = 'NoBundler'
  override readonly message =
    'This checkout has no web page, because it was installed with --omit=dev: run npm ci without it, or use the package that npm pack makes.'
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const ENTRY = fileURLToPath(new URL('../page/main.tsx', import.meta.url))
/** Loaded with the first formula. */
const FORMULAS = fileURLToPath(new URL('../page/formulas/draw-formula.ts', import.meta.url))
const STYLE = fileURLToPath(new URL('../page/styles/page.css', import.meta.url))
/** How it is bundled: this file, and the version of esbuild. */
const RECIPE = [fileURLToPath(import.meta.url), resolve(ROOT, 'node_modules/esbuild/package.json')]

/** The page of the published package, which was bundled when that was built (src/publish/build.ts) and has no sources. */
const BUILT = new URL('./page.json', import.meta.url)

/**
 * The page's script and style. Bundling takes a fifth of a second of CPU and a child process in each start, so the bundle
 * is kept in `keptAt`; where that cannot be read or written, it is made anew.
 */
export async function bundlePage(keptAt: string | undefined): Promise<readonly BundledText[]> {
  if (!existsSync(ENTRY)) return JSON.parse(await readFile(BUILT, 'utf8')) as readonly BundledText[]
  const kept = keptAt === undefined ? undefined : await readKept(keptAt)
  if (kept !== undefined) return kept
  const { inputs, texts } = await build()
  if (keptAt !== undefined) await keep(keptAt, inputs, texts).catch(() => undefined)
  return texts
}

async function readKept(path: string): Promise<readonly BundledText[] | undefined> {
  try {
    const { inputs, texts } = JSON.parse(await readFile(path, 'utf8')) as KeptBundle
    // Checkouts that share their packages share the place, too.
    if (!(ENTRY in inputs)) return undefined
    const now = await stampsOf(Object.keys(inputs))
    return Object.entries(inputs).every(([input, stamp]) => now[input] === stamp) ? texts : undefined
  } catch {
    return undefined
  }
}

/** Another process may read it meanwhile: it sees the old one or the new one. */
async function keep(path: string, inputs: readonly string[], texts: readonly BundledText[]): Promise<void> {
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, JSON.stringify({ inputs: await stampsOf(inputs), texts } satisfies KeptBundle))
  await rename(unfinished, path)
}

async function stampOf(path: string): Promise<readonly [path: string, stamp: string]> {
  const { mtimeMs, size } = await stat(path)
  return [path, `${mtimeMs} ${size}`]
}

const stampsOf = async (paths: readonly string[]): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(await Promise.all(paths.map(stampOf)))

function nameOf(path: string): AssetName {
  if (path.endsWith('.css')) return 'page.css'
  return path.endsWith('formulas.js') ? 'formulas.js' : 'page.js'
}

async function build(): Promise<{ readonly inputs: readonly string[]; readonly texts: readonly BundledText[] }> {
  const esbuild = await import('esbuild').catch(() => {
    throw new NoBundler()
  })
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: { page: ENTRY, formulas: FORMULAS, 'page-style': STYLE },
    outdir: '/',
    bundle: true,
    minify: true,
    charset: 'utf8',
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
  })
  // Ends esbuild's child process to save memory: there is no second build.
  await esbuild.stop()
  return {
    inputs: [...RECIPE, ...Object.keys(metafile.inputs).map((path) => resolve(ROOT, path))],
    texts: outputFiles.map(({ path, text }) => ({ name: nameOf(path), text })),
  }
}
