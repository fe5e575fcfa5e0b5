import { expect, test } from 'vitest'
import edited from '#test/reports/chat/slack-edit-adds-mention.json' with { type: 'json' }
import forwarded from '#test/reports/chat/slack-forward-file.json' with { type: 'json' }
import links from '#test/reports/chat/links-to-messages.json' with { type: 'json' }
import talk from '#test/reports/chat/thread-talk-between.json' with { type: 'json' }
import { withBridge } from './with-bridge.ts'

type Scene = Awaited<ReturnType<typeof withBridge>>
const told = ({ platform }: Scene) => JSON.stringify(platform.script.requests.at(-1)?.messages)

test.each(['changed-first', 'mention-first', 'changed-only', 'mention-only'] as const)(
  'an edit that adds the mention is answered once (%s)',
  async (order) => {
    const scene = await withBridge()
    const { slack, channel, ada, platform, sees } = scene
    platform.script.answer('A winch.', 'A second answer.')
    const [before] = edited.events
    const { ts } = slack.say({ channel, user: ada, text: before?.text })
    slack.editMessage(channel, ts, `<@${slack.botUserId}> ${before?.text}`, order)
    await sees(/A winch/)
    // A second answer would have begun before the one to the next question.
    platform.script.answer('Next.')
    slack.say({ channel, user: ada, text: 'And what is a bollard?', mention: true, order: 'message-only' })
    await slack.until(() => slack.transcript(channel).filter(({ own, streaming }) => own && !streaming).length === 2)
    expect(platform.script.requests).toHaveLength(2)
  },
)

test('a forwarded file is kept, also alone in a direct message', async () => {
  const { slack, direct, ada, sees } = await withBridge()
  const [wire] = forwarded.event.attachments
  const file = slack.hostFile('# Tides', 'shared-tides.md', 'text/markdown')
  slack.say({ channel: direct, user: ada, text: '', kept: { attachments: [{ ...wire, files: [file] }] } })
  expect(await sees(/shared-tides\.md.*(?:ready|bereit)/, direct)).toMatchObject({ own: true })
})

test('what is said in a thread between two answers is known', async () => {
  const scene = await withBridge()
  const { slack, channel, ada, platform, sees } = scene
  platform.script.answer('A winch.', 'It is right.')
  const ben = slack.addUser({ name: 'Ben' }).id
  const [first = '', between = '', then = ''] = talk.steps.map((step) => step.replace(/^[^:]+: (?:<@BOT> )?/, ''))
  const { ts: thread } = slack.say({ channel, user: ada, text: first.replace(/ -> .*/, ''), mention: true })
  await sees(/A winch/)
  slack.say({ channel, user: ben, thread, text: between })
  slack.say({ channel, user: ben, thread, text: then, mention: true })
  await sees(/It is right/)
  expect(told(scene)).toContain('Ben: I was told the capstan must be oiled with ZOIL44')
  expect(told(scene).match(/A winch/g)).toHaveLength(1)
})

test('a message that the question links to is read where its people may read it', async () => {
  const scene = await withBridge()
  const { slack, channel, ada, platform, sees } = scene
  platform.script.answer('Oil.', 'Nothing.')
  const secret = slack.addChannel({ kind: 'private', name: 'secret' })
  slack.workspace.channel(secret).members.add(ada)
  const here = slack.say({ channel, user: ada, text: 'The capstan takes ZOIL44.' })
  const there = slack.say({ channel: secret, user: ada, text: 'The vault takes ZKEY55.' })
  const [, text = ''] = links.texts
  const ask = (place: string, ts: string) => {
    const address = text.replace('<@UBOT> ', '').replace('/C1/p1700000000000100', `/${place}/p${ts.replace('.', '')}`)
    slack.say({ channel, user: ada, text: address, mention: true })
  }
  ask(channel, here.ts)
  await sees(/Oil/)
  expect(told(scene)).toContain('ZOIL44')
  ask(secret, there.ts)
  await sees(/Nothing/)
  expect(told(scene)).not.toContain('ZKEY55')
})
