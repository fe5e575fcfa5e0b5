import { expect, test } from 'vitest'
import { slackManifest } from '#adapters/slack/manifest.ts'

test('the manifest asks for what the adapter uses, over Socket Mode, in the agent view', () => {
  const manifest = slackManifest({ name: 'Ferry' })
  expect(JSON.parse(JSON.stringify(manifest))).toEqual(manifest)
  expect(manifest.display_information.name).toBe('Ferry')
  expect(manifest.settings).toMatchObject({ socket_mode_enabled: true, interactivity: { is_enabled: true } })
  expect(manifest.features.agent_view.agent_description.length).toBeLessThanOrEqual(300)
  expect(manifest.features).not.toHaveProperty('assistant_view')
  expect(manifest.oauth_config.scopes.bot).toEqual(manifest.oauth_config.scopes.bot.toSorted())
})

test('each event comes with the scope that Slack asks for it', () => {
  const { oauth_config: oauth, settings } = slackManifest()
  const scopeOf: Record<string, string> = {
    app_mention: 'app_mentions:read',
    channel_archive: 'channels:read',
    channel_deleted: 'channels:read',
    channel_left: 'channels:read',
    channel_shared: 'channels:read',
    channel_unshared: 'channels:read',
    file_deleted: 'files:read',
    file_unshared: 'files:read',
    group_archive: 'groups:read',
    group_deleted: 'groups:read',
    group_left: 'groups:read',
    'message.channels': 'channels:history',
    'message.groups': 'groups:history',
    'message.im': 'im:history',
    'message.mpim': 'mpim:history',
    agent_session_stopped: 'assistant:write',
    reaction_added: 'reactions:read',
    user_change: 'users:read',
    // Slack asks for no scope of its own.
    app_home_opened: 'chat:write',
    app_context_changed: 'assistant:write',
  }
  expect(settings.event_subscriptions.bot_events.toSorted()).toEqual(Object.keys(scopeOf).toSorted())
  for (const scope of Object.values(scopeOf)) expect(oauth.scopes.bot).toContain(scope)
})

test('an app with an outside address shows cards for its links, another asks for none of that', () => {
  const manifest = slackManifest({ url: 'https://footbridge.example.org/app' })
  expect(manifest.features).toMatchObject({
    unfurl_domains: ['footbridge.example.org'],
    rich_previews: { is_active: true, entity_types: ['slack#/entities/content_item', 'slack#/entities/file'] },
  })
  expect(manifest.settings.event_subscriptions.bot_events).toEqual(
    expect.arrayContaining(['entity_details_requested', 'link_shared']),
  )
  expect(manifest.oauth_config.scopes.bot).toEqual(expect.arrayContaining(['links:read', 'links:write']))
  expect(JSON.stringify(slackManifest())).not.toMatch(/unfurl|link/)
})

test('over HTTP each address is ours', () => {
  const url = 'https://footbridge.example.org'
  const manifest = slackManifest({ url })
  const events = { request_url: `${url}/slack/events` }
  expect(manifest.settings).toMatchObject({
    socket_mode_enabled: false,
    event_subscriptions: events,
    interactivity: events,
  })
  expect(manifest.features.slash_commands).toMatchObject([{ command: '/footbridge', url: `${url}/slack/events` }])
})

test('names and descriptions are as long as Slack takes them', () => {
  const { features } = slackManifest()
  for (const { name, description } of features.shortcuts) {
    expect(name.length).toBeLessThanOrEqual(24)
    expect(description.length).toBeLessThanOrEqual(150)
  }
  for (const { description, usage_hint: hint } of features.slash_commands) {
    expect(description.length).toBeLessThanOrEqual(2000)
    expect(hint.length).toBeLessThanOrEqual(1000)
  }
})

test('for several workspaces: where they come back to, tokens that rotate, and the events of leaving', () => {
  const manifest = slackManifest({ url: 'https://footbridge.example.org', many: true })
  expect(manifest.oauth_config).toMatchObject({
    redirect_urls: ['https://footbridge.example.org/slack/oauth_redirect'],
  })
  expect(manifest.settings).toMatchObject({ token_rotation_enabled: true, org_deploy_enabled: true })
  expect(manifest.settings.event_subscriptions.bot_events).toEqual(
    expect.arrayContaining(['app_uninstalled', 'tokens_revoked', 'team_access_revoked', 'message.channels']),
  )
})
