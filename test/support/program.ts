import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type OutputFile, type Plugin } from 'esbuild'

// The program in few files, for tests that start it as a process: finding and loading its thousand modules is a third
// of the processor time of a start. Started from its sources it is in test/start.test.ts and test/npm-start.test.ts.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BUILT = new URL('../../node_modules/.cache/program/', import.meta.url)
/** The program, its threads and its children. */
const STARTED = [
  'src/main.ts',
  'src/front/front-thread.ts',
  'src/platform/engine/convert/child.ts',
  'src/platform/engine/storage/sqlite/index/worker.ts',
  'src/platform/engine/storage/sqlite/index/search-worker.ts',
  'src/platform/engine/storage/sqlite/index/read/read-worker.ts',
]

/** The built file of one that is started by itself. */
const locate = (path: string): URL => new URL(path.replace(/\.ts$/, '.js'), BUILT)

export const PROGRAM: string = fileURLToPath(locate('src/main.ts'))

/** A file finds others next to its source, but threads and children that are built. */
function nameFiles(code: string, from: URL): string {
  const built = new Map(STARTED.map((path) => [new URL(`../../${path}`, import.meta.url).href, locate(path).href]))
  return code
    .replaceAll(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g, (whole, path: string) => {
      const href = built.get(new URL(path, from).href)
      return href === undefined ? whole : `new URL(${JSON.stringify(href)})`
    })
    .replaceAll('import.meta.url', JSON.stringify(from.href))
}

/** Bundled CommonJS asks for Node's own modules. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${JSON.stringify(import.meta.url)});`

const sources: Plugin = {
  name: 'sources',
  setup(bundle) {
    bundle.onLoad({ filter: /\/(?:src|adapters)\/.*\.ts$/ }, async ({ path }) => ({
      contents: nameFiles(await readFile(path, 'utf8'), pathToFileURL(path)),
      loader: 'ts',
    }))
  },
}

/** Replaced as a whole: the program of a run that goes on is not changed under it, nor that of a copy by hard links. */
function replaceFile({ path, contents }: Pick<OutputFile, 'path' | 'contents'>): void {
  if (existsSync(path) && readFileSync(path).equals(contents)) return
  const fresh = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(fresh, contents)
  renameSync(fresh, path)
}

/**
 * Packages of hundreds of small modules, which belong to a start: they become part of the files, as they are. All others
 * are loaded from where they are, as in the product.
 */
const BUNDLED =
  /^(?:@discordjs|@hono|@sapphire|@slack|@vladfrangu|discord-api-types|discord\.js|hono|undici|ws|zod)(?:\/|$)/

const packages: Plugin = {
  name: 'packages',
  setup(bundle) {
    bundle.onResolve({ filter: /^[^./#]/ }, ({ path, kind }) => {
      if (kind === 'entry-point' || path.startsWith('node:') || BUNDLED.test(path)) return undefined
      return { path, external: true }
    })
  },
}

export async function buildProgram(): Promise<void> {
  const { outputFiles } = await build({
    write: false,
    absWorkingDir: ROOT,
    entryPoints: STARTED,
    outbase: '.',
    outdir: fileURLToPath(BUILT),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    plugins: [packages, sources],
    banner: { js: REQUIRE },
  })
  // Without it Node parses each file one time more, to find out that it is a module.
  replaceFile({ path: fileURLToPath(new URL('package.json', BUILT)), contents: Buffer.from('{"type":"module"}\n') })
  for (const file of outputFiles) replaceFile(file)
}
