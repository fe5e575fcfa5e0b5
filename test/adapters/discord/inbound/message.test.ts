import { describe, expect, test } from 'vitest'
import { readMentions, toAuthor } from '#adapters/discord/inbound/message.ts'
import { staysLinear } from '#test/adapters/hostile-text.ts'

const NAMES = { me: '1', channelName: () => undefined, role: () => ({ name: 'crew', ours: false }) }
const user = (id: string, name: string) => ({ id, username: name, global_name: null })

test('people whom the text mentions are told, each once; ourselves, roles and replies are not', () => {
  const mentions = [user('1', 'us'), user('2', 'ben'), user('3', 'replied-to')]
  const heard = readMentions('<@1> ask group <@2>, <@!2> and <@&7>', { mentions, everyone: false }, NAMES)
  expect(heard).toMatchObject({
    text: 'ask group @ben, @ben and @crew',
    addressed: true,
    mentionsOthers: true,
    people: [{ id: '2', name: 'ben' }],
  })
})

test('a name of a person neither turns what stands behind it nor begins a line', () => {
  const odd = { id: '2', username: 'ben', global_name: 'Ben\u202E\nnimdA ' } as Parameters<typeof toAuthor>[0]
  expect(toAuthor(odd).name).toBe('Ben nimdA')
  expect(toAuthor(odd, '\u2066').name).toBe('Ben nimdA')
  expect(toAuthor({ ...odd, global_name: '\u200B' }).name).toBe('ben')
})

describe('hostile text takes no longer than other text', () => {
  staysLinear((text) => readMentions(text, { mentions: [], everyone: false }, NAMES))
})
