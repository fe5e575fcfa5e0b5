/** Follows compose.scale.yaml without a container engine: its database, its processes with their settings, its balancer. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import type { WebState } from '#adapters/web/protocol.ts'
import { closeAtEnd } from './support/close-at-end.ts'
import { eventually } from './support/eventually.ts'
import { startFootbridge, type Footbridge } from './support/footbridge.ts'
import { usePostgres } from './support/postgres/postgres.ts'
import { createBrowser } from './support/web/browser.ts'

interface Service {
  readonly image?: string
  readonly build?: string
  readonly environment: Readonly<Record<string, string>>
  readonly volumes: readonly string[]
  readonly ports?: readonly string[]
}

const text = readFileSync(fileURLToPath(new URL('../compose.scale.yaml', import.meta.url)), 'utf8')
const compose = parse(text, { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>
  readonly configs: { readonly caddyfile: { readonly content: string } }
}
const processes = Object.entries(compose.services).filter(([, { build }]) => build === '.')
const postgres = usePostgres()

/** Values as compose puts them in: `${NAME:?…}`. */
const SECRETS: Readonly<Record<string, string>> = {
  WEB_PASSWORD: 'correct horse battery',
  POSTGRES_PASSWORD: 'secret',
  PLATFORM_API_KEY: 'fb-compose-scale-0123456789',
}
const filled = (value: string) => value.replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => SECRETS[name] ?? '')

const pass = (from: IncomingMessage, to: ServerResponse, body: Buffer, { url, pid }: Footbridge): Promise<void> =>
  new Promise((resolve, reject) => {
    const { method, headers } = from
    const asked = request(new URL(from.url ?? '/', url), { method, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'x-answered-by': String(pid) })
      answer.pipe(to)
      resolve()
    })
    asked.on('error', reject)
    asked.end(body)
  })

/** The rules of the Caddyfile, as far as this test can follow them: to each ready one in turn, or else the next. */
async function startBalancer(upstreams: ReadonlyMap<string, Footbridge>) {
  const caddyfile = compose.configs.caddyfile.content
  const named = /reverse_proxy ((?:[\w-]+:3000 ?)+)\{/.exec(caddyfile)?.[1]?.trim().split(' ') ?? []
  const healthPath = /health_uri (\S+)/.exec(caddyfile)?.[1] ?? ''
  const behind = named.map((address) => upstreams.get(address.split(':')[0] ?? ''))
  const isReady = async (footbridge: Footbridge | undefined) =>
    footbridge !== undefined &&
    (await fetch(new URL(healthPath, footbridge.url)).then(
      ({ ok }) => ok,
      () => false,
    ))
  let turn = 0
  const next = async (): Promise<Footbridge> => {
    for (;;) {
      const one = behind[turn++ % behind.length]
      if (one !== undefined && (await isReady(one))) return one
    }
  }
  const server = createServer(async (from, to) => {
    const parts: Buffer[] = []
    for await (const part of from) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    try {
      await pass(from, to, body, await next())
    } catch {
      await pass(from, to, body, await next())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, named }
}

it('compose.scale.yaml: three processes serve one page behind a balancer, and one of them stops with no gap', async () => {
  expect(processes).toHaveLength(3)
  expect(new Set(processes.flatMap(([, { volumes }]) => volumes)).size).toBe(3)
  expect(compose.services['balancer']?.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)])
  const database = new URL(await postgres.database())
  const started = new Map<string, Footbridge>()
  for (const [name, { environment }] of processes) {
    const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filled(value)]))
    const url = new URL(env['DATABASE_URL'] ?? '')
    expect([url.hostname, url.password]).toEqual(['database', 'secret'])
    const { DATA_DIR: _folder, PORT: _port, HOST: _host, ...kept } = env
    const settings = { ...kept, HOST: '127.0.0.1', DATABASE_URL: database.href }
    started.set(name, closeAtEnd(await startFootbridge(settings)))
  }
  const { url, named } = await startBalancer(started)
  expect(named).toEqual(processes.map(([name]) => `${name}:3000`))

  const answeredBy = new Set<string>()
  const through = async (asked: Request) => {
    const answer = await fetch(asked)
    answeredBy.add(answer.headers.get('x-answered-by') ?? '')
    return answer
  }
  const login = await createBrowser(through, { origin: url }).request('/login', {
    method: 'POST',
    body: new URLSearchParams({ password: SECRETS['WEB_PASSWORD'] ?? '' }),
  })
  const cookie = login.headers.get('set-cookie')?.split(';', 1)[0]
  const browser = createBrowser(through, { origin: url, cookie })
  const state = (await (await browser.request('/api/web/state')).json()) as WebState
  const channel = state.channels[0]?.id ?? ''
  await browser.say(channel, { name: 'Ada', text: '@footbridge help' })
  const answers = async () => (await browser.history(channel)).messages.filter(({ streaming }) => !streaming).length
  await eventually(async () => (await answers()) >= 2)

  const [leaving] = started.values()
  const exit = leaving?.stop()
  const statuses: number[] = []
  let isOver = false
  void exit?.finally(() => (isOver = true))
  while (!isOver) statuses.push((await browser.request('/api/web/state')).status)
  expect(await exit).toBe(0)
  for (let after = 0; after < 4; after += 1) statuses.push((await browser.request('/api/web/state')).status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  await browser.say(channel, { name: 'Ada', text: '@footbridge help' })
  await eventually(async () => (await answers()) >= 4)
  expect(answeredBy.size).toBe(3)
})
