import type { ConversationRef } from '#bridge/port/message.ts'
import type { Channels } from '../channels.ts'
import { rawAttachmentsOf, snapshotsOf } from './forward.ts'
import type { Names, RawMessage } from './message.ts'

/** The facts that decide whether Discord told the words and files of a message. */
export interface TellingParts {
  /** Whether Discord tells those of all messages (Message Content). */
  readonly readsAll: () => boolean
  readonly me: () => string
  readonly channels: Pick<Channels, 'post'>
  readonly names: (workspace: string) => Pick<Names, 'role'>
}

const isBlank = (raw: RawMessage): boolean =>
  (raw.content ?? '') === '' &&
  rawAttachmentsOf(raw).length === 0 &&
  snapshotsOf(raw).every(({ content = '' }) => content === '') &&
  (raw.sticker_items ?? []).length === 0 &&
  raw.poll === undefined

const pings = (raw: RawMessage, me: string): boolean => (raw.mentions ?? []).some(({ id }) => id === me)

const isForOurRole = (names: Pick<Names, 'role'>, raw: RawMessage): boolean =>
  (raw.mention_roles ?? []).some((id) => names.role(id)?.ours === true)

/**
 * The message as far as it is for us: without Message Content that is one which mentions us, and the title of a post.
 * `isWithheld`: it mentions us and its words are not told, as in a reply to the answer of a command. Undefined: not for us.
 */
export function toldOf(
  { readsAll, me, channels, names }: TellingParts,
  raw: RawMessage,
  { direct, workspace }: Pick<ConversationRef, 'direct' | 'workspace'>,
): { readonly raw: RawMessage; readonly isWithheld?: true } | undefined {
  if (readsAll() || direct) return { raw }
  if (pings(raw, me())) return isBlank(raw) ? { raw, isWithheld: true } : { raw }
  if (isForOurRole(names(workspace), raw) && !isBlank(raw)) return { raw }
  if (raw.id !== raw.channel_id || channels.post(raw.id) === undefined) return undefined
  const { message_snapshots: _forward, ...own } = raw
  return { raw: { ...own, content: '', attachments: [] } }
}

/** Whether a change of this message can be seen: where Discord tells nothing, all words and files look removed. */
export const showsChanges = ({ readsAll, me, names }: TellingParts, raw: RawMessage): boolean =>
  readsAll() ||
  raw.guild_id === undefined ||
  ((pings(raw, me()) || isForOurRole(names(raw.guild_id), raw)) && !isBlank(raw))
