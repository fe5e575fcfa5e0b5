import { bearer, chatPath, json, raw, show, type Make } from './make.ts'
import { collections, files, head, management, multipart, toMultipart, type Headers } from './raw.ts'

export const credentials: Make = (random, key) => {
  const [path, wanted] = random.pick([
    [`${collections}/`, 'raw'],
    [`${collections}/notes`, 'raw'],
    [`${files}/a.md/download`, 'raw'],
    [`${management}/user/me`, 'raw'],
    ['/v1/models', 'bearer'],
    ['/user/me', 'either'],
  ] as const)
  const value = random.pick([
    '',
    'Bearer',
    'Bearer  ',
    'Basic bG9jYWw6',
    `Bearer ${key} x`,
    `Bearer ${key}x`,
    key.slice(0, -1),
    key.toUpperCase(),
    `${key}, ${key}`,
    `Bearer Bearer ${key}`,
    `"${key}"`,
    'x'.repeat(9000),
    '\u00ff\u00fe',
    "' OR 1=1 --",
    ...(wanted === 'raw' ? [`Bearer ${key}`, `bearer ${key}`] : []),
    ...(wanted === 'bearer' ? [key] : []),
  ])
  return {
    what: `credential ${show(value)} ${path}`,
    pieces: [Buffer.from(head('GET', path, { authorization: value }), 'latin1')],
  }
}

export const heads: Make = (random, key) => {
  const path = `${collections}/notes`
  const line = (text: string, method = 'GET') =>
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${key}\r\n${text}\r\n\r\n`
  const [what, text] = random.pick<readonly [string, string]>([
    ['too many bytes', line(`x-a: ${'a'.repeat(20_000 + random.int(50_000))}`)],
    ['too many headers', line(Array.from({ length: 3000 }, (_, index) => `x-${index}: a`).join('\r\n'))],
    ['no name', line(': a')],
    ['a space in a name', line('x a: b')],
    ['NUL in a value', line('x-a: \u0000')],
    ['no colon', line('nonsense')],
    ['two lengths', line('content-length: 3\r\ncontent-length: 4', 'DELETE')],
    ['length and chunks', line('content-length: 3\r\ntransfer-encoding: chunked', 'DELETE')],
    ['a length below 0', line('content-length: -1', 'DELETE')],
    ['a length in words', line('content-length: ten', 'DELETE')],
    ['an unknown coding', line('transfer-encoding: cow', 'DELETE')],
    ['no host', `GET ${path} HTTP/1.1\r\nauthorization: ${key}\r\n\r\n`],
    ['two hosts', line('host: other')],
    ['no such version', `GET ${path} HTTP/9.9\r\nhost: x\r\n\r\n`],
    ['no version', `GET ${path}\r\n\r\n`],
    ['no method', ` ${path} HTTP/1.1\r\nhost: x\r\n\r\n`],
    ['an unknown method', `STEAL ${path} HTTP/1.1\r\nhost: x\r\n\r\n`],
    ['spaces in the path', `GET ${path} x y HTTP/1.1\r\nhost: x\r\n\r\n`],
    ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n\r\n'],
    ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
    ['noise', `${random.bytes(60).toString('latin1')}\r\n\r\n`],
    [
      'a strange host',
      `GET /v1/models HTTP/1.1\r\nhost: ${random.pick(['[', 'a b', '\u0001', 'x:99999', '..', '/'])}\r\n\r\n`,
    ],
    ['a star', 'GET * HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['another address', `GET http://other.example/${'a'.repeat(random.int(200))} HTTP/1.1\r\nhost: x\r\n\r\n`],
    ['a tunnel', 'CONNECT other.example:443 HTTP/1.1\r\nhost: other.example:443\r\n\r\n'],
    ['an expectation', line('expect: a-miracle')],
    ['an upgrade', `GET /v1/nothing HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`],
    ['an endless path', `GET /${'a'.repeat(30_000)} HTTP/1.1\r\nhost: x\r\n\r\n`],
  ])
  return { what: `head, ${what}`, pieces: [Buffer.from(text, 'latin1')] }
}

export const sizes: Make = (random, key) => {
  const length = String(random.pick([105 * 1024 * 1024 + 100_000, 2 ** 31, 2 ** 40, 2 ** 53 - 1]))
  const [path, headers, method] = random.pick<readonly [string, Headers, string]>([
    [`${files}/`, { ...raw(key), ...multipart }, 'POST'],
    [`${files}/a.md`, { ...raw(key), ...multipart }, 'PUT'],
    [chatPath, { ...bearer(key), ...json }, 'POST'],
    [`${collections}/`, { ...raw(key), ...json }, 'POST'],
    ['/v1/documents/convert', { ...bearer(key), ...multipart }, 'POST'],
    ['/v1/audio/transcriptions', { ...bearer(key), ...multipart }, 'POST'],
  ])
  const expect = random.pick<Headers>([{}, { expect: '100-continue' }])
  return {
    what: `announced ${length}: ${method} ${path}`,
    pieces: [head(method, path, { ...headers, ...expect, 'content-length': length }), 'a'.repeat(random.int(5000))],
  }
}

/** A body that stops half-way: the connection stays open and silent, or is closed on this side. */
export const unfinished: Make = (random, key) => {
  const body = toMultipart([{ file: 'new.md', content: `# new\n\n${'word '.repeat(200 + random.int(2000))}` }])
  const [path, headers, method] = random.pick<readonly [string, Headers, string]>([
    [`${files}/`, { ...raw(key), ...multipart }, 'POST'],
    [`${files}/a.md`, { ...raw(key), ...multipart }, 'PUT'],
    ['/v1/documents/convert', { ...bearer(key), ...multipart }, 'POST'],
    ['/v1/audio/transcriptions', { ...bearer(key), ...multipart }, 'POST'],
    [chatPath, { ...bearer(key), ...json }, 'POST'],
  ])
  const kept = body.subarray(0, random.int(body.length))
  const isCut = random.int(2) === 0
  const [what, pieces] = random.pick<readonly [string, readonly (string | Buffer)[]]>([
    ['by its length', [head(method, path, { ...headers, 'content-length': String(body.length) }), kept]],
    [
      'in chunks',
      [head(method, path, { ...headers, 'transfer-encoding': 'chunked' }), `${body.length.toString(16)}\r\n`, kept],
    ],
    [
      'in broken chunks',
      [head(method, path, { ...headers, 'transfer-encoding': 'chunked' }), `4\r\nabcd\r\nZZ\r\n`, kept],
    ],
  ])
  return { what: `${isCut ? 'cut' : 'stalled'} ${what}: ${method} ${path}`, pieces, isCut }
}

export const methods: Make = (random, key) => {
  const method = random.pick([
    'PATCH',
    'PUT',
    'DELETE',
    'POST',
    'TRACE',
    'PROPFIND',
    'LOCK',
    'MKCOL',
    'PURGE',
    'SEARCH',
  ])
  const path = random.pick([
    ...(method === 'POST' ? [] : [`${collections}/`, `${files}/`]),
    ...(method === 'DELETE' ? [] : [`${collections}/notes`, `${collections}/notes/delete-index`]),
    ...(['PUT', 'DELETE'].includes(method) ? [] : [`${files}/a.md`]),
    ...(method === 'PUT' ? [] : [`${collections}/notes/sharing`]),
    ...(method === 'POST' ? [] : [`${collections}/notes/generate-index`, chatPath, '/v1/models']),
    `${files}/a.md/download`,
    `${management}/version`,
    `${management}/heartbeat`,
    '/user/me',
    '/',
    '/v1',
    '/v1/nothing',
    `${collections}/notes/nothing/at/all`,
  ])
  return { what: `method ${method} ${path}`, pieces: [head(method, path, raw(key))] }
}
