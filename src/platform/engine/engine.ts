import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { loadOnce } from '#lib/lru.ts'
import { makePrivate } from '#sql/folder.ts'
import type { Model } from '../wire/models.ts'
import type { UserProfile } from '../wire/service.ts'
import type { Chat, ChatParts } from './answer/chat.ts'
import { type CollectionService, createCollections, ENGINE_VERSION } from './api/collections.ts'
import { createDocuments, type Documents } from './api/conversion.ts'
import { createFiles, type FileService } from './api/files.ts'
import { createKeyRing, type FirstKey, identify, type KeyRing, settleFirstKey } from './api/keys.ts'
import { createListModels, EXTRACTIVE_MODEL, LOCAL_SPEECH_MODEL } from './api/models.ts'
import { createQuotas, type Quotas } from './api/quotas.ts'
import { createReadPassages, type ReadPassages } from './api/read-passages.ts'
import { createRetrieve, type Retrieve } from './api/retrieve.ts'
import { CONVERT_LIMITS, type ConvertLimits, createConverter, tessdataFor } from './convert/converter.ts'
import { missingLanguages } from './convert/pdf/scans/recognition-data.ts'
import { openDictionary } from './dictionary/dictionary.ts'
import type { SearchState } from './indexing/backfill.ts'
import { vectorsFromServer, withVectors } from './indexing/embedder.ts'
import { createMeaning, OFFERED_MODEL } from './indexing/meaning.ts'
import { createPasses, renewIndexes } from './indexing/passes.ts'
import type { ReadingProgress } from './indexing/run-pass.ts'
import type { Catalog, KeyRow, Quota } from './storage/catalog.ts'
import { lockStorage, openStorage } from './storage/open-storage.ts'
import type { EngineStorage, IndexStore } from './storage/types.ts'
import type { Trace } from './trace.ts'
import type { EngineClock, EngineLog } from './types.ts'
import { createAskChat } from './upstream/ask-chat.ts'
import { createContextWindows } from './upstream/context-window.ts'
import { createUpstreamHttp, type UpstreamHttp, type UpstreamOptions } from './upstream/http.ts'
import { createInFlight, type InFlight } from './upstream/in-flight.ts'
import { createEmbed, createSpeak, type Embed, type Speak } from './upstream/pass-through.ts'
import { createInspector } from './voice/inspect.ts'
import type { LocalSpeechOptions } from './voice/local/hear.ts'
import { createTranscribe, type Transcribe } from './voice/transcribe.ts'
import { createUpstreamHear } from './voice/upstream-hear.ts'

export interface EngineOptions {
  /** The data folder; made when missing. */
  readonly dataDir: string
  /** PostgreSQL for users, keys, collections, files and request counts; several processes may share it. */
  readonly databaseUrl?: string | undefined
  readonly log: EngineLog
  readonly trace?: Trace
  /** An OpenAI-compatible model server. Absent: the `extractive` model only. */
  readonly upstream?: UpstreamOptions
  /** An embedding model on this machine: a known name, an address or a path. Used where `upstream` names none. */
  readonly embeddingModel?: string
  /** Paths of dictionaries. */
  readonly dictionaries?: readonly string[] | undefined
  /** The model that people may switch on where no setting names one; default: a known one. */
  readonly offeredModel?: string
  /** Speech recognition on this machine, for when the model server has none or is down. */
  readonly speech?: LocalSpeechOptions
  /** Used as the first key in place of a generated one. */
  readonly firstKey?: string
  readonly clock?: EngineClock
  /** Quota of keys without their own; default: generous for the first key, else the contract's. */
  readonly quota?: Quota
  /** Limits of converting one document. */
  readonly convert?: Partial<ConvertLimits>
  /** Longest wait of a change for an index pass before it is refused as locked; default 10 s. */
  readonly writeWaitMs?: number
}

/** The profile, except the name of the field that counts collections. */
export type OwnerProfile = Omit<UserProfile, 'collection_count' | 'arcana_count'> & { readonly collections: number }

/** The platform without HTTP; the server puts the contract over it. */
export interface Engine {
  readonly firstKey: FirstKey
  readonly version: string
  /** The owner of a key; undefined when it is unknown, expired or revoked. */
  identify(key: string): Promise<KeyRow | undefined>
  profile(key: KeyRow): Promise<OwnerProfile>
  readonly collections: CollectionService
  readonly files: FileService
  readonly retrieve: Retrieve
  readonly passages: ReadPassages
  /** Whether files are searched by meaning, too, and how far that is. */
  search(): SearchState
  /** Switches search by meaning on or off. @throws {EngineError} a setting rules */
  chooseMeaning(on: boolean): Promise<void>
  readonly chat: Chat
  models(): Promise<readonly Model[]>
  readonly transcribe: Transcribe
  readonly embed: Embed
  readonly speak: Speak
  readonly documents: Documents
  readonly quotas: Quotas
  readonly keys: Omit<KeyRing, 'close'>
  /** Stops running passes (the next pass resumes them), writes pending counts, frees the data folder. Idempotent. */
  close(): Promise<void>
}

/**
 * Opens the data folder and starts the engine. Heavy parts are loaded when they are first needed.
 *
 * @throws {EngineError} `conflict` when another process holds the folder, or a newer version wrote it.
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { dataDir, log } = options
  const clock = options.clock ?? Date.now
  const folder = join(dataDir, 'platform')
  const work = join(folder, 'work')
  makePrivate(dataDir)
  const unlock = lockStorage(folder)
  try {
    await rm(work, { recursive: true, force: true })
    const storage = await openStorage({ folder, work, databaseUrl: options.databaseUrl, log })
    try {
      warnOfMissingLanguages(options, work)
      const firstKey = await settleFirstKey(storage.catalog, dataDir, options.firstKey, clock())
      return await compose({ options, clock, storage, folder, work, firstKey, unlock })
    } catch (error) {
      await storage.index.close()
      await storage.close()
      throw error
    }
  } catch (error) {
    unlock()
    throw error
  }
}

interface Opened {
  readonly options: EngineOptions
  readonly clock: EngineClock
  readonly storage: EngineStorage
  readonly folder: string
  readonly work: string
  readonly firstKey: FirstKey
  readonly unlock: () => void
}

function warnOfMissingLanguages({ convert, log }: EngineOptions, work: string): void {
  const missing = missingLanguages(tessdataFor(work), convert?.recognition?.languages ?? [])
  if (missing.length > 0)
    log.warn({ languages: missing }, 'Text recognition has no data for languages of OCR_LANGUAGES: install them')
}

/** Models of this machine are loaded where a setting names one. */
async function compose(opened: Opened): Promise<Engine> {
  const { options, clock, storage, work } = opened
  const { log, upstream, trace } = options
  const { catalog, blobs, index, indexVersion, locks } = storage
  const converter = createConverter(work, { ...CONVERT_LIMITS, ...options.convert })
  const inFlight = createInFlight()
  const { server, http } = createServer(options, inFlight)
  const embed = createEmbed(http)
  const { embedder, embeddingsModel, begin, close: leave, ...meaning } = openMeaning(opened, embed, http !== undefined)
  const writeWaitMs = options.writeWaitMs ?? 10_000
  const reading: ReadingProgress = new Map()
  const passParts = { catalog, blobs, converter, index, embedder, locks, log, clock, writeWaitMs, reading }
  const passes = createPasses(passParts)
  const collections = createCollections({ catalog, blobs, index, indexVersion, passes, clock, embeddingsModel })
  const finding = createFinding(opened, withVectors(index, embedder))
  const voice = await createVoice(opened, inFlight, http)
  const contexts = createContextWindows({ upstream, http: server, log, clock })
  const asking = { ask: http && createAskChat(http, log), contexts }
  const chat = openChat(storage, { collections, ...finding, upstream, ...asking, clock, trace })

  const stop = new AbortController()
  async function close() {
    stop.abort()
    // A pass is aborted at once: the next one resumes its files.
    const stopped = passes.close()
    await converter.close()
    await voice.close()
    await leave()
    await finding.dictionary?.close()
    await http?.close()
    await index.close()
    await stopped
    await renewed
    await storage.close()
    opened.unlock()
  }
  let closing: Promise<void> | undefined
  const renewed = renewIndexes(passParts, passes, () => stop.signal.aborted).then(() => stop.signal.aborted || begin())

  return {
    firstKey: opened.firstKey,
    version: ENGINE_VERSION,
    identify: (key) => identify(catalog, key, clock()),
    profile: (key) => toProfile(catalog, key),
    collections,
    files: createFiles({ catalog, blobs, index, passes, collections, clock, reading }),
    retrieve: finding.retrieve,
    passages: createReadPassages({ catalog, index }),
    ...meaning,
    chat: (call) =>
      call.request.model === EXTRACTIVE_MODEL ? inFlight.during(EXTRACTIVE_MODEL, () => chat(call)) : chat(call),
    models: createListModels({ upstream, http, speech: options.speech, inFlight, log, clock }),
    transcribe: voice.transcribe,
    embed,
    speak: createSpeak(http),
    documents: createDocuments({ converter, folder: work }),
    quotas: createQuotas(catalog, clock, options.quota),
    keys: createKeyRing(catalog, options.dataDir, clock),
    close: () => (closing ??= close()),
  }
}

/** Loaded with the first question: with its stemmers, words and tables, what answers is a tenth of all modules. */
function openChat({ catalog, blobs }: EngineStorage, parts: Omit<ChatParts, 'tables'>): Chat {
  const load = loadOnce(async () => {
    const { createChat } = await import('./answer/chat.ts')
    const { createTableFiles } = await import('./answer/tables/table-files.ts')
    return createChat({ ...parts, tables: createTableFiles({ catalog, blobs }) })
  })
  return async (call) => (await load())(call)
}

/** The parts that find passages for a chat. */
function createFinding({ options, storage: { catalog, index } }: Opened, indexWithVectors: IndexStore) {
  return {
    retrieve: createRetrieve({ catalog, index: indexWithVectors }),
    retrieveByWords: createRetrieve({ catalog, index }),
    dictionary: openDictionary(options.dictionaries ?? [], options.log),
  }
}

function createServer({ upstream, log }: EngineOptions, inFlight: InFlight) {
  const server = upstream && createUpstreamHttp(upstream, log)
  return { server, http: server && inFlight.watch(server) }
}

function openMeaning({ options, folder, storage, clock }: Opened, embed: Embed, hasServer: boolean) {
  const { log, upstream, embeddingModel, databaseUrl, offeredModel = OFFERED_MODEL } = options
  const { index, catalog } = storage
  const model = hasServer ? upstream?.embeddingModel || undefined : undefined
  const prefixes = upstream?.embeddingPrefixes ?? {}
  const served = model !== undefined && {
    model,
    // Another prefix makes other vectors, so it is part of their name.
    name: prefixes.passage === undefined ? model : `${model} ${prefixes.passage}`,
    vectors: vectorsFromServer(embed, model, prefixes),
  }
  const offered = databaseUrl === undefined ? offeredModel : undefined
  return createMeaning({
    index,
    catalog,
    log,
    clock,
    folder,
    served: served || undefined,
    set: embeddingModel,
    offered,
  })
}

async function toProfile(catalog: Catalog, { user }: KeyRow): Promise<OwnerProfile> {
  const counts = await catalog.users.counts(user.id)
  return {
    username: user.name,
    email: user.email,
    first_name: user.firstName,
    surname: user.surname,
    is_registered: true,
    collections: counts.collections,
    file_count: counts.files,
    created_at: new Date(user.createdAt).toISOString(),
  }
}

async function createVoice(opened: Opened, inFlight: InFlight, http: UpstreamHttp | undefined) {
  const { options, folder, work } = opened
  const { log, upstream } = options
  const inspector = createInspector()
  const speech =
    options.speech === undefined
      ? undefined
      : (await import('./voice/local/hear.ts')).createLocalSpeech(options.speech, {
          log,
          work,
          models: join(folder, 'models'),
        })
  const hear = speech?.hear
  // A model server without a configured speech model is asked only when no local model can transcribe.
  const hasVoice = upstream?.transcriptionModel !== undefined || speech === undefined
  return {
    transcribe: createTranscribe({
      inspector,
      upstream:
        http === undefined || upstream === undefined || !hasVoice ? undefined : createUpstreamHear(http, upstream),
      local: hear && ((...call) => inFlight.during(LOCAL_SPEECH_MODEL, () => hear(...call))),
      log,
    }),
    async close() {
      await inspector.close()
      await speech?.close()
    },
  }
}
