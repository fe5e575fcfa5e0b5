import { expect, test } from 'vitest'
import { slackManifest } from '../../../adapters/slack/manifest.ts'

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
    file_deleted: 'files:read',
    'message.channels': 'channels:history',
    'message.groups': 'groups:history',
    'message.im': 'im:history',
    'message.mpim': 'mpim:history',
    agent_session_stopped: 'assistant:write',
    reaction_added: 'reactions:read',
    // Slack asks for no scope of its own.
    app_home_opened: 'chat:write',
  }
  expect(settings.event_subscriptions.bot_events.toSorted()).toEqual(Object.keys(scopeOf).toSorted())
  for (const scope of Object.values(scopeOf)) expect(oauth.scopes.bot).toContain(scope)
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
