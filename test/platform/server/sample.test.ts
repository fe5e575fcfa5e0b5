import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createPlatformClient } from '#platform/client/client.ts'
import { closeAtEnd } from '#test/support/close-at-end.ts'
import { openPlatform } from './platform.ts'

const at = (path: string) => new URL(`../../../${path}`, import.meta.url)
const FIRST = [
  ['How many days of annual leave do we get?', '28 days of annual leave'],
  ['Do taxi rides need approval?', 'Taxi rides above 60 pounds need prior approval'],
] as const

it('the first questions of the README are answered from the file that ships', async () => {
  const readme = readFileSync(at('README.md'), 'utf8')
  const platform = closeAtEnd(await openPlatform({ over: 'socket' }))
  const client = closeAtEnd(
    createPlatformClient({ baseUrl: `${platform.url}/v1`, apiKey: platform.key, profile: 'collection' }),
  )
  const { id } = await client.collections.create('sample')
  const bytes = new Blob([readFileSync(at('docs/sample/handbook.pdf'))])
  await client.files.upload('sample', { name: 'handbook.pdf', mimeType: 'application/pdf', bytes })
  await client.collections.generateIndex('sample')
  for (const [question, passage] of FIRST) {
    expect(readme).toContain(question)
    const messages = [{ role: 'user', content: question }]
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    await expect
      .poll(async () => {
        const reply = await platform.call('POST', '/v1/chat/completions', {
          json: { model: 'extractive', collection: id, messages },
        })
        const { choices } = (await reply.json()) as { choices?: { message: { content: string } }[] }
        // Nearest passages are listed below a refusal, too: what counts is what it says.
        return choices?.[0]?.message.content.split('References:')[0]?.replaceAll(/\s+/g, ' ')
      })
      .toContain(passage)
  }
})
