/** The ports of platform and log that the bridge needs; the client of the platform implements its types. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Milliseconds since the epoch; injected, so that tests control time. */
export type Clock = () => number

/** Every failure of the platform; the client's `PlatformError`. */
export interface PlatformFailure extends Error {
  readonly name: 'PlatformError'
  readonly code: PlatformFailureCode
  readonly status?: number
  readonly retryAfterMs?: number
  /** The platform's own error text, if any; `message` has more, for the log. */
  readonly said?: string
}

export type PlatformFailureCode =
  /** 401 or 403: the key is wrong or has expired. */
  | 'unauthorized'
  | 'not-found'
  /** 409: it exists, or a pass is running. */
  | 'conflict'
  /** 507: its disk is full. */
  | 'no-room'
  /** 413 */
  | 'too-large'
  /** The question is longer, with its history and passages, than the model reads at once. */
  | 'too-long'
  /** 415 or 501: a format or a task that this platform does not do. */
  | 'unsupported'
  /** 400, 422 and the like; also a call or setting that could never work. */
  | 'invalid'
  | 'rate-limited'
  /** 423, or a collection that does not answer while it is being indexed. */
  | 'locked'
  /** Not reached, or the connection was closed before an answer came. */
  | 'unreachable'
  /** No answer within the time limit. */
  | 'timeout'
  /** The stream broke after its first byte. */
  | 'cut'
  /** The response was empty. */
  | 'empty'
  /** 5xx, an error event inside a stream, or an answer that makes no sense. */
  | 'server'
  /** We aborted the request. */
  | 'aborted'

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
  /** Pictures as `data:` URLs; only for a vision model. */
  readonly images?: readonly string[]
}

export interface ChatRequest {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  /** Full id `<owner>/<name>`: retrieval from this collection. Absent: a plain chat. */
  readonly collection?: string
  /** Only from this file of the collection. The embedded platform alone knows it. */
  readonly file?: string
  /** Longest answer in tokens; absent: the platform's default. */
  readonly maxTokens?: number
  /** 0 to 2; absent: the platform's default. */
  readonly temperature?: number
}

export interface ReferenceField {
  readonly number: number
  readonly file: string
  readonly place?: string
}

export type ChatEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** All text before it was the model's thinking. */
  | { readonly type: 'retract' }
  /** The model's own words in place of an answer that it declines to give. */
  | { readonly type: 'refusal'; readonly text: string }
  /** Something to show, never to execute; `toolCall`: the model itself wants a tool. */
  | { readonly type: 'progress'; readonly event: string; readonly toolCall?: { readonly name: string } }
  /** Entries of the References block as fields, where the platform sends them: the block need not tell their places. */
  | { readonly type: 'references'; readonly references: readonly ReferenceField[] }
  /** `length`: the model's limit ended it; `content_filter`: a filter did. */
  | { readonly type: 'finish'; readonly reason?: string }

export interface UploadFile {
  readonly name: string
  readonly mimeType: string
  readonly bytes: Blob
}

export interface PlatformFile {
  readonly name: string
  readonly sizeBytes: number
  readonly updatedAt: string
  /** Null until the first pass. */
  readonly index: {
    readonly status: 'INDEXED' | 'NOT_INDEXED' | 'ERROR' | 'PENDING' | 'PROCESSING'
    readonly chunks: number
    /** Why `ERROR`; with `INDEXED`, which parts were not read. */
    readonly error?: string
    /** The page whose text is being recognized. */
    readonly progress?: { readonly page: number; readonly pages: number }
  } | null
}

export interface Recording extends UploadFile {
  /** Words that the recording is likely to contain. */
  readonly prompt?: string
  /** ISO 639-1, a hint. */
  readonly language?: string
  readonly format?: 'json' | 'verbose_json'
}

/** A time range of a recording. */
export interface Segment {
  readonly startMs: number
  readonly endMs: number
  readonly text: string
}

export interface Transcript {
  readonly text: string
  /** As the platform returns it: a code or an English name. */
  readonly language?: string
  readonly durationMs?: number
  readonly segments?: readonly Segment[]
}

interface Abortable {
  readonly signal?: AbortSignal
}

export interface ListedModel {
  readonly id: string
  /** Input and output modalities; empty or absent if the platform does not tell. */
  readonly input?: readonly string[]
  readonly output?: readonly string[]
}

/** Options of a request for which workspaces take turns where many wait. */
interface FairOptions extends Abortable {
  readonly workspace?: string
}

export interface Platform {
  readonly models: { list(options?: Abortable): Promise<readonly ListedModel[]> }
  readonly chat: {
    /**
     * `onWait` is called with the wait when the request has to wait for the platform's limit.
     */
    stream(
      request: ChatRequest,
      options?: FairOptions & { readonly onWait?: (waitMs: number) => void },
    ): AsyncIterable<ChatEvent>
  }
  readonly collections: {
    /** @throws `conflict` when the name exists. */
    create(name: string, options?: Abortable): Promise<{ readonly id: string; readonly name: string }>
    get(
      name: string,
      options?: Abortable,
    ): Promise<{
      readonly id: string
      readonly name: string
      readonly createdAt?: string
      /** `PENDING` or `PROCESSING`: a pass is running. */
      readonly index?: { readonly status: string }
    }>
    /**
     * Starts an index pass. `done`: it is over. `accepted`: it may be running (504, dropped or no response): poll the
     * file list, never trigger again at once. `running`: another pass was running.
     */
    generateIndex(name: string, options?: Abortable): Promise<'done' | 'accepted' | 'running'>
    /** Deletes the index; the next pass builds it again. */
    deleteIndex(name: string, options?: Abortable): Promise<void>
    /** Deletes the collection with its files and its index. @throws `not-found` */
    delete(name: string, options?: Abortable): Promise<void>
  }
  readonly files: {
    list(collection: string, options?: Abortable): Promise<readonly PlatformFile[]>
    /** POST: @throws `conflict` when the name exists. */
    upload(collection: string, file: UploadFile, options?: Abortable): Promise<void>
    /** PUT: @throws `not-found` when it does not exist. */
    replace(collection: string, file: UploadFile, options?: Abortable): Promise<void>
    delete(collection: string, name: string, options?: Abortable): Promise<void>
    /** The stored bytes. @throws `too-large` over `maxBytes`, `not-found` */
    download(
      collection: string,
      name: string,
      options?: Abortable & { readonly maxBytes?: number },
    ): Promise<Uint8Array>
  }
  readonly voice: {
    /** Uses `verbose_json`: with times and language if the platform returns them. */
    transcribe(audio: Recording, options?: FairOptions): Promise<Transcript>
    /** Transcribes and translates into English. */
    translate(audio: Recording, options?: FairOptions): Promise<Transcript>
    /** Text to speech. @throws `not-found`, `unsupported` if the platform has none. */
    speak(text: string, options?: FairOptions): Promise<{ readonly bytes: Blob; readonly mimeType: string }>
  }
  readonly documents: { convert(document: UploadFile, options?: Abortable): Promise<Conversion> }
}

/** A document as text. */
export interface Conversion {
  readonly markdown: string
  /** A sentence about parts that were not read; the text ends with it, too. */
  readonly note?: string | undefined
}

/** How far an adapter has read each channel. */
export interface Cursors {
  get(channel: string): Promise<string | undefined>
  set(channel: string, position: string): Promise<void>
  all(): Promise<readonly { readonly channel: string; readonly position: string }[]>
}
