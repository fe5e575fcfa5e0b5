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
  if (known !== undefined) return prompt.say(`  Search by meaning is on (${known}).`)
  prompt.say('  Footbridge searches files by their words. By meaning, "vehicle" also finds "car".')
  const served = server?.models.find(isEmbedding)
  if (served !== undefined) {
    if (!(await prompt.confirm(`Search by meaning with ${served} of the model server?`, true))) return
    return file.set({ UPSTREAM_EMBEDDING_MODEL: served })
  }
  if (!(await prompt.confirm('Search by meaning on this machine (a download of about 135 MB, once)?', false))) return
  try {
    await prompt.during('Downloading', makeReady(setting('DATA_DIR') ?? 'data'))
    file.set({ EMBEDDING_MODEL: MODEL })
    prompt.say('  Search by meaning is on.')
  } catch (error) {
    if (error instanceof Error && error.name === 'Interrupted') throw error
    prompt.say(`  ✗ ${error instanceof Error ? error.message : String(error)}`)
    prompt.say('  Footbridge goes on searching by words. To try again: npm run init.')
  }
}

const downloadModel = (dataDir: string) => examineLocalModel(MODEL, join(dataDir, 'platform', 'models'))
