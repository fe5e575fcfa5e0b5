import { fileKindOf } from '#lib/file-kind.ts'
import { EXTRACTIVE } from '#bridge/channels/models.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import { textOfReply } from '#bridge/port/chat-text.ts'
import { isTransientPlatformError } from '#bridge/port/errors.ts'
import type { FileRecord } from '#bridge/port/records.ts'
import { bytesOf } from '../ingest/upload-file.ts'
import type { FileServices } from '../services.ts'

/** Longest question, and the part of a long file that is read to find one, in characters. */
const QUESTION_CHARS = 300
const READ_BYTES = 65_536

/** A question that would find this file: its longest sentence, or its name. Read before the file is deleted. */
export async function questionFor(
  { store, textOf }: FileServices,
  { log, signal }: JobContext,
  file: FileRecord,
): Promise<string> {
  const stem = file.displayName.replace(/\.[^.]*$/, '')
  try {
    const bytes = await bytesOf(store, file)
    if (bytes === undefined) return stem
    const mimeType = file.attachment?.mimeType ?? ''
    const kind = fileKindOf(file.displayName, mimeType)
    const isText = kind === 'native' && !/\.pdf$/i.test(file.displayName) && mimeType !== 'application/pdf'
    const text = isText ? await bytes.slice(0, READ_BYTES).text() : await textOf(file)
    return longestSentence(text ?? '') ?? stem
  } catch (error) {
    if (signal.aborted) throw error
    log.debug(
      { err: error, file: file.id },
      'Text of a removed file could not be read; its removal is verified by its name',
    )
    return stem
  }
}

function longestSentence(text: string): string | undefined {
  const sentences = text
    .replace(/^---\n[^]*?\n---\n/, '')
    .split(/\n+|(?<=[.!?])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}{3}/u.test(sentence))
  const longest = sentences.toSorted((one, other) => other.length - one.length)[0]
  return longest?.slice(0, QUESTION_CHARS)
}

/**
 * Searches the collection for a removed file. If a passage of it is found, runs an index pass and searches again.
 *
 * @returns whether it is found even then; false, with a log line, if the search fails for good.
 * @throws {PlatformFailure} if the search may succeed later.
 */
export async function isStillFound(
  services: FileServices,
  { log, signal }: JobContext,
  { collection, fileName }: FileRecord,
  question: string,
): Promise<boolean> {
  const fields = { file: fileName, collection }
  const isFound = async () => (await search(services, collection, question, signal)).includes(fileName)
  try {
    if (!(await isFound())) return false
    log.warn(fields, 'A removed file is still found; the collection is indexed again')
    await services.indexPass.run(collection, signal)
    if (!(await isFound())) return false
  } catch (error) {
    if (signal.aborted || isTransientPlatformError(error)) throw error
    log.warn(
      { err: error, ...fields },
      'Removal of a file could not be verified: check on the platform that it is gone',
    )
    return false
  }
  log.error(fields, 'A removed file is still found after an index pass: check the collection on the platform')
  return true
}

/** Names of the files whose passages answer the question. */
async function search(
  { platform, models, channels, filesCited }: FileServices,
  collection: string,
  question: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const listed = await models.list(signal)
  const request = {
    // The extractive model costs nothing, if there is one.
    model: listed.includes(EXTRACTIVE) ? EXTRACTIVE : await models.pick(signal),
    messages: [{ role: 'user', content: question }],
    collection: await channels.ensureCreated(collection, signal),
    maxTokens: 8,
  } as const
  let answer = ''
  try {
    answer = await textOfReply(platform.chat.stream(request, { signal }))
  } catch (error) {
    // No passages and no words: nothing was found.
    if (!(error instanceof Error && 'code' in error && error.code === 'empty')) throw error
  }
  return filesCited(answer)
}
