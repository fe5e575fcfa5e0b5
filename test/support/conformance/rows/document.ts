import assert from 'node:assert/strict'
import { onlyOurs, type Row } from '../row.ts'

interface Description {
  readonly info: { readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, object>>
  readonly webhooks?: unknown
}

export const documentRows: readonly Row[] = [
  onlyOurs([135, 153], 'the OpenAPI document names no webhook and says what a version promises', async (s) => {
    const reply = await s.call('GET', `${s.root}/openapi.json`, { credential: 'none' })
    assert.equal(reply.status, 200)
    const description = reply.json as Description
    assert.equal(description.webhooks, undefined)
    assert.match(description.info.description, /no webhooks/i)
    assert.match(description.info.description, /`v1` .*only (?:ever )?adds/)
    const { version } = (await s.call('GET', s.paths.version)).json as { version: string }
    assert.equal(description.info.version, version)
  }),
]
