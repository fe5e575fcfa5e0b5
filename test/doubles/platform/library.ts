/** The double's own memory: collections, files and index passes, with retrieval by words in common. */
export interface StoredFile {
  readonly name: string
  readonly mimeType: string
  readonly bytes: Uint8Array
  readonly createdAt: string
  readonly updatedAt: string
  index: { status: 'INDEXED' | 'NOT_INDEXED' | 'ERROR'; chunks: number; error: string | null } | null
}

export interface StoredCollection {
  readonly name: string
  readonly createdAt: string
  readonly files: Map<string, StoredFile>
  /** Looks at the collection until the running pass is over; undefined when none runs. */
  pollsLeft: number | undefined
  /** Requests to it are taken and never answered. */
  locked: boolean
  /** Passes that were begun. */
  passes: number
}

export interface Hit {
  readonly file: string
  readonly body: string
  readonly distance: number
}

const words = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu))

function chunksOf(file: StoredFile): string[] {
  const text = new TextDecoder().decode(file.bytes).replace(/^---\n[\s\S]*?\n---\n/, '')
  return text
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

export function createLibrary(now: () => Date) {
  const collections = new Map<string, StoredCollection>()

  const finish = (collection: StoredCollection) => {
    collection.pollsLeft = undefined
    for (const file of collection.files.values()) {
      if (file.index?.status === 'INDEXED') continue
      const chunks = chunksOf(file).length
      file.index =
        chunks === 0
          ? { status: 'ERROR', chunks: 0, error: 'No text could be extracted' }
          : { status: 'INDEXED', chunks, error: null }
    }
  }

  return {
    collections,
    create(name: string): StoredCollection {
      const collection: StoredCollection = {
        name,
        createdAt: now().toISOString(),
        files: new Map(),
        pollsLeft: undefined,
        locked: false,
        passes: 0,
      }
      collections.set(name, collection)
      return collection
    },
    store(collection: StoredCollection, upload: { name: string; mimeType: string; bytes: Uint8Array }) {
      const at = now().toISOString()
      const before = collection.files.get(upload.name)
      const file = { ...upload, createdAt: before?.createdAt ?? at, updatedAt: at, index: before?.index ?? null }
      if (file.index !== null) file.index = { status: 'NOT_INDEXED', chunks: 0, error: null }
      collection.files.set(upload.name, file)
    },
    /** Begins a pass that is over after this many looks; 0: at once. */
    index(collection: StoredCollection, polls: number) {
      collection.passes += 1
      collection.pollsLeft = polls
      if (polls <= 0) finish(collection)
    },
    /** Somebody looked. */
    look(collection: StoredCollection) {
      if (collection.pollsLeft === undefined) return
      if (collection.pollsLeft <= 0) finish(collection)
      else collection.pollsLeft -= 1
    },
    retrieve(collection: StoredCollection, question: string): Hit[] {
      const asked = words(question)
      return [...collection.files.values()]
        .filter((file) => file.index?.status === 'INDEXED')
        .flatMap((file) => chunksOf(file).map((body) => ({ file: file.name, body })))
        .map((chunk) => {
          const common = [...words(chunk.body)].filter((word) => asked.has(word)).length
          return { ...chunk, distance: 1 - common / Math.max(1, asked.size) }
        })
        .toSorted((a, b) => a.distance - b.distance)
        .slice(0, 3)
    },
  }
}

export type Library = ReturnType<typeof createLibrary>
