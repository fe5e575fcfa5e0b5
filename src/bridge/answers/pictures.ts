import { readLimited } from '#lib/read-limited.ts'
import type { Adapter } from '../port/adapter.ts'
import { AdapterError } from '../port/errors.ts'
import type { Attachment } from '../port/message.ts'
import type { Log, Platform } from '../port/platform.ts'
import type { Texts } from '../texts/texts.ts'
import { shownName } from '../texts/formats.ts'

/** Pictures sent with a question, for a vision model. */
export interface Pictures {
  /** As `data:` URLs. */
  readonly images: readonly string[]
  /** One line for each picture that could not be used, with the reason. */
  readonly notes: readonly string[]
}

/** More pictures distract a model more than they help. */
const MAX_PICTURES = 4
/** Largest picture, as the chat service sends it. */
const MAX_BYTES = 5_000_000

/** Fetches the pictures that this model can read; each of the others becomes a line under the answer. */
export async function loadPictures(
  platform: Pick<Platform, 'models'>,
  ctx: { readonly adapter: Adapter; readonly texts: Texts; readonly log: Log; readonly signal: AbortSignal },
  pictures: readonly Attachment[],
  model: string,
): Promise<Pictures> {
  const { texts, signal } = ctx
  const listed = await platform.models.list({ signal })
  const sees = listed.find(({ id }) => id === model)?.input?.includes('image') === true
  if (!sees) return { images: [], notes: [texts.files.pictures.notSeen(model)] }
  const looks = await Promise.all(pictures.slice(0, MAX_PICTURES).map((picture) => fetchPicture(ctx, picture)))
  return {
    images: looks.flatMap(({ image }) => image ?? []),
    notes: [
      ...looks.flatMap(({ note }) => note ?? []),
      ...(pictures.length > MAX_PICTURES ? [texts.files.pictures.tooMany(MAX_PICTURES)] : []),
    ],
  }
}

interface LoadedPicture {
  readonly image?: string
  readonly note?: string
}

async function fetchPicture(
  { adapter, texts, log, signal }: Parameters<typeof loadPictures>[1],
  picture: Attachment,
): Promise<LoadedPicture> {
  const { pictures } = texts.files
  const tooLarge = { note: pictures.tooLarge(nameOf(picture), MAX_BYTES / 1_000_000) }
  if ((picture.sizeBytes ?? 0) > MAX_BYTES) return tooLarge
  try {
    const bytes = await readLimited(await adapter.open(picture, signal), MAX_BYTES)
    if (bytes === undefined) return tooLarge
    const type = imageTypeOf(bytes)
    if (type === undefined) return { note: pictures.notReadable(nameOf(picture)) }
    return { image: `data:${type};base64,${bytes.toString('base64')}` }
  } catch (error) {
    if (signal.aborted || !(error instanceof AdapterError)) throw error
    log.warn({ err: error }, 'A picture sent with a question could not be loaded; the question is answered without it')
    return { note: pictures.notLoaded(nameOf(picture), texts.failures.noFile(error)) }
  }
}

const nameOf = ({ name }: Attachment) => shownName({ displayName: name })

/** The type by magic bytes, since names and announced types are guesses. Vision models take these four. */
function imageTypeOf(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 12).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1A\n')) return 'image/png'
  if (head.startsWith('\xFF\xD8\xFF')) return 'image/jpeg'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif'
  if (head.startsWith('RIFF') && head.slice(8) === 'WEBP') return 'image/webp'
  return undefined
}
