import { describe, expect, test } from 'vitest'
import { createMessageReader, mentionsOthers, toMarkdown } from '#adapters/slack/inbound/message.ts'
import type { Api } from '#adapters/slack/api.ts'
import type { Identity } from '#adapters/slack/config.ts'
import type { Directory } from '#adapters/slack/directory.ts'
import { staysLinear } from '#test/adapters/hostile-text.ts'
import { setScene } from '../scene.ts'

const own = 'U0BOT'
const read = (text: string, names: [string, string][] = []) => toMarkdown(text, own, new Map(names))

describe('what people write', () => {
  test.each([
    ['<@U0BOT> how long?', 'how long?'],
    ['ask <@U0BOT|footbridge> about it', 'ask about it'],
    ['<@U1ADA> said so', '@Ada said so'],
    ['<@U9|grace> said so', '@grace said so'],
    ['see <#C1|ferry> and <#C2>', 'see #ferry and #C2'],
    ['<!here> and <!subteam^S1|@crew>', '@here and @crew'],
    ['on <!date^1392734382^{date}|Feb 18>', 'on Feb 18'],
    ['<https://a.example/x?y=1&amp;z=2|the page>', '[the page](https://a.example/x?y=1&z=2)'],
    ['<https://a.example>', 'https://a.example'],
    ['<http://a.example|a.example>', 'http://a.example'],
    ['<mailto:ada@a.example|ada@a.example>', 'ada@a.example'],
    ['1 &lt; 2 &amp;&amp; 3 &gt; 2', '1 < 2 && 3 > 2'],
    ['&amp;lt; stays', '&lt; stays'],
    ['*bold* and ~gone~ and _slanted_', '**bold** and ~~gone~~ and _slanted_'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['• one\n• two', '- one\n- two'],
    ['`a *b* <http://c.example>`', '`a *b* http://c.example`'],
    ['```x &lt; *y*```', '```x < *y*```'],
    ['<@U0BOT>', ''],
  ])('%s reads as %s', (slack, markdown) => {
    expect(read(slack, [['U1ADA', 'Ada']])).toBe(markdown)
  })

  test('a mention of somebody else, of a group or of everyone is noticed, ours is not', () => {
    expect(mentionsOthers('<@U0BOT> hello', own)).toBe(false)
    for (const text of ['<@U1> hello', '<@W1|w>', '<!subteam^S1>', '<!here>', '<!channel|@channel>'])
      expect(mentionsOthers(text, own)).toBe(true)
  })
})

describe('hostile text takes no longer than other text', () => {
  staysLinear((text) => [read(text), mentionsOthers(text, own)])
})

test('a message names the people whom it mentions, each once, ourselves left out', async () => {
  const { adapter, channel, ada, slack, inbounds, receive } = await setScene()
  await adapter.start(receive)
  const ben = slack.addUser({ name: 'Ben' }).id
  await slack.say({ channel, user: ada, text: `ask group <@${ben}> and <@${ben}>`, mention: true }).acked
  expect(inbounds.at(-1)).toMatchObject({
    message: { text: 'ask group @Ben and @Ben', mentions: [{ id: ben, name: 'Ben' }] },
  })
  await slack.say({ channel, user: ada, text: 'nobody', mention: true }).acked
  expect(inbounds.at(-1)).toMatchObject({ message: expect.not.objectContaining({ mentions: [] }) })
})

test('whoever knows the writer of a message says so: Slack is not asked for it once more', async () => {
  const asked: string[] = []
  const find = async (id: string) => (asked.push(id), { name: 'Ada', bot: false })
  const api = {} as Api
  const directory = { find, channelName: async () => undefined } as unknown as Directory
  const identity = { team: 'T1', userId: 'U0BOT', botId: 'B0BOT' } as unknown as Identity
  const messages = createMessageReader({ identity, api, directory })
  const wire = { user: 'U1', bot_id: 'B0APP', ts: '1.2', text: 'how long?' }
  const conversation = messages.conversationOf('C1', '1.2')
  await expect(messages.toMessage(wire, conversation)).resolves.toMatchObject({ author: { name: 'Ada' } })
  expect(asked.splice(0)).toEqual(['U1', 'U1'])
  await expect(messages.toMessage(wire, conversation, 'person')).resolves.toMatchObject({ author: { name: 'Ada' } })
  expect(asked).toEqual(['U1'])
})
