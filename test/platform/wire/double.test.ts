import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { chatResponse, chatStreamEvent } from '#platform/wire/chat.ts'
import { receivedCollection, fileList } from '#platform/wire/collections.ts'
import { conversionResult } from '#platform/wire/documents.ts'
import { modelList } from '#platform/wire/models.ts'
import { createPaths, PROFILE_NAMES, PROFILES } from '#platform/wire/profile.ts'
import { userProfile } from '#platform/wire/service.ts'
import { startPlatformDouble } from '#test/doubles/platform/double.ts'

// The double is only worth something while its ordinary answers fit the contract to the letter.
describe.each(PROFILE_NAMES)('the double in the profile %s', (name) => {
  const profile = PROFILES[name]
  const paths = createPaths(profile)

  async function start() {
    const double = await startPlatformDouble({ profile: name })
    onTestFinished(() => double.close())
    return async (
      method: string,
      path: string,
      init: { bearer?: boolean; body?: string | FormData; headers?: object } = {},
    ) =>
      fetch(double.baseUrl + path, {
        method,
        headers: { ...init.headers, authorization: `${init.bearer === true ? 'Bearer ' : ''}${double.key}` },
        ...(init.body === undefined ? {} : { body: init.body }),
      })
  }
  const json = { 'content-type': 'application/json' }

  test('answers management to the letter', async () => {
    const call = await start()
    await call('POST', paths.collections, { headers: json, body: '{"name":"c"}' })
    const form = new FormData()
    form.append('file', new File(['one\n\ntwo'], 'a.md', { type: 'text/markdown' }))
    expect((await call('POST', paths.files('c'), { body: form })).status).toBe(200)
    expect((await call('POST', paths.generateIndex('c'))).status).toBe(200)
    const files = z.array(fileList.element).parse(await (await call('GET', paths.files('c'))).json())
    expect(files).toMatchObject([{ name: 'a.md', index_info: { index_status: 'INDEXED', chunks_indexed: 2 } }])
    receivedCollection.parse(await (await call('GET', paths.collection('c'))).json())
    const beat = await call('GET', paths.heartbeat)
    expect([beat.status, await beat.text()]).toEqual([204, ''])
    userProfile.parse(await (await call('GET', paths.user, { bearer: true })).json())
  })

  test('refuses the wrong form of the key', async () => {
    const call = await start()
    expect((await call('GET', paths.collections, { bearer: true })).status).toBe(401)
    expect((await call('GET', paths.models)).status).toBe(401)
  })

  test('answers models, chat, probe and conversion to the letter', async () => {
    const call = await start()
    modelList.parse(await (await call('GET', paths.models, { bearer: true })).json())
    const probe = await call('GET', paths.chat, { bearer: true })
    expect([probe.status, probe.headers.get('x-ratelimit-limit-month')]).toEqual([400, '3000'])
    const ask = (stream: boolean) =>
      call('POST', paths.chat, {
        bearer: true,
        headers: json,
        body: JSON.stringify({ model: 'double-model', messages: [{ role: 'user', content: 'x' }], stream }),
      })
    chatResponse.parse(await (await ask(false)).json())
    const events = (await (await ask(true)).text()).match(/(?<=^data: )\{.*$/gm) ?? []
    expect(events.length).toBeGreaterThan(3)
    for (const event of events) chatStreamEvent.parse(JSON.parse(event))
    const form = new FormData()
    form.append('document', new File(['x'], 'a.docx'))
    conversionResult.parse(await (await call('POST', paths.convert, { bearer: true, body: form })).json())
  })

  test('retrieves nothing, and does not say so, when one of the three additions is missing', async () => {
    const call = await start()
    await call('POST', paths.collections, { headers: json, body: '{"name":"c"}' })
    const whole = { 'enable-tools': true, [profile.chatObject]: { id: 'alice/c' } }
    const answer = async (additions: object, headers: object) => {
      const messages = [{ role: 'user', content: 'x' }]
      const body = JSON.stringify({ model: 'double-model', messages, ...additions })
      const response = await call('POST', paths.chat, { bearer: true, headers: { ...json, ...headers }, body })
      return chatResponse.parse(await response.json()).choices[0]?.message.content
    }
    const header = { 'inference-service': 'saia-openai-gateway' }
    expect(await answer(whole, header)).toBe('The files do not say.')
    expect(await answer(whole, {})).toBe('You said: x')
    expect(await answer({ ...whole, 'enable-tools': false }, header)).toBe('You said: x')
    expect(await answer({ 'enable-tools': true }, header)).toBe('You said: x')
  })
})
