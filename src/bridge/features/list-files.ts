import { ACTION } from '../delivery/button-ids.ts'
import type { Button, Command, Doing, JobPorts } from '../delivery/job-context.ts'
import { sayInPlace } from '../delivery/replace-message.ts'
import { say } from '../delivery/reply.ts'
import { isOver, nameOfDropper } from '../files/file-records.ts'
import { findFile, listFiles } from '../files/find-file.ts'
import { signOf } from '../files/receipt/content.ts'
import type { Action } from '../port/message.ts'
import type { FileRecord } from '../port/records.ts'
import { dayOf } from '../texts/dates.ts'
import { escapeName, escapeNote, shorten, shownName, shownPerson } from '../texts/names.ts'

const PAGE = 12
/** Names and reasons are shortened as little as it takes to fit one message. */
const ROOM: readonly (readonly [name: number, note: number])[] = [
  [80, 120],
  [50, 60],
  [25, 30],
]

/** What is here: state, version, size, chunks, who dropped it and when, and why it failed. */
export const files: Command = {
  name: 'files',
  pattern: /^(?:files|dateien)(?:\s+(\d{1,4}))?$/i,
  async run(ports, doing) {
    const { text, actions } = await pageOf(ports, doing, Number(doing.argument === '' ? 1 : doing.argument))
    await say(doing, text, actions.length > 0 ? { actions } : {})
  },
}

export const filesPage: Button = {
  id: ACTION.filesPage,
  async run(ports, doing) {
    const { text, actions } = await pageOf(ports, doing, Number(doing.inbound.action.value))
    await sayInPlace(ports, doing, text, actions.length > 0 ? { actions } : {})
  },
}

async function pageOf(
  ports: JobPorts,
  doing: Doing,
  wanted: number,
): Promise<{ readonly text: string; readonly actions: readonly Action[] }> {
  const { adapter, conversation, texts } = doing
  const { collection } = await ports.channels.of(conversation)
  const all = await listFiles(ports, collection)
  if (all.length === 0) return { text: texts.files.nothingHere, actions: [] }
  const pages = Math.ceil(all.length / PAGE)
  const page = Math.min(Math.max(1, wanted), pages)
  const shown = all.slice((page - 1) * PAGE, page * PAGE)
  const head = texts.files.listed(all.length, page, pages)
  const { textLength, measure } = adapter.limits
  let text = ''
  for (const [name, note] of ROOM) {
    const lines = shown.map((entry) => lineOf(entry, doing, ports.clock(), name, note))
    text = [head, lines.map((line) => `- ${line}`).join('\n')].join('\n\n')
    if (measure(text) <= textLength) break
  }
  const { back, more } = texts.files.button
  const actions = [
    ...(page > 1 ? [turnTo(back, page - 1)] : []),
    ...(page < pages ? [turnTo(more, page + 1)] : []),
  ]
  return { text, actions }
}

const turnTo = (label: string, page: number): Action => ({
  id: ACTION.filesPage,
  label,
  value: `${page}`,
})

function lineOf(
  entry: FileRecord,
  { texts, author }: Doing,
  now: number,
  nameRoom: number,
  noteRoom: number,
): string {
  const { displayName, state, version = 1, sizeBytes, chunks, droppedAt, note } = entry
  const said = [
    version > 1 ? texts.files.version(version) : '',
    state === 'ready' ? texts.receipt.ready(chunks ?? 0) : '',
    isOver(entry) || state === 'removed' ? '' : texts.receipt[state as 'received'],
    sizeBytes === undefined ? '' : sizeOf(sizeBytes, author.language),
    [shownPerson(nameOfDropper(entry)), dayOf(droppedAt, author.language, now)]
      .filter((part) => part !== '')
      .join(', '),
    state === 'failed' ? texts.receipt.failed(escapeNote(shorten(note ?? '', noteRoom))) : '',
  ]
  const name = escapeName(shorten(displayName, nameRoom))
  return `${signOf(state)} **${name}** — ${said.filter((part) => part !== '').join(' · ')}`
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** `9 bytes`, `1.5 kB`. */
function sizeOf(bytes: number, language: string | undefined): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(1, bytes)) / 3), UNITS.length - 1)
  const value = bytes / 1000 ** power
  // The short form of bytes knows no plural.
  const unitDisplay = power === 0 ? 'long' : 'short'
  const style = { style: 'unit', unit: UNITS[power] ?? 'byte', unitDisplay } as const
  const locale = language?.toLowerCase().startsWith('de') === true ? 'de' : 'en'
  return value.toLocaleString(locale, { ...style, maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 })
}

const shownIn = (displayName: string) => shownName({ displayName })

/** The file that somebody means, or undefined after it was said which there are. */
export async function fileMeant(
  ports: JobPorts,
  doing: Doing,
  asked: string,
): Promise<FileRecord | undefined> {
  const { collection } = await ports.channels.of(doing.conversation)
  const found = findFile(asked, await listFiles(ports, collection))
  if (found.kind === 'one') return found.entry
  const { noSuchFile, severalFiles } = doing.texts.files
  const name = escapeName(shorten(asked, 80))
  const text =
    found.kind === 'several'
      ? severalFiles(name, found.names.map(shownIn))
      : noSuchFile(name, found.closest.map(shownIn))
  await say(doing, text)
  return undefined
}
