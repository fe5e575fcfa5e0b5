import type { ChannelMap } from '#bridge/channels/channel-map.ts'
import { allPhrases } from '#lexicon/match.ts'
import { command } from '#lexicon/command.ts'
import { wording } from '#lexicon/wording.ts'
import { ACTION } from '#bridge/delivery/button-ids.ts'
import type { JobContext } from '#bridge/delivery/job-context.ts'
import { nameOfDropper } from '#bridge/files/file-records.ts'
import { findFile, listFiles } from '#bridge/files/find-file.ts'
import { iconOf } from '#bridge/files/receipt/content.ts'
import type { Action } from '#bridge/port/message.ts'
import type { Clock } from '#bridge/port/platform.ts'
import type { FileRecord } from '#bridge/port/records.ts'
import type { Store } from '#bridge/port/store.ts'
import { dayOf, escapeName, escapeNote, shorten, shownName, shownPerson } from '#bridge/texts/formats.ts'
import type { Feature } from '../feature.ts'

const PAGE = 12
/** Names and reasons are shortened as little as it takes to fit one message. */
const ROOM: readonly (readonly [name: number, note: number])[] = [
  [80, 120],
  [50, 60],
  [25, 30],
]

const ASKS_FOR_LIST = wording(allPhrases('requests', 'list'))

export interface FileListServices {
  readonly channels: Pick<ChannelMap, 'of'>
  readonly store: Pick<Store, 'files'>
  readonly clock: Clock
}

/** Lists the files of the channel: state, version, size, who dropped each and when, and why it failed. */
export const createFileList = (services: FileListServices): Feature => ({
  commands: [
    {
      name: 'files',
      pattern: command('files', String.raw`(?:\s+(\d{1,4}))?`),
      async run(ctx, argument) {
        const { text, actions } = await pageOf(services, ctx, Number(argument || 1))
        await ctx.reply(text, { actions })
      },
    },
    {
      name: 'list files',
      pattern: ASKS_FOR_LIST,
      async run(ctx) {
        const { text, actions } = await pageOf(services, ctx, 1)
        await ctx.reply(text, { actions })
      },
    },
  ],
  buttons: [
    {
      id: ACTION.filesPage,
      async run(ctx, { value }) {
        const { text, actions } = await pageOf(services, ctx, Number(value))
        await ctx.replaceMessage(text, { actions })
      },
    },
  ],
})

async function pageOf(
  { channels, store, clock }: FileListServices,
  ctx: JobContext,
  wanted: number,
): Promise<{ readonly text: string; readonly actions: readonly Action[] }> {
  const { adapter, conversation, texts } = ctx
  const { collection } = await channels.of(conversation)
  const all = await listFiles({ store }, collection)
  if (all.length === 0) return { text: texts.files.nothingHere, actions: [] }
  const pages = Math.ceil(all.length / PAGE)
  const page = Math.min(Math.max(1, wanted), pages)
  const shown = all.slice((page - 1) * PAGE, page * PAGE)
  const head = texts.files.listed(all.length, page, pages)
  const { textLength, measure } = adapter.limits
  let text = ''
  for (const [name, note] of ROOM) {
    const lines = shown.map((entry) => lineOf(entry, ctx, clock(), name, note))
    text = [head, lines.map((line) => `- ${line}`).join('\n')].join('\n\n')
    if (measure(text) <= textLength) break
  }
  const { back, more } = texts.files.button
  const actions = [...(page > 1 ? [turnTo(back, page - 1)] : []), ...(page < pages ? [turnTo(more, page + 1)] : [])]
  return { text, actions }
}

const turnTo = (label: string, page: number): Action => ({ id: ACTION.filesPage, label, value: `${page}` })

function lineOf(
  entry: FileRecord,
  { texts, author }: JobContext,
  now: number,
  nameRoom: number,
  noteRoom: number,
): string {
  const { displayName, state, version = 1, sizeBytes, droppedAt, note } = entry
  const said = [
    version > 1 ? texts.files.version(version) : '',
    state === 'failed' || state === 'removed' ? '' : texts.receipt[state],
    sizeBytes === undefined ? '' : sizeOf(sizeBytes, texts.language),
    [shownPerson(nameOfDropper(entry)), dayOf(droppedAt, author, now)].filter((part) => part !== '').join(', '),
    state === 'failed' ? texts.receipt.failed(escapeNote(shorten(note ?? '', noteRoom))) : '',
  ]
  const name = escapeName(shorten(displayName, nameRoom))
  return `${iconOf(state)} **${name}** — ${said.filter((part) => part !== '').join(' · ')}`
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** `9 bytes`, `1.5 kB`. */
function sizeOf(bytes: number, language: string): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(1, bytes)) / 3), UNITS.length - 1)
  const value = bytes / 1000 ** power
  // The short unit for bytes has no plural.
  const unitDisplay = power === 0 ? 'long' : 'short'
  const style = { style: 'unit', unit: UNITS[power] ?? 'byte', unitDisplay } as const
  return value.toLocaleString(language, { ...style, maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 })
}

const shownIn = (displayName: string) => shownName({ displayName })

/** The file that a person means; undefined if unknown, after a reply that lists the candidates. */
export async function fileMeant(
  { channels, store }: Pick<FileListServices, 'channels' | 'store'>,
  ctx: JobContext,
  asked: string,
): Promise<FileRecord | undefined> {
  const { collection } = await channels.of(ctx.conversation)
  const found = findFile(asked, await listFiles({ store }, collection))
  if (found.kind === 'one') return found.file
  const { noSuchFile, severalFiles } = ctx.texts.files
  const name = escapeName(shorten(asked, 80))
  await ctx.reply(
    found.kind === 'several'
      ? severalFiles(name, found.names.map(shownIn))
      : noSuchFile(name, found.closest.map(shownIn)),
  )
  return undefined
}
