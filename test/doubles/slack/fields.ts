/**
 * Which fields each Web API method knows (docs.slack.dev/reference/methods and the request types of @slack/web-api
 * 8.2.0). A method that is not here does not exist; a field that is not here is refused.
 */
import type { ChannelKind } from './types.ts'

const shown = ['text', 'blocks', 'attachments', 'markdown_text']
const looks = ['as_user', 'icon_emoji', 'icon_url', 'username', 'link_names', 'parse']
const page = ['cursor', 'limit']
const range = ['oldest', 'latest', 'inclusive']

const known: Readonly<Record<string, readonly string[]>> = {
  'apps.connections.open': [],
  'assistant.threads.setStatus': [
    'channel_id',
    'thread_ts',
    'status',
    'loading_messages',
    'icon_emoji',
    'icon_url',
    'username',
  ],
  'assistant.threads.setSuggestedPrompts': ['channel_id', 'thread_ts', 'prompts', 'title'],
  'auth.test': [],
  'chat.appendStream': ['channel', 'ts', 'markdown_text', 'chunks'],
  'chat.delete': ['channel', 'ts', 'as_user'],
  'chat.getPermalink': ['channel', 'message_ts'],
  'chat.postEphemeral': ['channel', 'user', 'thread_ts', ...shown, ...looks],
  'chat.postMessage': [
    'channel',
    'thread_ts',
    'reply_broadcast',
    'metadata',
    'mrkdwn',
    'unfurl_links',
    'unfurl_media',
    ...shown,
    ...looks,
  ],
  'chat.startStream': [
    'channel',
    'thread_ts',
    'markdown_text',
    'chunks',
    'recipient_team_id',
    'recipient_user_id',
    'task_display_mode',
    'icon_emoji',
    'icon_url',
    'username',
  ],
  'chat.stopStream': ['channel', 'ts', 'markdown_text', 'chunks', 'blocks', 'metadata', 'session_status'],
  'chat.unfurl': ['channel', 'ts', 'unfurls', 'unfurl_id', 'source', 'metadata'],
  'chat.update': [
    'channel',
    'ts',
    'metadata',
    'reply_broadcast',
    'file_ids',
    'as_user',
    'link_names',
    'parse',
    ...shown,
  ],
  'conversations.history': ['channel', 'include_all_metadata', ...page, ...range],
  'conversations.info': ['channel', 'include_locale', 'include_num_members'],
  'conversations.members': ['channel', ...page],
  'conversations.open': ['channel', 'users', 'return_im', 'prevent_creation'],
  'conversations.replies': ['channel', 'ts', 'include_all_metadata', ...page, ...range],
  'files.completeUploadExternal': ['files', 'channel_id', 'thread_ts', 'initial_comment', 'blocks'],
  'files.getUploadURLExternal': ['filename', 'length', 'alt_text', 'snippet_type'],
  'files.list': ['channel', 'count', 'page', 'types', 'ts_from', 'ts_to', 'user'],
  'files.info': ['file', 'count', 'page', ...page],
  'reactions.add': ['channel', 'name', 'timestamp'],
  'reactions.remove': ['channel', 'name', 'timestamp', 'file', 'file_comment'],
  'agents.sessions.rename': ['channel_id', 'title', 'thread_ts'],
  'agents.sessions.setStatus': [
    'channel_id',
    'thread_ts',
    'status',
    'title',
    'initiator_user_id',
    'icon_emoji',
    'icon_url',
    'username',
  ],
  'entity.presentDetails': ['trigger_id', 'metadata', 'error', 'user_auth_required', 'user_auth_url'],
  'views.publish': ['user_id', 'view', 'hash'],
  'views.update': ['view_id', 'external_id', 'view', 'hash'],
  'views.open': ['trigger_id', 'interactivity_pointer', 'view'],
  'auth.teams.list': ['include_icon', ...page],
  'users.conversations': ['user', 'types', 'exclude_archived', ...page],
  'users.info': ['user', 'include_locale'],
}

const KINDS = { channel: 'channels', private: 'groups', im: 'im', mpim: 'mpim' } as const

/** Scope of a bot token that a method asks for (docs.slack.dev/reference/methods); of `*`, the one for the kind of channel. */
const scopes: Readonly<Record<string, string>> = {
  'agents.sessions.rename': 'chat:write',
  'agents.sessions.setStatus': 'chat:write',
  'assistant.threads.setStatus': 'assistant:write',
  'assistant.threads.setSuggestedPrompts': 'assistant:write',
  'chat.appendStream': 'chat:write',
  'chat.delete': 'chat:write',
  'chat.postEphemeral': 'chat:write',
  'chat.postMessage': 'chat:write',
  'chat.startStream': 'chat:write',
  'chat.stopStream': 'chat:write',
  'chat.unfurl': 'links:write',
  'chat.update': 'chat:write',
  'conversations.history': '*:history',
  'conversations.info': '*:read',
  'conversations.members': '*:read',
  'conversations.open': 'im:write',
  'conversations.replies': '*:history',
  'files.completeUploadExternal': 'files:write',
  'files.getUploadURLExternal': 'files:write',
  'files.info': 'files:read',
  'files.list': 'files:read',
  'reactions.add': 'reactions:write',
  'reactions.remove': 'reactions:write',
  'users.conversations': 'channels:read',
  'users.info': 'users:read',
}

export const scopeFor = (method: string, kind: ChannelKind = 'channel'): string | undefined =>
  scopes[method]?.replace('*', KINDS[kind])

/** Sent along by SDKs everywhere and ignored by Slack where they mean nothing. */
const everywhere = new Set(['token', 'team_id'])

export const isMethod = (method: string): boolean => Object.hasOwn(known, method)

export function unknownFields(method: string, args: object): string[] {
  const allowed = known[method] ?? []
  return Object.keys(args).filter((name) => !everywhere.has(name) && !allowed.includes(name))
}
