import type { Clock, ListedModel, Platform } from './ports.ts'

/** Which model answers. */
export interface Models {
  pick(signal: AbortSignal): Promise<string>
}

/** The built-in model of the embedded platform, which quotes passages and can't converse. */
export const EXTRACTIVE = 'extractive'

const FRESH_MS = 5 * 60_000

/** @param configured `PLATFORM_MODEL`; without it the first model of the listing that reads and writes text. */
export function createModels(platform: Platform, clock: Clock, configured?: string): Models {
  let known: { readonly model: string; readonly at: number } | undefined
  return {
    async pick(signal) {
      if (configured !== undefined) return configured
      if (known !== undefined && clock() - known.at < FRESH_MS) return known.model
      const models = await platform.models.list({ signal })
      const model = (models.find(chats) ?? models[0])?.id ?? EXTRACTIVE
      known = { model, at: clock() }
      return model
    },
  }
}

/** A platform that does not say what a model takes and gives is taken at its word that it is one. */
function chats({ input = [], output = [] }: ListedModel): boolean {
  return [input, output].every((kinds) => kinds.length === 0 || kinds.includes('text'))
}
