import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy'
import type { Context } from 'hono'
import { pipeline } from 'node:stream/promises'
import { EngineError } from '#platform/engine/errors.ts'
import { receive, MAX_UPLOAD_BYTES } from './body.ts'
import type { Environment } from '../routing.ts'

/** Consumes an uploaded file as it arrives. */
export interface FileReceiver<Received> {
  /** Consumes the bytes; throws what `content` throws when the upload breaks off. */
  receive(content: AsyncIterable<Uint8Array>): Promise<Received>
  /** Called when the form is refused after the file was received. */
  discard?(received: Received): Promise<void>
}

export interface ReceivedForm<Received> {
  readonly name: string
  readonly mimeType: string
  readonly content: Received
  /** Text fields; of a repeated field its last value. */
  readonly fields: Readonly<Record<string, string>>
  /** All values of the fields whose names end in `[]`. */
  readonly lists: Readonly<Record<string, readonly string[]>>
}

/** Limits of the text fields; the file has its own. */
const FORM_LIMITS = { parts: 200, fieldSize: 1024 * 1024, headerSize: 16 * 1024, headerPairs: 50 } as const

const ignore = () => undefined

const refuse = (sentence: string) => new EngineError('invalid', sentence)

const broken = (error: unknown) =>
  new EngineError('invalid', 'The multipart body is broken or was cut off: send it again.', { cause: error })

/** As the sender of a form writes a name that holds them (HTML, 4.10.21.8). */
const toName = (name: string) => name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n')

interface SeenFile<Received> {
  readonly name: string
  readonly mimeType: string
  readonly stream: BusboyFileStream
  readonly received: Promise<Received>
}

/** A parser, loaded with the first form. */
async function openParser(contentType: string): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy')
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      isPartAFile: (_field, _type, fileName) => fileName !== undefined,
      limits: FORM_LIMITS,
    })
  } catch (error) {
    throw broken(error)
  }
}

/** Reads the parts as they arrive; the file of `part` goes to the receiver, any other file is dropped. */
async function openForm<Received>(contentType: string, part: string, receiver: FileReceiver<Received>) {
  const parser = await openParser(contentType)
  const fields = new Map<string, string>()
  const lists = new Map<string, string[]>()
  let file: SeenFile<Received> | undefined
  // The first fault counts; later ones only follow from it.
  let fault: unknown
  parser.on('error', (error) => (fault ??= broken(error)))
  parser.on('partsLimit', () => (fault ??= refuse(`The form has more than ${FORM_LIMITS.parts} parts.`)))
  parser.on('file', (field, stream, fileName, _encoding, mimeType) => {
    stream.on('error', ignore)
    if (field !== part || file !== undefined) {
      if (field === part) fault ??= refuse(`The part "${part}" came more than once: send one file a request.`)
      stream.resume()
      return
    }
    const received = receiver.receive(stream)
    received.catch((error: unknown) => {
      fault ??= error
      parser.destroy(new Error('The file was not taken.', { cause: error }))
    })
    file = { name: toName(fileName), mimeType, stream, received }
  })
  parser.on('field', (name, value, _nameTruncated, truncated) => {
    if (truncated) fault ??= refuse('A text field of the form is longer than 1 MB: send a shorter one.')
    if (!name.endsWith('[]')) fields.set(name, value)
    else lists.set(name, [...(lists.get(name) ?? []), value])
  })

  async function take(body: ReadableStream<Uint8Array>): Promise<ReceivedForm<Received>> {
    await pipeline(body, parser)
    const content = await file?.received
    if (fault !== undefined) throw fault
    if (file === undefined || content === undefined) {
      throw new EngineError('invalid', `The part "${part}" with the file is missing.`, { reason: 'missing_file' })
    }
    const { name, mimeType } = file
    return { name, mimeType, content, fields: Object.fromEntries(fields), lists: Object.fromEntries(lists) }
  }

  return (body: ReadableStream<Uint8Array>) =>
    take(body).catch(async (error: unknown) => {
      file?.stream.destroy(new Error('The form was refused.', { cause: error }))
      await file?.received.then((received) => receiver.discard?.(received), ignore)
      throw fault ?? error
    })
}

/**
 * Reads a multipart body with one file in `part`, which is streamed, never held in memory here.
 *
 * @throws {EngineError} `invalid`; as `receive`
 */
export async function readForm<Received>(
  c: Context<Environment>,
  part: string,
  receiver: FileReceiver<Received>,
): Promise<ReceivedForm<Received>> {
  const type = c.req.header('content-type') ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) {
    throw new EngineError('invalid', `Send the file as multipart/form-data in the part "${part}".`)
  }
  return receive(c, MAX_UPLOAD_BYTES, await openForm(type, part, receiver))
}
