import { describe, expect, it } from 'vitest'
import type { SlackDouble } from '#test/doubles/slack/double.ts'
import type { Json } from '#test/doubles/slack/types.ts'
import { cited } from '#test/support/bridge/set-up.ts'
import { withBridge } from './with-bridge.ts'

const wordsIn = (view: Json | undefined): string =>
  JSON.stringify(view?.['blocks'] ?? [])
    .match(/"text":"(?:[^"\\]|\\.)*"/g)
    ?.join('\n') ?? ''

const prompts = (slack: SlackDouble) =>
  slack.callsOf('assistant.threads.setSuggestedPrompts').map(({ args }) => args['prompts'] as Json[])

describe('App Home', () => {
  it('shows a person their channels with files and states, open questions and limits, and nothing of others', async () => {
    const { slack, ada, platform, channel, drop, sees } = await withBridge({
      budgets: { person: [{ kind: 'questions', most: 40, span: 'hour' }] },
    })
    slack.workspace.users.set(ada, { ...slack.addUser({ id: ada, name: 'Ada', locale: 'en-GB' }), owner: true })
    const secret = slack.addChannel({ kind: 'private', name: 'board' })
    await drop('mole.md', '# The mole')
    const ben = slack.addUser({ name: 'Ben' }).id
    slack.say({ channel: secret, user: ben, files: [slack.hostFile('# Secret', 'secret.md', 'text/markdown')] })
    await sees(/secret\.md.*ready/, secret)
    platform.script.answer('NOT_IN_FILES')
    slack.say({ channel, user: ada, text: 'Who paints the *mole*?', mention: true })
    await sees(/\[Ask a person\]/)
    slack.openHome(ada)
    const view = await slack.until(() => slack.workspace.homes.get(ada), 'a home')
    const words = wordsIn(view)
    expect(words).toContain('*#ferry* — 1 file ready · 1 question not answered')
    expect(words).toContain('mole.md')
    expect(words).toContain('Who paints the')
    expect(words).toContain('1 of 40 questions an hour used.')
    expect(words).not.toMatch(/secret|board/)
    expect(await slack.until(() => prompts(slack).at(-1), 'prompts')).toEqual([
      { title: 'What does mole.md say? (#ferry)', message: 'ask in #ferry: What does mole.md say?' },
      { title: 'What can you help me with?', message: 'What can you help me with?' },
    ])
  })

  it('shows guests that they may not', async () => {
    const { slack } = await withBridge()
    const guest = slack.addUser({ name: 'Gus', guest: 'single' }).id
    slack.openHome(guest)
    const view = await slack.until(() => slack.workspace.homes.get(guest), 'a home')
    expect(wordsIn(view)).toMatch(/Guests may not use me here/)
  })
})

describe('the settings of a channel', () => {
  it('open in a dialog from App Home, and are saved by who administers', async () => {
    const { slack, ada, drop, channel, direct, sees, store } = await withBridge()
    slack.workspace.users.set(ada, { ...slack.addUser({ id: ada, name: 'Ada', locale: 'en-GB' }), owner: true })
    await drop('mole.md', '# The mole')
    slack.openHome(ada)
    await slack.until(() => slack.workspace.homes.get(ada), 'a home')
    slack.pressHome(ada, 'Settings of #ferry')
    await slack.until(() => slack.dialog(ada)?.view['submit'], 'the filled dialog')
    slack.submitForm(ada, { listens: 'Every question that the files answer', language: 'German', guest: 'Ask' })
    await sees(/The settings of #ferry are saved/, direct)
    const kept = JSON.parse(
      (await store.preferences.get(`slack:${slack.teamId}:${channel}`, 'settings')) ?? '{}',
    ) as unknown
    expect(kept).toMatchObject({ listens: 'questions', language: 'de', guest: 'ask', digest: false })
    slack.say({ channel, user: ada, text: 'settings', mention: true })
    await sees(/Worauf ich antworte: \*\*Jede Frage/)
  })

  it('admit programs by their ids, and send away those that are not named any more', async () => {
    const { slack, ada, channel, sees, store } = await withBridge()
    slack.workspace.users.set(ada, { ...slack.addUser({ id: ada, name: 'Ada', locale: 'en-GB' }), owner: true })
    const kept = async () => {
      const json = await store.preferences.get(`slack:${slack.teamId}:${channel}`, 'settings')
      return (JSON.parse(json ?? '{}') as { readonly programs?: unknown }).programs
    }
    const types = async (programs: string) => {
      slack.command({ channel, user: ada, text: 'settings' })
      await sees(/The settings of this channel/)
      slack.pressButton({ channel, user: ada, button: 'Change settings' })
      await slack.until(() => slack.dialog(ada)?.view['submit'], 'the filled dialog')
      slack.submitForm(ada, { programs })
    }
    await types('U0DEPLOY all, b0alarm ask;')
    await expect.poll(kept).toEqual({ U0DEPLOY: 'all', B0ALARM: 'ask' })
    slack.command({ channel, user: ada, text: 'settings' })
    await sees(/Programs that may ask or add files[^\n]*: \*\*U0DEPLOY all, B0ALARM ask\*\*/)
    await types('B0ALARM all')
    await expect.poll(kept).toEqual({ U0DEPLOY: 'nothing', B0ALARM: 'all' })
    await types('B0ALARM ask, U0DEPLOY, somebody, U0OTHER all please')
    const unclear = 'The programs stay as they were: I don’t understand “U0DEPLOY, somebody, U0OTHER all please”'
    await sees(new RegExp(unclear))
    expect(await kept()).toEqual({ U0DEPLOY: 'nothing', B0ALARM: 'all' })
  })

  it('tell who does not administer that they can’t, in the dialog', async () => {
    const { slack, channel, ada, sees } = await withBridge()
    const ben = slack.addUser({ name: 'Ben', locale: 'en-GB' }).id
    slack.workspace.channel(channel).members.add(ben)
    slack.command({ channel, user: ada, text: 'settings' })
    await sees(/Einstellungen dieses Kanals/)
    slack.command({ channel, user: ben, text: 'settings' })
    await sees(/The settings of this channel/)
    slack.pressButton({ channel, user: ben, button: 'Change settings' })
    const text = await slack.until(() => {
      const view = JSON.stringify(slack.dialog(ben)?.view ?? {})
      return view.includes('administers') && view
    }, 'the reason')
    expect(text).toContain('Only somebody who administers this channel can do that.')
  })

  it('name the language in which a person is spoken to', async () => {
    const { slack, channel, ada, sees } = await withBridge()
    slack.command({ channel, user: ada, text: 'language' })
    await sees(/Ich spreche Deutsch mit dir/)
    slack.command({ channel, user: ada, text: 'language en' })
    await sees(/From now on: English/)
    slack.command({ channel, user: ada, text: 'language' })
    expect((await sees(/I speak English to you/)).ephemeralTo).toBe(ada)
  })
})

describe('a channel that uses the files of another', () => {
  it('is shown with those, in the home and in the prompts', async () => {
    const { slack, ada, store, sees } = await withBridge()
    const [north, south] = ['north', 'south'].map((name) => slack.addChannel({ kind: 'private', name }))
    if (north === undefined || south === undefined) throw new Error('There are no channels.')
    const drop = async (channel: string, name: string) => {
      slack.say({ channel, user: ada, files: [slack.hostFile('# Words', name, 'text/markdown')] })
      await sees(new RegExp(`${name}.*(?:ready|bereit)`), channel)
    }
    await drop(north, 'crane')
    await drop(south, 'buoy')
    const key = (channel: string) => `slack:${slack.teamId}:${channel}`
    const record = await store.channels.get(key(south))
    if (record === undefined) throw new Error('The channel is not known.')
    await store.channels.put({ ...record, linkedTo: key(north) })
    slack.openHome(ada)
    const words = wordsIn(await slack.until(() => slack.workspace.homes.get(ada), 'a home'))
    expect(words).toMatch(/#north[^]*crane[^]*#south[^]*crane/)
    expect(words).not.toContain('buoy')
  })
})

describe('prompts in the agent tab', () => {
  it('are questions to the files of the channel that the person looks at, and are answered from them', async () => {
    const { slack, ada, platform, channel, direct, drop, sees } = await withBridge()
    slack.workspace.users.set(ada, { ...slack.addUser({ id: ada, name: 'Ada', locale: 'en-GB' }) })
    const harbour = slack.addChannel({ kind: 'private', name: 'harbour' })
    const board = slack.addChannel({ kind: 'private', name: 'board' })
    await drop('mole.md', '# The mole')
    slack.say({ channel: harbour, user: ada, files: [slack.hostFile('# Cranes', 'cranes.md', 'text/markdown')] })
    await sees(/cranes\.md.*(?:ready|bereit)/, harbour)
    const ben = slack.addUser({ name: 'Ben' }).id
    slack.say({ channel: board, user: ben, files: [slack.hostFile('# Secret', 'secret.md', 'text/markdown')] })
    await sees(/secret\.md.*ready/, board)

    for (const around of [false, true]) slack.lookAt(ada, harbour, around)
    const seen = await slack.until(() => prompts(slack).length === 2 && prompts(slack)[1], 'prompts')
    expect(prompts(slack)[0]).toEqual(seen)
    expect(seen[0]).toEqual({ title: 'What does cranes.md say?', message: 'ask in #harbour: What does cranes.md say?' })
    expect(slack.workspace.homes.size).toBe(0)
    slack.lookAt(ada, channel)
    const others = await slack.until(() => prompts(slack)[2], 'prompts')
    expect(others.map(({ title }) => title)).toEqual(['What does mole.md say?', 'What can you help me with?'])
    // Of a channel that she is not in, nothing is told.
    slack.lookAt(ada, board)
    expect(JSON.stringify(await slack.until(() => prompts(slack)[3], 'prompts'))).not.toMatch(/secret|board/)

    platform.script.answer(cited('They lift 12 tons.', 'cranes.md', '# Cranes'))
    slack.say({ channel: direct, user: ada, text: 'ask in #harbour: how much do the cranes lift?' })
    await sees(/They lift 12 tons\.[^]*#harbour/, direct)
    slack.say({ channel: direct, user: ada, text: 'ask in #board: what is secret?' })
    await sees(/I don’t know that channel/, direct)
  })

  it('stay as they are where a guest looks on, or what is looked at is no channel', async () => {
    const { slack, channel, ada } = await withBridge()
    const guest = slack.addUser({ name: 'Gus', guest: 'single' }).id
    await slack.lookAt(guest, channel).acked
    const canvas = { type: 'slack#/types/canvas_id', value: 'F1' }
    const event = { type: 'app_context_changed', user: ada, event_ts: '1.1' }
    await slack.sendEvent({ ...event, context: { entities: [canvas] } }).acked
    await slack.sendEvent({ ...event, event_ts: '1.2', context: {} }).acked
    const message = { type: 'slack#/types/message_context', value: { channel_id: channel, message_ts: '1.1' } }
    slack.sendEvent({ ...event, event_ts: '1.3', context: { entities: [canvas, message] } })
    await slack.until(() => prompts(slack)[0], 'prompts')
    expect(prompts(slack)).toEqual([[{ title: 'Wobei kannst du mir helfen?', message: 'Wobei kannst du mir helfen?' }]])
  })
})

it('a session in the agent tab is named after its first question, once it is there: Slack names none that is to come', async () => {
  const { slack, ada, direct, platform } = await withBridge()
  platform.script.answer('Forty minutes.')
  const said = slack.say({ channel: direct, user: ada, text: 'How long is the ferry?' })
  const title = await slack.until(() => slack.session(direct, said.ts)?.title, 'a title')
  expect(title).toBe('How long is the ferry?')
})
