import type { Authority } from '../channels/authorize.ts'
import type { Models } from '../channels/models.ts'
import { mayRead } from '../channels/permissions.ts'
import type { Adapter, Suggest, SuggestionRequest, Suggestion } from '../port/adapter.ts'
import type { ChannelMap } from '../channels/channel-map.ts'
import { listFiles } from '../files/find-file.ts'
import type { Log } from '../port/platform.ts'
import type { Store } from '../port/store.ts'
import { oneLine } from '../texts/formats.ts'
import { OWN } from './slash-commands.ts'

interface Services {
  readonly store: Pick<Store, 'files' | 'channels'>
  readonly channels: Pick<ChannelMap, 'of'>
  readonly models: Pick<Models, 'known'>
  readonly authority: Authority
  readonly adapterOf: (name: string) => Adapter | undefined
}

const MAX_SUGGESTIONS = 25
/** Discord allows 3 s in all, Slack too. */
const TIMEOUT_MS = 1000
/** Most channels for which the chat service is asked whether the person may read them; each may cost a call. */
const MAX_CHANNELS = 40
const LABEL_CHARS = 90

/** Completions of commands from data at hand: they wait for no call to the platform. */
export function createSuggest(services: Services, log: Log): Suggest {
  const about: Readonly<
    Record<SuggestionRequest['about'], (asked: SuggestionRequest) => Promise<readonly Suggestion[]>>
  > = {
    files: async ({ conversation }) => {
      const { collection } = await services.channels.of(conversation)
      return (await listFiles(services, collection)).map(({ displayName }) => asItIs(displayName))
    },
    models: async () => services.models.known().map(asItIs),
    collections: (asked) => collections(services, asked, log),
  }
  return async (asked) => {
    const late = Promise.withResolvers<readonly Suggestion[]>()
    const timer = setTimeout(() => late.resolve([]), TIMEOUT_MS)
    try {
      const { conversation, personId } = asked
      const adapter = services.adapterOf(conversation.adapter)
      const search = async () => {
        const request = { conversation, personId, act: 'command' } as const
        if (adapter === undefined || (await services.authority.denial({ adapter, log }, request)) !== undefined)
          return []
        return about[asked.about](asked)
      }
      return fitting(await Promise.race([search(), late.promise]), asked.typed)
    } catch (error) {
      log.warn({ err: error }, 'Suggestions for a command could not be found; the command works without them')
      return []
    } finally {
      clearTimeout(timer)
    }
  }
}

const asItIs = (name: string): Suggestion => ({ label: name, value: name })

/** Channels of this workspace that have files and that this person may read now. */
async function collections(
  { store, adapterOf }: Services,
  { conversation, personId, typed }: SuggestionRequest,
  log: Log,
): Promise<readonly Suggestion[]> {
  const adapter = adapterOf(conversation.adapter)
  if (adapter === undefined || conversation.direct) return []
  const known = await store.channels.ofWorkspace(conversation.adapter, conversation.workspace)
  const others = known.filter(({ conversation: other }) => !other.direct && other.channel !== conversation.channel)
  const found = await Promise.all(
    others.slice(0, MAX_CHANNELS).map(async ({ conversation: other }) => {
      if (!(await mayRead({ adapter, log }, other, personId))) return []
      const facts = await adapter.describeChannel(other).catch(() => undefined)
      return facts === undefined ? [] : [{ label: `#${facts.name}`, value: other.channel }]
    }),
  )
  return typed === '' ? [{ label: OWN, value: OWN }, ...found.flat()] : found.flat()
}

/** Suggestions that begin with the typed text, then those that contain it. */
function fitting(all: readonly Suggestion[], typed: string): readonly Suggestion[] {
  const wanted = typed.trim().toLowerCase()
  const shown = all.map(({ label, value }) => ({ label: oneLine(label, LABEL_CHARS), value }))
  const placed = shown.map((each) => ({ each, at: each.label.toLowerCase().indexOf(wanted) }))
  const fit = placed.filter(({ at }) => at >= 0).toSorted((one, other) => Math.min(one.at, 1) - Math.min(other.at, 1))
  return fit.slice(0, MAX_SUGGESTIONS).map(({ each }) => each)
}
