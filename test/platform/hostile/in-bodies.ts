import { bearer, chatPath, json, post, raw, show, upload, type Make } from './make.ts'
import { badCharacters } from './names.ts'
import type { Random } from './random.ts'
import { collections, files, multipart, toMultipart, type Headers, type Part } from './raw.ts'

export const contents: Make = (random, key) => {
  const [file, content] = random.pick<readonly [string, string | Buffer]>([
    ['new.md', ''],
    ['new.txt', ' \n\t\u3000 '],
    ['new.md', Buffer.from('a\u0000b')],
    ['new.txt', Buffer.concat([Buffer.from('MZ\u0000'), random.bytes(200)])],
    ['new.md', '%PDF-1.7\n'],
    ['new.pdf', '# no pdf'],
    ['new.pdf', ''],
    ['new.pdf', Buffer.concat([Buffer.from([0]), random.bytes(40)])],
    ['new.md', Buffer.from([0xff, 0xd8, 0xff, 0, 0, 0, 1])],
    ['a.md', '# taken'],
  ])
  return upload(`content of ${file}`, key, [{ file, content }])
}

export const forms: Make = (random, key) => {
  const good: Part = { file: 'new.md', content: '# new' }
  const form = { ...raw(key), ...multipart }
  const to = random.pick([`${files}/`, `${files}/a.md`])
  const method = to.endsWith('/') ? 'POST' : 'PUT'
  const [what, headers, body] = random.pick<readonly [string, Headers, string | Buffer]>([
    ['no boundary', { ...raw(key), 'content-type': 'multipart/form-data' }, toMultipart([good])],
    ['another boundary', { ...raw(key), 'content-type': 'multipart/form-data; boundary=x' }, toMultipart([good])],
    ['not closed', form, toMultipart([good], { open: true })],
    ['cut in a part', form, toMultipart([good]).subarray(0, 60 + random.int(80))],
    ['nothing', form, ''],
    ['noise', form, random.bytes(500)],
    ['no part', form, toMultipart([])],
    ['another part', form, toMultipart([{ ...good, name: 'document' }])],
    ['a text in place of a file', form, toMultipart([{ content: '# new' }])],
    ['two files', form, toMultipart([good, { file: 'other.md', content: '# o' }])],
    ['no form', { ...raw(key), ...json }, '{"file":"x"}'],
    ['no type', raw(key), '# new'],
    ['packed', { ...form, 'content-encoding': 'gzip' }, Buffer.from([0x1f, 0x8b, 8, 0, 0, 0])],
    [
      'a header without an end',
      form,
      `--${'-'.repeat(4)}footbridge-hostile\r\ncontent-disposition: form-data; name="file`,
    ],
  ])
  return { ...post(`form, ${what}`, to, headers, body, method) }
}

export const sources: Make = (random, key) => {
  const content = random.pick(['gone.md', '../a.md', '', '\u0000', 'x'.repeat(500)])
  return upload(`derived from ${show(content)}`, key, [
    { name: 'derived_from', content },
    { file: 'new.md', content: '# new' },
  ])
}

export const sharing: Make = (random, key) => {
  const body = random.pick<unknown>([
    { visibility: 'everyone' },
    { users: 'anna' },
    { users: ['local/x'] },
    { users: [null] },
    { users: Array.from({ length: 1001 }, (_, index) => `u${index}`) },
    { owner: 'me' },
    { users: [''] },
    [],
    null,
    'public',
  ])
  return post(
    `sharing ${show(body)}`,
    `${collections}/notes/sharing`,
    { ...raw(key), ...json },
    JSON.stringify(body),
    'PUT',
  )
}

const nested = (random: Random) => {
  const depth = 300 + random.int(200_000)
  return random.pick([
    () => `${'['.repeat(depth)}${']'.repeat(depth)}`,
    () => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    () => '['.repeat(depth),
    () => `{"name":"x","messages":${'['.repeat(depth)}${']'.repeat(depth)}}`,
  ])()
}

export const jsons: Make = (random, key) => {
  const body = random.pick<() => string | Buffer>([
    () => nested(random),
    () => random.pick(['', '{', '}', 'null', '[]', '"x"', '0', 'NaN', '{name:1}', "{'name':'x'}", '{"name":"x",}']),
    () => random.bytes(1 + random.int(2000)),
    () => Buffer.from([0xef, 0xbb, 0xbf, 0x7b]),
    () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    () => `{"__proto__":{"name":"x"},"constructor":1}`,
    () => `{"name":${'9'.repeat(5000)}}`,
    () => JSON.stringify({ name: 'x'.repeat(1_000_000 + random.int(1_000_000)) }),
  ])()
  const [path, headers, method] = random.pick<readonly [string, Headers, string]>([
    [`${collections}/`, raw(key), 'POST'],
    [chatPath, bearer(key), 'POST'],
    ['/v1/embeddings', bearer(key), 'POST'],
  ])
  return post(`JSON ${show(String(body).slice(0, 20))}`, path, { ...headers, ...json }, body, method)
}

export const chats: Make = (random, key) => {
  const messages = [{ role: 'user', content: 'Hello' }]
  const good = { model: 'extractive', messages }
  const found = (id: unknown) => ({ ...good, collection: { id }, 'enable-tools': true })
  const body = random.pick<unknown>([
    { messages },
    { ...good, model: 7 },
    { ...good, model: '' },
    { ...good, model: 'gone'.repeat(random.int(2000) + 1) },
    { model: 'extractive' },
    { ...good, messages: [] },
    { ...good, messages: 'Hello' },
    { ...good, messages: [{ role: 'root', content: 'x' }] },
    { ...good, messages: [{ role: 'user', content: 7 }] },
    { ...good, messages: [null] },
    { ...good, stream: 'yes' },
    { ...good, max_tokens: 0 },
    { ...good, temperature: 'hot' },
    { ...good, 'enable-tools': 'true' },
    { ...good, collection: 'nobody/notes' },
    found('notes'),
    found(7),
    found('local/gone'),
    found('nobody/notes'),
    found(`local/${badCharacters(random).replaceAll('/', '\u0000')}`),
    found('local/notes/../secret'),
    found('../notes'),
  ])
  const headers = { ...bearer(key), ...json, 'inference-service': 'saia-openai-gateway' }
  return post(`chat ${show(body)}`, chatPath, headers, JSON.stringify(body))
}

export const elsewhere: Make = (random, key) => {
  const path = random.pick([
    '/v1/documents/convert?response_type=exe',
    '/v1/documents/convert?image_resolution_scale=99',
    '/v1/documents/convert',
    '/v1/audio/transcriptions',
    '/v1/audio/translations',
  ])
  const body = random.pick([
    toMultipart([{ name: 'other', file: 'a.md', content: '# a' }]),
    toMultipart([{ name: 'document', content: 'text' }]),
    toMultipart([{ name: 'document', file: 'a.md', content: '' }]),
    toMultipart([]),
    random.bytes(300),
  ])
  return post('form', path, { ...bearer(key), ...multipart }, body)
}
