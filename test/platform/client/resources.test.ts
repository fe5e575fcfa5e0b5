import { describe, expect, onTestFinished, test } from 'vitest'
import { createPlatformClient } from '#platform/client/client.ts'
import { PROFILE_NAMES } from '#platform/wire/profile.ts'
import { failureOf, setUp, textFile } from './setup.ts'

describe.each(PROFILE_NAMES)('in the profile %s', (profile) => {
  test('a collection is created, read, listed and deleted under its plain name or its id', async () => {
    const { client, double } = await setUp(profile)
    const created = await client.collections.create('handbook')
    expect(created).toMatchObject({ id: 'alice/handbook', name: 'handbook' })
    expect(await client.collections.get('alice/handbook')).toMatchObject({
      id: 'alice/handbook',
      owner: 'alice',
      fileCount: 0,
      index: { status: 'NOT_INDEXED', toolVersion: '0.4.18', vectorStoreVersion: '1.0.0' },
    })
    expect((await client.collections.list()).map(({ id }) => id)).toEqual(['alice/handbook'])
    await client.collections.delete('handbook')
    expect(double.collections.size).toBe(0)
    expect((await failureOf(client.collections.get('handbook'))).code).toBe('not-found')
  })

  test('creating a collection whose name exists is a conflict', async () => {
    const { client } = await setUp(profile)
    await client.collections.create('twice')
    expect(await failureOf(client.collections.create('twice'))).toMatchObject({ code: 'conflict' })
  })

  test('a file is uploaded, replaced, indexed, listed, downloaded and deleted', async () => {
    const { client, double } = await setUp(profile)
    const text = '---\ntitle: x\n---\nThe lamp burns kerosene.\n\nIt is lit at dusk.'
    await client.collections.create('lighthouse')
    await client.files.upload('lighthouse', textFile('lamp – Öl.md', 'old'))
    expect(await client.files.list('lighthouse')).toMatchObject([{ name: 'lamp – Öl.md', index: null }])
    await client.files.replace('alice/lighthouse', textFile('lamp – Öl.md', text))
    expect(await client.collections.generateIndex('lighthouse')).toBe('done')
    const [file] = await client.files.list('lighthouse')
    expect(file).toMatchObject({
      sizeBytes: Buffer.byteLength(text),
      owner: 'alice',
      index: { status: 'INDEXED', chunks: 2 },
    })
    expect(new Date(file?.updatedAt ?? '').getTime()).toBeGreaterThan(0)
    expect(Buffer.from(await client.files.download('lighthouse', 'lamp – Öl.md')).toString()).toBe(text)
    await client.collections.deleteIndex('lighthouse')
    expect(await client.files.list('lighthouse')).toMatchObject([{ index: null }])
    await client.files.delete('lighthouse', 'lamp – Öl.md')
    expect(double.collections.get('lighthouse')?.files.size).toBe(0)
    const again = await failureOf(client.files.delete('lighthouse', 'lamp – Öl.md'))
    expect(again).toMatchObject({ code: 'not-found', status: 404 })
  })

  test('uploading over an existing file is a conflict, replacing a missing one is not-found', async () => {
    const { client } = await setUp(profile)
    await client.collections.create('c')
    await client.files.upload('c', textFile('a.md', 'a'))
    expect((await failureOf(client.files.upload('c', textFile('a.md', 'b')))).code).toBe('conflict')
    expect((await failureOf(client.files.replace('c', textFile('b.md', 'b')))).code).toBe('not-found')
  })

  test('a file that could not be indexed says why', async () => {
    const { client } = await setUp(profile)
    await client.collections.create('c')
    await client.files.upload('c', textFile('blank.md', '  '))
    await client.collections.generateIndex('c')
    expect(await client.files.list('c')).toMatchObject([
      { index: { status: 'ERROR', chunks: 0, error: 'No text could be extracted' } },
    ])
  })

  test('a download runs into a stream and closes it', async () => {
    const { client } = await setUp(profile)
    await client.collections.create('c')
    const text = 'x'.repeat(300_000)
    await client.files.upload('c', textFile('big.txt', text, 'text/plain'))
    let sizeBytes = 0
    let closed = false
    const sink = new WritableStream<Uint8Array>({
      write(piece) {
        sizeBytes += piece.byteLength
      },
      close() {
        closed = true
      },
    })
    expect(await client.files.downloadTo('c', 'big.txt', sink)).toEqual({ sizeBytes: text.length })
    expect([sizeBytes, closed]).toEqual([text.length, true])
  })

  test('a failed download aborts the stream with the same error', async () => {
    const { client } = await setUp(profile)
    await client.collections.create('c')
    let reason: unknown
    const sink = new WritableStream<Uint8Array>({
      abort(why) {
        reason = why
      },
    })
    const error = await failureOf(client.files.downloadTo('c', 'missing.txt', sink))
    expect(error.code).toBe('not-found')
    expect(reason).toBe(error)
  })

  test('a download into a stream that takes nothing ends with the time of the call', async () => {
    const { client: patient, double } = await setUp(profile)
    await patient.collections.create('c')
    await patient.files.upload('c', textFile('big.txt', 'x'.repeat(3_000_000), 'text/plain'))
    const { baseUrl, key: apiKey } = double
    const client = createPlatformClient({ profile, baseUrl, apiKey, timeLimits: { totalMs: 500 } })
    onTestFinished(() => client.close())
    const sink = new WritableStream<Uint8Array>({ write: () => new Promise(() => {}) })
    expect((await failureOf(client.files.downloadTo('c', 'big.txt', sink))).code).toBe('timeout')
  })

  test('a download over its cap is too large', async () => {
    const { client } = await setUp(profile)
    await client.collections.create('c')
    await client.files.upload('c', textFile('a.txt', 'four'))
    const error = await failureOf(client.files.download('c', 'a.txt', { maxBytes: 3 }))
    expect(error).toMatchObject({ code: 'too-large' })
  })

  test('models, version, heartbeat and user profile are read', async () => {
    const { client } = await setUp(profile)
    expect(await client.models.list()).toMatchObject([
      { id: 'double-model', name: 'DOUBLE-MODEL', input: ['text'], ownedBy: 'double', status: 'ready' },
      { id: 'other-model' },
    ])
    expect(await client.version()).toBe('0.4.18')
    await client.heartbeat()
    await client.collections.create('one')
    expect(await client.user.me()).toEqual({
      username: 'alice',
      email: 'alice@example.org',
      firstName: 'Ada',
      surname: 'Example',
      isRegistered: true,
      collectionCount: 1,
      fileCount: 0,
      createdAt: '2026-01-01T00:00:00Z',
    })
  })

  test('the user profile is asked with the raw key where Bearer is refused', async () => {
    const { client, double } = await setUp(profile)
    double.script('user', { kind: 'status', status: 401, body: '{"message":"Unauthorized"}' })
    expect((await client.user.me()).username).toBe('alice')
    expect(double.requests.map(({ headers }) => headers['authorization'])).toEqual([`Bearer ${double.key}`, double.key])
  })

  test('a document becomes markdown with its images, or another form', async () => {
    const { client, double } = await setUp(profile)
    double.script('convert', { kind: 'converted', markdown: '# Title' })
    const result = await client.documents.convert(textFile('a.docx', 'raw'), { tablesAsImages: true, imageScale: 2 })
    expect(result.markdown).toBe('# Title')
    expect(result.images).toEqual([{ name: 'picture-1.png', type: 'picture', bytes: Buffer.from('PNG') }])
    expect(double.requests[0]?.query).toEqual({
      response_type: 'markdown',
      extract_tables_as_images: 'true',
      image_resolution_scale: '2',
    })
    const json = await client.documents.convertTo('json', textFile('a.docx', 'raw'))
    expect(json.content).toEqual({ text: 'raw' })
    expect((await client.documents.convertTo('html', textFile('a.docx', 'raw'))).content).toBe('<p>raw</p>')
    expect((await client.documents.convertTo('tokens', textFile('a.docx', 'raw'))).content).toEqual([1, 2])
  })

  test('a conversion of a format that the platform does not take is unsupported', async () => {
    const { client, double } = await setUp(profile)
    double.script('convert', { kind: 'status', status: 400, body: '{"detail":"Unsupported format"}' })
    expect(await failureOf(client.documents.convert(textFile('a.xyz', 'x')))).toMatchObject({
      code: 'unsupported',
      status: 400,
    })
  })

  test('a recording is transcribed and translated in every format', async () => {
    const { client, double } = await setUp(profile)
    const memo = textFile('memo.ogg', 'sound', 'audio/ogg')
    double.script('transcribe', { kind: 'transcript', text: 'hello' })
    expect(await client.voice.transcribe({ ...memo, prompt: 'Footbridge', language: 'de' })).toEqual({ text: 'hello' })
    expect(double.requests[0]?.form).toMatchObject({
      fields: { model: 'whisper-large-v2', response_format: 'json', prompt: 'Footbridge', language: 'de' },
      file: { part: 'file', name: 'memo.ogg', mimeType: 'audio/ogg' },
    })
    expect((await client.voice.transcribe({ ...memo, format: 'text' })).text).toBe('what was said')
    expect((await client.voice.transcribe({ ...memo, format: 'srt' })).text).toContain('00:00:01,500')
    expect((await client.voice.translate({ ...memo, format: 'vtt' })).text).toMatch(/^WEBVTT/)
    expect(await client.voice.translate({ ...memo, format: 'verbose_json' })).toEqual({
      text: 'what was said',
      language: 'en',
      durationMs: 1500,
      segments: [{ startMs: 0, endMs: 1500, text: 'what was said' }],
    })
    expect(double.requests.filter(({ op }) => op === 'translate')).toHaveLength(2)
  })

  test('recordings are listened to four at a time, and workspaces take turns', async () => {
    const { client, double } = await setUp(profile)
    const ask = (name: string, workspace: string) =>
      client.voice.transcribe(textFile(name, 'sound', 'audio/ogg'), { workspace })
    const busy = Array.from({ length: 12 }, (_, at) => ask(`busy-${at}.ogg`, 'A'))
    await Promise.all([...busy, ask('quiet.ogg', 'B')])
    const names = double.requests.map(({ form }) => form?.file?.name)
    expect(names).toHaveLength(13)
    expect(names.indexOf('quiet.ogg')).toBeLessThan(8)
  })

  test('embeddings come in the order of their inputs', async () => {
    const { client } = await setUp(profile)
    const vectors = await client.embeddings.create({ model: 'double-model', input: ['a', 'four'] })
    expect(vectors).toEqual([
      [1, 1],
      [4, 1],
    ])
  })
})

test.each(['', '..', 'a/b/c', 'x'.repeat(101), 'a\nb'])(
  'a collection name that the contract refuses (%j) is never sent',
  async (name) => {
    const { client, double } = await setUp()
    const calls = [
      () => client.collections.get(name),
      () => client.collections.create(name),
      () => client.collections.generateIndex(name),
      () => client.files.list(name),
    ]
    for (const call of calls) expect((await failureOf(call())).code).toBe('invalid')
    expect(double.requests).toEqual([])
  },
)

test('a file name that could leave its collection is never sent', async () => {
  const { client, double } = await setUp()
  for (const name of ['..', '../x', 'a/b', 'a\\b', '']) {
    expect((await failureOf(client.files.upload('c', textFile(name, 'x')))).code).toBe('invalid')
    expect((await failureOf(client.files.delete('c', name))).code).toBe('invalid')
  }
  expect(double.requests).toEqual([])
})
