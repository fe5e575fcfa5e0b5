import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProgram, type Program } from './process.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const readyLine = /^Footbridge \S+ is ready: (http:\/\/\S+)/

const envFile = '--import=./src/start/env-file.ts'

/** Node options of `npm start`, without the `.env` of the person who runs the bench. */
function startOptions(): readonly string[] {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { scripts } = JSON.parse(manifest) as { readonly scripts: { readonly start: string } }
  return scripts.start
    .split(' ')
    .filter((word) => word.startsWith('--') && word !== envFile)
    .map((word) => word.replace('--import=./', `--import=${new URL('../', import.meta.url).href}`))
}

let profileOptions: readonly string[] = []

/** From now on every process of the product writes its CPU profile into this folder when it ends. */
export function profileInto(folder: string): void {
  profileOptions = ['--cpu-prof', `--cpu-prof-dir=${folder}`]
}

/** Options of every process of the product. */
export const productOptions = (): readonly string[] => [...startOptions(), ...profileOptions]

/** A folder that is deleted when the scope ends. */
export function openFolder(scope: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-bench-'))
  scope.defer(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The product as `npm start` runs it, on a free port; ends with the scope. */
export async function startFootbridge(
  scope: AsyncDisposableStack,
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
): Promise<Program & { readonly url: string }> {
  const program = scope.use(
    await startProgram({
      script: main,
      env: { PORT: '0', DATA_DIR: dataDir, ...env },
      nodeOptions: [...productOptions(), ...nodeOptions],
      ready: readyLine,
    }),
  )
  return Object.assign(program, { url: program.ready[1] ?? '' })
}
