import { expect, test } from 'vitest'
import { all, setUp } from './setup.ts'

const image = 'data:image/png;base64,iVBORw0KGgo='

test('pictures beside a question go out as OpenAI has them, and plain text stays plain', async () => {
  const { client, double } = await setUp()
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What is this?', images: [image] },
  ] as const
  const events = await all(client.chat.stream({ model: 'double-model', messages, maxTokens: 8 }))
  const request = await double.seen('chat')
  expect(request.json).toMatchObject({
    max_tokens: 8,
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: image } },
        ],
      },
    ],
  })
  expect(JSON.stringify(request.json)).not.toContain('"images"')
  expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')).toBe(
    'You said: What is this?',
  )
})
