import { isPassingFailure } from '../../texts/failure-sentence.ts'
import { describeFile } from '../../../lib/file-kind.ts'
import type { Doing, JobPorts } from '../../delivery/job-context.ts'
import { EXTRACTIVE } from '../../channels/models.ts'
import { createReferenceSplitter } from '../../references/splitter.ts'
import type { FileRecord } from '../../port/records.ts'
import { bytesOf } from '../ingest/upload-file.ts'

type ProbeRun = Pick<Doing, 'log' | 'signal'>

/** Enough of a text to ask for it, and of a long file to find such a text. */
const QUESTION_CHARS = 300
const LOOK_BYTES = 65_536

/** What finds this file if anything does: a long sentence of it, or its name. Taken before the bytes go. */
export async function probeFor(ports: JobPorts, run: ProbeRun, entry: FileRecord): Promise<string> {
  const stem = entry.displayName.replace(/\.[^.]*$/, '')
  try {
    const bytes = await bytesOf(ports.store, entry)
    if (bytes === undefined) return stem
    const mimeType = entry.attachment?.mimeType ?? ''
    const kind = describeFile(entry.displayName, mimeType)
    const isText = kind === 'native' && !/\.pdf$/i.test(entry.displayName) && mimeType !== 'application/pdf'
    const text = isText
      ? await bytes.slice(0, LOOK_BYTES).text()
      : (await ports.sources.read(entry.collection, entry.fileName))?.spaced()
    return longestSentence(text ?? '') ?? stem
  } catch (error) {
    if (run.signal.aborted) throw error
    run.log.debug({ err: error, file: entry.id }, 'A deleted file is looked for by its name alone')
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
 * Asks the collection for a deleted file. When a passage of it still comes, has it indexed and asks once more. Resolves with
 * whether passages come even then. What can't be asked now rejects, to be asked again; what can't be asked at all is logged.
 */
export async function isStillFound(
  ports: JobPorts,
  run: ProbeRun,
  { collection, fileName }: FileRecord,
  question: string,
): Promise<boolean> {
  const find = () => comes(ports, run, { collection, fileName }, question)
  try {
    if (!(await find())) return false
    run.log.warn({ file: fileName, collection }, 'A deleted file is still found; indexing anew')
    await ports.indexPass.run(collection, run.signal)
    if (!(await find())) return false
  } catch (error) {
    if (run.signal.aborted || isPassingFailure(error)) throw error
    run.log.warn(
      { err: error, file: fileName, collection },
      'Whether a deleted file is still found could not be asked',
    )
    return false
  }
  run.log.error(
    { file: fileName, collection },
    'A deleted file is still found after an index pass: look into the platform',
  )
  return true
}

async function comes(
  ports: JobPorts,
  { signal }: ProbeRun,
  { collection, fileName }: Pick<FileRecord, 'collection' | 'fileName'>,
  question: string,
): Promise<boolean> {
  const listed = await ports.models.list(signal)
  const splitter = createReferenceSplitter()
  const request = {
    // The one that costs nothing, where there is one.
    model: listed.includes(EXTRACTIVE) ? EXTRACTIVE : await ports.models.pick(signal),
    messages: [{ role: 'user', content: question }],
    collection: await ports.channels.ensure(collection, signal),
    maxTokens: 8,
  } as const
  try {
    for await (const event of ports.background.chat.stream(request, { signal }))
      if (event.type === 'text') splitter.push(event.text)
  } catch (error) {
    // No passages, no words: nothing came.
    if (!(error instanceof Error && 'code' in error && error.code === 'empty')) throw error
  }
  return splitter.end().references.some(({ file }) => file === fileName)
}
