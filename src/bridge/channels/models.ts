import type { ChannelModels } from '../port/channel-models.ts'
import { channelKey, conversationQueue } from '../port/keys.ts'
import type { Clock, ListedModel, Platform } from '../port/platform.ts'
import type { Preferences } from '../port/records.ts'

/** Chooses the language model of each conversation. */
export interface Models extends ChannelModels {
  /** @param queue of the conversation, which may have chosen a model. */
  pick(signal: AbortSignal, queue?: string): Promise<string>
  /** All models that read and write text. */
  list(signal: AbortSignal): Promise<readonly string[]>
  /** The models of the last listing, at once; asks for a newer one in the background. */
  known(): readonly string[]
  /** Sets the model of this conversation, or of a channel by its key; undefined: back to the default. */
  choose(queue: string, model: string | undefined): Promise<void>
}

/** The built-in model of the embedded platform, which quotes passages and can't converse. */
export const EXTRACTIVE = 'extractive'

const FRESH_MS = 5 * 60_000
const REFRESH_MS = 30_000
const CHOICE = 'model'

/** @param options.configured `PLATFORM_MODEL`; without it the first model of the listing that reads and writes text. */
export function createModels(options: {
  readonly platform: Pick<Platform, 'models'>
  readonly clock: Clock
  readonly preferences: Preferences
  readonly configured: string | undefined
}): Models {
  const { platform, clock, preferences, configured } = options
  let known: { readonly models: readonly ListedModel[]; readonly at: number } | undefined

  async function listing(signal: AbortSignal): Promise<readonly ListedModel[]> {
    if (known !== undefined && clock() - known.at < FRESH_MS) return known.models
    const models = await platform.models.list({ signal })
    known = { models, at: clock() }
    return models
  }

  async function defaultModel(signal: AbortSignal): Promise<string> {
    if (configured !== undefined) return configured
    return firstModel(await listing(signal)) ?? EXTRACTIVE
  }

  /** Choice of the conversation, else of its channel. */
  const choiceOf = async (queue: string) => {
    const scopes = [queue, queue.replace(/\/.*/s, '')]
    const [own, channels] = await Promise.all(scopes.map((scope) => preferences.get(scope, CHOICE)))
    return own ?? channels
  }

  /** A chosen model that the platform no longer lists is ignored. */
  const validChoiceOf = async (queue: string, signal: AbortSignal) => {
    const chosen = await choiceOf(queue)
    const isThere = chosen !== undefined && (await listing(signal)).some(({ id }) => id === chosen)
    return isThere ? chosen : undefined
  }
  const list = async (signal: AbortSignal) => (await listing(signal)).filter(isChatModel).map(({ id }) => id)
  const choose = (queue: string, model: string | undefined) => preferences.set(queue, CHOICE, model)

  return {
    list,
    choose,
    async pick(signal, queue) {
      return (queue === undefined ? undefined : await validChoiceOf(queue, signal)) ?? defaultModel(signal)
    },
    known() {
      listing(AbortSignal.timeout(REFRESH_MS)).catch(() => {})
      return (known?.models ?? []).filter(isChatModel).map(({ id }) => id)
    },
    async choiceIn(conversation, signal) {
      const chosen = await validChoiceOf(conversationQueue(conversation), signal)
      return { models: await list(signal), usual: await defaultModel(signal), ...(chosen && { chosen }) }
    },
    async chooseIn(conversation, model, signal) {
      if (model !== undefined && !(await list(signal)).includes(model)) return false
      await choose(channelKey(conversation), model)
      await choose(conversationQueue(conversation), undefined)
      return true
    },
  }
}

/** The model that answers where none is chosen. */
export const firstModel = (models: readonly ListedModel[]): string | undefined =>
  (models.find(isChatModel) ?? models[0])?.id

/** A model without stated modalities counts as a chat model. */
function isChatModel({ input = [], output = [] }: ListedModel): boolean {
  return [input, output].every((kinds) => kinds.length === 0 || kinds.includes('text'))
}
