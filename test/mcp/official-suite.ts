/**
 * `npm run conformance:mcp`: the official conformance suite of MCP against a Footbridge of its own. The suite is no dependency:
 * `npx` fetches it. It sends no credential, so a proxy on loopback adds the key.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startFootbridge } from '../support/footbridge.ts'

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
const REVISIONS = ['2026-07-28', '2025-11-25']
/** Red scenarios, each with its reason. */
const EXPECTED = fileURLToPath(new URL('official-suite.yaml', import.meta.url))

await using scope = new AsyncDisposableStack()
const footbridge = await startFootbridge({})
scope.defer(() => footbridge.close())
const key = readFileSync(join(footbridge.dataDir, 'platform-key'), 'utf8').trim()
const proxy = createServer((incoming, outgoing) => {
  const headers = { ...incoming.headers, authorization: `Bearer ${key}` }
  const url = new URL(incoming.url ?? '/', footbridge.url)
  const asked = request(url, { method: incoming.method, headers, setHost: false }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  asked.on('error', () => outgoing.destroy())
  incoming.pipe(asked)
})
proxy.listen(0, '127.0.0.1')
await once(proxy, 'listening')
const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`
const words = process.argv.slice(2)
const runs =
  words.length > 0 ? [words] : REVISIONS.map((one) => ['--requirements', one, '--expected-failures', EXPECTED])
for (const options of runs) {
  const suite = spawn('npx', ['--yes', SUITE, 'server', '--url', url, ...options], { stdio: 'inherit' })
  // oxlint-disable-next-line no-await-in-loop -- the runs share a server
  const [code] = await once(suite, 'exit')
  process.exitCode ||= Number(code ?? 1)
}
proxy.closeAllConnections()
proxy.close()
