import type { UploadFile } from '#bridge/port/platform.ts'
import { DOCUMENT_PART, receivedConversion, type ConversionType, type ReceivedConversion } from '../wire/documents.ts'
import { JSON_LIST_BOUNDS } from '../wire/limits.ts'
import type { CallOptions, Context } from './context.ts'
import { PlatformError, sentence } from './errors.ts'
import { readJson, unexpected } from './reply.ts'
import { uploadAllowanceMs } from './deadline.ts'
import { createForm } from './exchange.ts'

export interface ConvertOptions extends CallOptions {
  /** Default false. */
  readonly tablesAsImages?: boolean
  /** 1 to 4; default the platform's own. */
  readonly imageScale?: number
}

export interface ConvertedImage {
  /** File name as in the text: converted markdown holds bare image names. */
  readonly name: string
  /** `picture` or `table`. */
  readonly type: string
  readonly bytes: Uint8Array
}

/** Images come as base64 inside the JSON. */
const MAX_CONVERSION_BYTES = 256 * 1024 * 1024

export function createDocuments({ transport, paths, credentials, limits }: Context) {
  const ask = async (type: ConversionType, document: UploadFile, options: ConvertOptions) => {
    const doing = `converting "${document.name}"`
    const { tablesAsImages, imageScale, signal } = options
    const reply = await transport
      .send({
        doing,
        method: 'POST',
        path: paths.convert,
        credential: credentials.api,
        query: { response_type: type, extract_tables_as_images: tablesAsImages, image_resolution_scale: imageScale },
        body: createForm(DOCUMENT_PART, document),
        firstByteMs: limits.conversionMs,
        allowanceMs: uploadAllowanceMs(document.bytes.size, limits),
        retry: 'refused',
        signal,
      })
      .catch((error: unknown) => {
        throw unsupported(error, doing)
      })
    const received = await readJson(reply, receivedConversion, {
      maxBytes: MAX_CONVERSION_BYTES,
      bounds: JSON_LIST_BOUNDS,
    })
    const content = contentOf(received, type)
    if (content === undefined || content === null) {
      throw unexpected(doing, reply.status, `there is no ${type} in it`)
    }
    return { content, images: imagesOf(received), note: received.note ?? undefined, doing, status: reply.status }
  }

  return {
    /** The document as markdown, with its images and a sentence about parts that were not read. @throws {PlatformError} `unsupported`, `too-large`, `server`. */
    async convert(document: UploadFile, options: ConvertOptions = {}) {
      const { content, images, note, doing, status } = await ask('markdown', document, options)
      if (typeof content !== 'string') throw unexpected(doing, status, 'the markdown is no text')
      return { markdown: content, images, note }
    },
    /** The document in another form: `html` is text; `json` and `tokens` are as the platform makes them. */
    async convertTo(type: ConversionType, document: UploadFile, options: ConvertOptions = {}) {
      const { content, images } = await ask(type, document, options)
      return { type, content, images }
    },
  }
}

/** A conversion answers 400 for a format that it does not take (wire, B). */
function unsupported(error: unknown, doing: string): unknown {
  if (!(error instanceof PlatformError) || error.status !== 400) return error
  const what = `The platform does not take this format while ${doing} (status 400)`
  return new PlatformError('unsupported', sentence('unsupported', what), { status: 400, cause: error })
}

function contentOf(received: ReceivedConversion, type: ConversionType): unknown {
  if (type === 'json') return received.json_data ?? received.json
  return received[type]
}

function imagesOf({ images }: ReceivedConversion): readonly ConvertedImage[] {
  return (images ?? []).map((image, index) => ({
    name: image.filename ?? `image-${index + 1}`,
    type: image.type ?? 'picture',
    bytes: Buffer.from(image.image, 'base64'),
  }))
}
