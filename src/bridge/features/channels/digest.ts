import { createSender, showWhole } from '#bridge/delivery/outbox-sender.ts'
import { isLive } from '#bridge/files/file-records.ts'
import { listFiles } from '#bridge/files/find-file.ts'
import { channelKey } from '#bridge/port/keys.ts'
import type { ConversationRef } from '#bridge/port/message.ts'
import type { Log } from '#bridge/port/platform.ts'
import { escapeName, oneLine, shownName } from '#bridge/texts/formats.ts'
import { textsFor } from '#bridge/texts/texts.ts'
import type { JobServices } from '../feature.ts'

const DAY_MS = 24 * 3600_000
const WEEK_MS = 7 * DAY_MS
const STALE_MS = 182 * DAY_MS
const MAX_LISTED = 8
const LAST_DIGEST = 'digest-at'

/** Posts the week's summary in each channel that wants one and has had none for a week. */
export async function postDigests(services: JobServices, log: Log, signal: AbortSignal): Promise<void> {
  for (const conversation of await services.settings.withDigest()) {
    if (signal.aborted) return
    try {
      await postDigest(services, conversation)
    } catch (error) {
      if (signal.aborted) return
      log.warn(
        { err: error, channel: conversation.channel },
        'The weekly summary of a channel could not be posted; it is tried again in an hour',
      )
    }
  }
}

async function postDigest(services: JobServices, conversation: ConversationRef): Promise<void> {
  const { store, clock, adapterOf, settings, authority } = services
  const adapter = adapterOf(conversation.adapter)
  if (adapter === undefined) return
  const key = channelKey(conversation)
  const last = Number(await store.preferences.get(key, LAST_DIGEST))
  const now = clock()
  if (last > 0 && now - last < WEEK_MS) return
  const isClosed = (await adapter.describeChannel(conversation))?.isClosed === true
  // The first summary comes a week after it was wanted.
  if (last > 0 && !isClosed && !(await authority.isFrozen(adapter, conversation))) {
    const { language } = await settings.of(conversation)
    const text = await digestOf(services, conversation, { since: last, now, language })
    const jobId = `digest:${key}:${last}`
    const sender = createSender({ jobId, adapter, conversation, replyTo: '', outbox: store.outbox, clock })
    if (text !== undefined) await showWhole(sender, 'digest', { kind: 'notice', text })
  }
  await store.preferences.set(key, LAST_DIGEST, String(now))
}

const at = (iso: string | undefined): number => (iso === undefined ? Number.NaN : Date.parse(iso))

/** New files, unanswered questions and old files; undefined: there is nothing to tell. */
async function digestOf(
  { store, channels }: JobServices,
  conversation: ConversationRef,
  { since, now, language }: { readonly since: number; readonly now: number; readonly language: string | undefined },
): Promise<string | undefined> {
  const { digest } = textsFor(language).settings
  const key = channelKey(conversation)
  if ((await store.channels.get(key)) === undefined) return undefined
  const { collection } = await channels.of(conversation)
  const files = (await listFiles({ store }, collection)).filter(isLive)
  const fresh = files.filter(({ droppedAt }) => at(droppedAt) >= since)
  const stale = files.filter(({ droppedAt }) => now - at(droppedAt) > STALE_MS)
  const open = (await store.answers.unanswered(key, 100)).filter((one) => one.isPrivate !== true && one.at >= since)
  const names = (all: typeof files) => all.slice(0, MAX_LISTED).map((file) => shownName(file))
  const lines = open.slice(0, MAX_LISTED).map(({ question }) => `- ${escapeName(oneLine(question, 100))}`)
  const parts = [
    ...(fresh.length > 0 ? [digest.files(fresh.length, names(fresh))] : []),
    ...(lines.length > 0 ? [digest.questions(lines)] : []),
    ...(stale.length > 0 ? [digest.stale(names(stale))] : []),
  ]
  return parts.length === 0 ? undefined : [digest.head, ...parts].join('\n\n')
}
