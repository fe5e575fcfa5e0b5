import { expect, test } from 'vitest'
import { slackManifest } from '../../../adapters/slack/manifest.ts'

test('the manifest asks for what the adapter uses, over Socket Mode, in the agent view', () => {
  const manifest = slackManifest('Ferry')
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
  }
  expect(settings.event_subscriptions.bot_events.toSorted()).toEqual(Object.keys(scopeOf).toSorted())
  for (const scope of Object.values(scopeOf)) expect(oauth.scopes.bot).toContain(scope)
})
