import { readConfig } from '#src/config.ts'
import { receivedModelList } from '#platform/wire/models.ts'
import { createPaths, type Paths, PROFILES } from '#platform/wire/profile.ts'
import { DEFAULT_TRANSCRIPTION_MODEL } from '#platform/wire/voice.ts'
import type { Target } from './target.ts'

async function firstTextModel(baseUrl: string, key: string, paths: Paths): Promise<string> {
  const response = await fetch(`${baseUrl}${paths.models}`, { headers: { authorization: `Bearer ${key}` } })
  if (!response.ok) throw new Error(`${baseUrl}${paths.models} answers ${response.status}: set PLATFORM_MODEL.`)
  const { data } = receivedModelList.parse(await response.json())
  const model = data.find(
    (one) => (one.input ?? ['text']).includes('text') && (one.output ?? ['text']).includes('text'),
  )
  if (model === undefined) throw new Error('No model of the list answers with text: set PLATFORM_MODEL.')
  return model.id
}

/**
 * The server that PLATFORM_BASE_URL names; undefined when it is not set.
 *
 * @throws {Error} with a sentence when a setting is missing
 */
export async function findTheirServer(): Promise<Target | undefined> {
  const config = readConfig()
  const { PLATFORM_BASE_URL: baseUrl, PLATFORM_API_KEY: key } = config
  if (baseUrl === undefined) return undefined
  if (key === undefined) throw new Error('PLATFORM_BASE_URL is set: set PLATFORM_API_KEY, too.')
  const profile = PROFILES[config.PLATFORM_PROFILE]
  return {
    baseUrl,
    key,
    profile: {
      ...profile,
      collectionChatCredential: config.PLATFORM_CHAT_CREDENTIAL ?? profile.collectionChatCredential,
    },
    chatModel: config.PLATFORM_MODEL ?? (await firstTextModel(baseUrl, key, createPaths(profile))),
    speechModel: DEFAULT_TRANSCRIPTION_MODEL,
    exchanges: [],
    close: () => Promise.resolve(),
  }
}
