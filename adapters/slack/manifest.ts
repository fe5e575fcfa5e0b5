import { COMMAND, type SHORTCUTS } from './inbound/commands.ts'
import { ENTITY_TYPES, EVENTS_PATH, REDIRECT_PATH } from './config.ts'

/** Only scopes and events that this adapter uses. */
export const SCOPES = [
  'app_mentions:read',
  // The agent view of a direct message, and its status line.
  'assistant:write',
  'channels:history',
  // Name, members and creator of a channel: with groups, im and mpim below.
  'channels:read',
  'chat:write',
  // `/footbridge`, and shortcuts on a message.
  'commands',
  'files:read',
  // Files that we send.
  'files:write',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  // Prompts in the agent tab.
  'im:write',
  'mpim:history',
  'mpim:read',
  // A message marked with 📌 is saved.
  'reactions:read',
  // 👀 on a question that is not addressed to us, while the files are searched.
  'reactions:write',
  // Names and languages of people, and the team of a guest.
  'users:read',
]

const EVENTS = [
  'agent_session_stopped',
  // Prompts for the channel that is open next to the agent tab.
  'app_context_changed',
  'app_home_opened',
  'app_mention',
  // A channel that is closed or deleted has nothing under way; a deleted one has no knowledge.
  'channel_archive',
  'channel_deleted',
  'channel_left',
  // A channel that more people may read is frozen until an administrator opens its files.
  'channel_shared',
  'channel_unshared',
  // A file is deleted while its message stays, or taken out of a channel.
  'file_deleted',
  'file_unshared',
  'group_archive',
  'group_deleted',
  'group_left',
  'message.channels',
  'message.groups',
  'message.im',
  'message.mpim',
  'reaction_added',
  // Somebody became a guest, or has another name.
  'user_change',
]

/** Cards for links to answers on the page: only an app with an outside address has those. */
const LINK_SCOPES = ['links:read', 'links:write']
/** Scopes of an app with an outside address. */
export const ALL_SCOPES = [...SCOPES, ...LINK_SCOPES].toSorted()
/** Only where workspaces install the app themselves: their data is deleted then. */
const DEPARTURES = ['app_uninstalled', 'team_access_revoked', 'tokens_revoked']

const eventsOf = (hasAddress: boolean, many: boolean) =>
  [
    ...EVENTS,
    ...(hasAddress ? ['entity_details_requested', 'link_shared'] : []),
    ...(many ? DEPARTURES : []),
  ].toSorted()

/** Shortcuts on a message, with the names that people read in its menu. */
const SHORTCUT_NAMES: Readonly<Record<keyof typeof SHORTCUTS, string>> = {
  'fb:ask': 'Ask about this',
  'fb:save': 'Keep as knowledge',
  'fb:translate': 'Translate',
}

export interface ManifestOptions {
  /** Default `Footbridge`. */
  readonly name?: string
  /** Outside address: then events come over HTTP. Absent: Socket Mode. */
  readonly url?: string
  /** Several workspaces install the app at this address; their tokens rotate. */
  readonly many?: boolean
}

/** The app manifest: to be pasted at api.slack.com/apps → "From a manifest". */
export function slackManifest({ name = 'Footbridge', url, many = false }: ManifestOptions = {}) {
  const address = url === undefined ? {} : { url: `${url}${EVENTS_PATH}` }
  const request = url === undefined ? {} : { request_url: `${url}${EVENTS_PATH}` }
  return {
    _metadata: { major_version: 2 },
    display_information: { name, description: "Answers from your team's files, with references" },
    features: {
      bot_user: { display_name: name.toLowerCase(), always_online: true },
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      // New apps have this view only; Bolt's `Assistant` serves the older one.
      agent_view: {
        agent_description: "Answers from your team's files, with references. Drop a file, ask, or record a voice clip.",
        suggested_prompts: [{ title: 'What can you do?', message: 'What can you help me with?' }],
      },
      slash_commands: [
        {
          command: COMMAND,
          description: 'Ask privately, see files, change settings',
          usage_hint: '[ask | files | forget | retry | collection | model | usage | language | settings | help]',
          should_escape: true,
          ...address,
        },
      ],
      ...(url === undefined
        ? {}
        : {
            unfurl_domains: [new URL(url).hostname],
            rich_previews: { is_active: true, entity_types: Object.values(ENTITY_TYPES) },
          }),
      shortcuts: Object.entries(SHORTCUT_NAMES).map(([callback_id, label]) => ({
        name: label,
        type: 'message',
        callback_id,
        description: `${label}, by ${name}`.slice(0, 150),
      })),
    },
    oauth_config: {
      ...(many ? { redirect_urls: [`${url}${REDIRECT_PATH}`] } : {}),
      scopes: { bot: url === undefined ? SCOPES : ALL_SCOPES },
    },
    settings: {
      event_subscriptions: { bot_events: eventsOf(url !== undefined, many), ...request },
      interactivity: { is_enabled: true, ...request },
      org_deploy_enabled: many,
      socket_mode_enabled: url === undefined,
      token_rotation_enabled: many,
    },
  }
}
