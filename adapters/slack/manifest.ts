/** Only scopes and events that this adapter uses. */
const SCOPES = [
  'app_mentions:read',
  // The agent view of a direct message, and its status line.
  'assistant:write',
  'channels:history',
  // Name, members and creator of a channel: with groups, im and mpim below.
  'channels:read',
  'chat:write',
  'files:read',
  // Files that we send.
  'files:write',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'mpim:history',
  'mpim:read',
  // A message marked with 📌 is saved.
  'reactions:read',
  // Names and languages of people, and the team of a guest.
  'users:read',
]

const EVENTS = [
  'agent_session_stopped',
  'app_mention',
  // A file is deleted while its message stays.
  'file_deleted',
  'message.channels',
  'message.groups',
  'message.im',
  'message.mpim',
  'reaction_added',
]

/** The app manifest for Socket Mode: to be pasted at api.slack.com/apps → "From a manifest". */
export function slackManifest(name = 'Footbridge') {
  return {
    _metadata: { major_version: 2 },
    display_information: { name, description: "Answers from your team's files, with references" },
    features: {
      bot_user: { display_name: name.toLowerCase(), always_online: true },
      app_home: { home_tab_enabled: false, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      // New apps have this view only; Bolt's `Assistant` serves the older one.
      agent_view: {
        agent_description: "Answers from your team's files, with references. Drop a file, ask, or record a voice clip.",
        suggested_prompts: [{ title: 'What can you do?', message: 'What can you help me with?' }],
      },
    },
    oauth_config: { scopes: { bot: SCOPES } },
    settings: {
      event_subscriptions: { bot_events: EVENTS },
      interactivity: { is_enabled: true },
      org_deploy_enabled: false,
      socket_mode_enabled: true,
      token_rotation_enabled: false,
    },
  }
}
