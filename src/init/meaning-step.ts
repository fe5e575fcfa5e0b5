import { spawn } from 'node:child_process'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkPackages, examineLocalModel, INSTALL_WORDS } from '#platform/engine/embedding/local-model.ts'
import { type FoundServer, isEmbedding } from './model-step.ts'
import type { Step } from './step.ts'

const MODEL = 'multilingual-e5-small'

/** Offers search by meaning: with a model of the model server, else with one on this machine. */
export async function offerMeaning(
  step: Step,
  server: FoundServer | undefined,
  makeReady: (dataDir: string) => Promise<void> = downloadModel,
): Promise<void> {
  const { prompt, file, setting } = step
  const [known] = ['UPSTREAM_EMBEDDING_MODEL', 'EMBEDDING_MODEL'].flatMap((name) => setting(name) ?? [])
  if (known !== undefined) return prompt.say(`  Files are searched by meaning already (${known}).`)
  prompt.say('  Files are searched by their words. By meaning, "vehicle" finds "car", too.')
  const served = server?.models.find(isEmbedding)
  if (served !== undefined) {
    if (!(await prompt.confirm(`Search by meaning with ${served} of the model server?`, true))) return
    return file.set({ UPSTREAM_EMBEDDING_MODEL: served })
  }
  if (!(await prompt.confirm('Search by meaning on this machine? It downloads about 400 MB once.', false))) return
  try {
    await prompt.during('Downloading', makeReady(setting('DATA_DIR') ?? 'data'))
    file.set({ EMBEDDING_MODEL: MODEL })
    prompt.say('  Files are searched by meaning, too.')
  } catch (error) {
    if (error instanceof Error && error.name === 'Interrupted') throw error
    prompt.say(`  ✗ ${error instanceof Error ? error.message : String(error)}`)
    prompt.say('  Search stays by words.')
  }
}

/** The two packages and the model. */
async function downloadModel(dataDir: string): Promise<void> {
  if (!hasPackages()) await installPackages()
  await examineLocalModel(MODEL, join(dataDir, 'platform', 'models'))
}

function hasPackages(): boolean {
  try {
    checkPackages()
    return true
  } catch {
    return false
  }
}

/** The folder whose `node_modules` Footbridge sees: the checkout, or where npm installed the package. */
function installFolder(): string {
  const here = fileURLToPath(new URL('../..', import.meta.url))
  const at = here.lastIndexOf(`${sep}node_modules${sep}`)
  return at === -1 ? here : here.slice(0, at)
}

/** @throws {Error} with the first line that npm wrote to standard error */
async function installPackages(): Promise<void> {
  const [npm, ...words] = INSTALL_WORDS
  const child = spawn(npm, words, {
    cwd: installFolder(),
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
  })
  let said = ''
  child.stderr.on('data', (piece) => (said = `${said}${String(piece)}`.slice(-2000)))
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  if (code !== 0) throw new Error(`${INSTALL_WORDS.join(' ')} failed: ${said.trim().split('\n')[0] ?? ''}`)
}
