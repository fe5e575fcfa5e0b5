import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPlatform, type TestPlatform } from '../platform.ts'

const MEGABYTE = 1024 * 1024
const picture = (bytes: number) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${'A'.repeat(bytes)}` },
})

const ask = (content: unknown) => JSON.stringify({ model: 'double-chat', messages: [{ role: 'user', content }] })

describe('a JSON body', () => {
  let platform: TestPlatform
  beforeAll(async () => {
    platform = await openPlatform({ over: 'socket', withUpstream: true })
  })
  afterAll(() => platform.close())

  const chat = async (text: string) => {
    const response = await platform.call('POST', '/v1/chat/completions', {
      bearer: true,
      headers: { 'content-type': 'application/json' },
      body: text,
    })
    const body = (await response.json()) as { detail: unknown; error: { message: string } }
    return { status: response.status, body, answerBytes: JSON.stringify(body).length }
  }

  it('of two million wrong messages is refused before it is decoded', async () => {
    const { status, body } = await chat(`{"model":"m","messages":[${'0,'.repeat(450_000)}0]}`)
    expect(status).toBe(413)
    expect(body.error.message).toBe('The body holds more than 100000 values: send less at once.')
  })

  it('tells at most twenty of its faults', async () => {
    const { status, body, answerBytes } = await chat(`{"model":"m","messages":[${'0,'.repeat(90_000)}0]}`)
    expect(status).toBe(422)
    expect(body.detail).toHaveLength(20)
    expect(answerBytes).toBeLessThan(5_000)
  })

  it('is refused for its depth before it is decoded', async () => {
    const { status, body } = await chat('['.repeat(200_000))
    expect(status).toBe(400)
    expect(body.error.message).toBe('The body is nested deeper than 200 levels.')
  })

  it('of more than 1 MB is refused, unless it brings pictures', async () => {
    const { status, body } = await chat(ask('a'.repeat(MEGABYTE)))
    expect(status).toBe(413)
    expect(body.error.message).toBe('The request is larger than 1 MB: send less at once.')
    const withPicture = await chat(ask([{ type: 'text', text: 'What is this?' }, picture(3 * MEGABYTE)]))
    expect(withPicture.status).toBe(200)
  })

  it('of more than 1 MB beside its pictures is refused', async () => {
    const text = { type: 'text', text: 'a'.repeat(MEGABYTE) }
    const { status } = await chat(ask([text, picture(1000)]))
    expect(status).toBe(413)
  })

  it('of a management call has 1 MB at most', async () => {
    const response = await platform.call('POST', '/collections/api/v1/collection/', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'a'.repeat(MEGABYTE) }),
    })
    expect(response.status).toBe(413)
  })
})
