import { join } from 'node:path'
import { examineLocalModel } from '#platform/engine/embedding/local-model.ts'
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
  if (!(await prompt.confirm('Search by meaning on this machine? It downloads about 135 MB once.', false))) return
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

const downloadModel = (dataDir: string) => examineLocalModel(MODEL, join(dataDir, 'platform', 'models'))
