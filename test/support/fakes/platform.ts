import type {
  Conversion,
  ChatEvent,
  ChatRequest,
  ListedModel,
  Platform,
  PlatformFailure,
  PlatformFile,
  Transcript,
  UploadFile,
} from '#bridge/port/platform.ts'
import { createSwitchboard, platformFailure, untilAborted, type PlatformCall, type Switchboard } from './switchboard.ts'

/** One step of a scripted answer: an event, a failure at this place, or something to wait for. */
export type ChatStep =
  | ChatEvent
  | PlatformFailure
  | Promise<unknown>
  /** The limit is waited out, for this long. */
  | { readonly waitMs: number }
/** A scripted answer; a string is one text event and a finish. */
export type Reply = string | readonly ChatStep[] | ((request: ChatRequest) => string | readonly ChatStep[])

export interface StoredFile {
  readonly name: string
  readonly mimeType: string
  readonly bytes: Uint8Array
  readonly updatedAt: string
  readonly index: PlatformFile['index']
}

export interface PlatformScript {
  /** Answers of the next chats, one each. Without any left: `You said: …`. */
  answer(...replies: readonly Reply[]): void
  /** Results of the next transcriptions. Without any left: `a transcript`. */
  transcribe(...texts: readonly (string | Transcript)[]): void
  /** Results of the next conversions. Without any left: a heading, and the bytes as text. */
  convert(...results: readonly (string | Conversion)[]): void
  /** The next `times` (default 1) calls fail; `after`: each is carried out, and only its answer is lost. */
  fail(call: PlatformCall, failure: Error, options?: { readonly times?: number; readonly after?: boolean }): void
  /** Calls wait until the returned function is called; an abort ends the wait. */
  hold(call: PlatformCall): () => void
  /** Index passes end only with `finishIndex`. */
  slowIndex(): void
  finishIndex(collection: string): void
  /** From now on this file cannot be indexed; undefined: it can again. */
  breakFile(name: string, error: string | undefined): void
  /** Every call in order. */
  readonly calls: readonly { readonly call: PlatformCall; readonly about: string }[]
  readonly requests: readonly ChatRequest[]
  /** Requests for transcription. */
  readonly recordings: readonly { readonly name: string; readonly prompt?: string; readonly language?: string }[]
  collections(): readonly string[]
  /** Somebody deletes a collection behind our back. */
  removeCollection(collection: string): void
  stored(collection: string): readonly StoredFile[]
}

export interface FakePlatform extends Platform {
  readonly script: PlatformScript
}

/** Name of a collection: the plain one, also of a full id. */
const plainName = (name: string) => name.slice(name.lastIndexOf('/') + 1)

/** Collections, files and index passes. */
function createShelf({ run }: Switchboard, owner: string) {
  const shelves = new Map<string, Map<string, StoredFile>>()
  const made = new Map<string, string>()
  const broken = new Map<string, string>()
  const running = new Set<string>()
  let slow = false
  let clock = Date.UTC(2026, 0, 1)

  const shelf = (collection: string) => {
    const found = shelves.get(plainName(collection))
    if (found === undefined)
      throw platformFailure('not-found', `There is no collection ${collection}.`, { status: 404 })
    return found
  }
  const put = async (collection: string, file: UploadFile) => {
    const bytes = new Uint8Array(await file.bytes.arrayBuffer())
    const updatedAt = new Date((clock += 1000)).toISOString()
    const { name, mimeType } = file
    shelf(collection).set(name, { name, mimeType, bytes, updatedAt, index: null })
  }
  const finishIndex = (collection: string) => {
    const files = shelf(collection)
    for (const [name, file] of files) {
      const error = broken.get(name)
      const chunks = Math.max(1, Math.ceil(file.bytes.byteLength / 1000))
      const index =
        error === undefined
          ? ({ status: 'INDEXED', chunks } as const)
          : ({ status: 'ERROR', chunks: 0, error } as const)
      files.set(name, { ...file, index })
    }
    running.delete(plainName(collection))
  }
  const startIndex = (collection: string) => {
    const name = plainName(collection)
    if (running.has(name)) return 'running'
    const files = shelf(name)
    running.add(name)
    for (const [key, file] of files) files.set(key, { ...file, index: { status: 'PROCESSING', chunks: 0 } })
    if (slow) return 'accepted'
    finishIndex(name)
    return 'done'
  }
  const collections: Platform['collections'] = {
    create: (name, options) =>
      run('collections.create', name, options?.signal, () => {
        if (shelves.has(name)) throw platformFailure('conflict', `${name} exists already.`, { status: 409 })
        shelves.set(name, new Map())
        made.set(name, new Date((clock += 1000)).toISOString())
        return { id: `${owner}/${name}`, name }
      }),
    get: (name, options) =>
      run('collections.get', name, options?.signal, () => {
        shelf(name)
        const plain = plainName(name)
        return { id: `${owner}/${plain}`, name: plain, createdAt: made.get(plain) ?? '' }
      }),
    delete: (name, options) =>
      run('collections.delete', name, options?.signal, () => {
        shelf(name)
        shelves.delete(plainName(name))
      }),
    deleteIndex: (name, options) =>
      run('collections.deleteIndex', name, options?.signal, () => {
        for (const [key, file] of shelf(name))
          shelf(name).set(key, { ...file, index: { status: 'NOT_INDEXED', chunks: 0 } })
      }),
    generateIndex: (name, options) => run('collections.generateIndex', name, options?.signal, () => startIndex(name)),
  }
  const files: Platform['files'] = {
    list: (collection, options) =>
      run('files.list', collection, options?.signal, () =>
        Array.from(shelf(collection).values(), ({ name, bytes, updatedAt, index }) => ({
          name,
          sizeBytes: bytes.byteLength,
          updatedAt,
          index,
        })),
      ),
    upload: (collection, file, options) =>
      run('files.upload', file.name, options?.signal, () => {
        if (shelf(collection).has(file.name)) {
          throw platformFailure('conflict', `${file.name} exists already.`, { status: 409 })
        }
        return put(collection, file)
      }),
    replace: (collection, file, options) =>
      run('files.replace', file.name, options?.signal, () => {
        if (!shelf(collection).has(file.name)) {
          throw platformFailure('not-found', `There is no file ${file.name}.`, { status: 404 })
        }
        return put(collection, file)
      }),
    download: (collection, name, options) =>
      run('files.download', name, options?.signal, () => {
        const found = shelf(collection).get(name)
        if (found === undefined) throw platformFailure('not-found', `There is no file ${name}.`, { status: 404 })
        return found.bytes
      }),
    delete: (collection, name, options) =>
      run('files.delete', name, options?.signal, () => {
        if (!shelf(collection).delete(name)) {
          throw platformFailure('not-found', `There is no file ${name}.`, { status: 404 })
        }
      }),
  }
  return {
    collections,
    files,
    script: {
      slowIndex: () => {
        slow = true
      },
      finishIndex,
      breakFile: (name: string, error: string | undefined) => {
        if (error === undefined) broken.delete(name)
        else broken.set(name, error)
      },
      collections: () => [...shelves.keys()],
      removeCollection: (collection: string) => void shelves.delete(plainName(collection)),
      stored: (collection: string) => [...shelf(collection).values()],
    },
  }
}

function createChat({ run }: Switchboard) {
  const replies: Reply[] = []
  const requests: ChatRequest[] = []
  async function* stream(
    request: ChatRequest,
    options: Parameters<Platform['chat']['stream']>[1] = {},
  ): AsyncGenerator<ChatEvent> {
    const { signal } = options
    await run('chat.stream', request.collection ?? '', signal, () => requests.push(structuredClone(request)))
    const reply = replies.shift() ?? `You said: ${request.messages.at(-1)?.content ?? ''}`
    const steps = typeof reply === 'function' ? reply(request) : reply
    const events: readonly ChatStep[] =
      typeof steps === 'string'
        ? [
            { type: 'text', text: steps },
            { type: 'finish', reason: 'stop' },
          ]
        : steps
    for (const step of events) {
      await untilAborted(step instanceof Promise ? step : undefined, signal)
      if (step instanceof Error) throw step
      if (step instanceof Promise) continue
      if ('waitMs' in step) options.onWait?.(step.waitMs)
      else yield step
    }
  }
  return {
    chat: { stream } satisfies Platform['chat'],
    script: { requests, answer: (...more: readonly Reply[]) => void replies.push(...more) },
  }
}

/** A platform in memory: keeps the port `Platform`, and fails as it is told to. */
export function createFakePlatform(
  options: { readonly owner?: string; readonly models?: readonly (string | ListedModel)[] } = {},
): FakePlatform {
  const { owner = 'owner', models = ['fake-model'] } = options
  const switchboard = createSwitchboard()
  const { run, calls, fail, hold } = switchboard
  const shelf = createShelf(switchboard, owner)
  const talk = createChat(switchboard)
  const transcripts: (string | Transcript)[] = []
  const conversions: (string | Conversion)[] = []
  const recordings: { name: string; prompt?: string; language?: string }[] = []
  return {
    models: {
      list: (more) =>
        run('models.list', '', more?.signal, () => models.map((one) => (typeof one === 'string' ? { id: one } : one))),
    },
    chat: talk.chat,
    collections: shelf.collections,
    files: shelf.files,
    voice: {
      transcribe: ({ name, prompt, language }, more) =>
        run('voice.transcribe', name, more?.signal, () => {
          recordings.push({
            name,
            ...(prompt === undefined ? {} : { prompt }),
            ...(language === undefined ? {} : { language }),
          })
          const next = transcripts.shift() ?? 'a transcript'
          return typeof next === 'string' ? { text: next } : next
        }),
      translate: ({ name }, more) => run('voice.translate', name, more?.signal, () => ({ text: 'a translation' })),
      speak: (text, more) =>
        run('voice.speak', text, more?.signal, () => ({
          bytes: new Blob([`sound of ${text}`]),
          mimeType: 'audio/mpeg',
        })),
    },
    documents: {
      convert: ({ name, bytes }, more) =>
        run('documents.convert', name, more?.signal, async () => {
          const result = conversions.shift() ?? `# ${name}\n\n${await bytes.text()}`
          return typeof result === 'string' ? { markdown: result } : result
        }),
    },
    script: {
      calls,
      convert: (...results) => void conversions.push(...results),
      fail,
      hold,
      recordings,
      transcribe: (...texts) => void transcripts.push(...texts),
      ...talk.script,
      ...shelf.script,
    },
  }
}
