import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { Agent, fetch } from 'undici'
import { isPublic } from '#lib/network.ts'

const MAX_LOOKUP_MS = 4000

/**
 * Looks names up whose addresses are all open, at name servers (default: those of the system). The system's own
 * look-up cannot be cancelled, and holds a thread that the rest of Node shares.
 */
export function createLookup(isOpen: (address: string) => boolean, servers?: readonly string[]): LookupFunction {
  async function resolve(host: string) {
    const resolver = new Resolver()
    if (servers !== undefined) resolver.setServers(servers)
    const timer = setTimeout(() => resolver.cancel(), MAX_LOOKUP_MS)
    const answers = [resolver.resolve4(host), resolver.resolve6(host)].map((one) => one.catch(() => []))
    const found = (await Promise.all(answers)).flat()
    clearTimeout(timer)
    const closed = found.find((address) => !isOpen(address))
    if (closed !== undefined || found.length === 0) throw new Error(`${host} is at ${closed ?? 'no address'}.`)
    return found.map((address) => ({ address, family: isIP(address) }))
  }
  // Node asks for all addresses, and tries one after the other.
  const resolveOpen = callbackify(resolve)
  return (host, _, callback) => resolveOpen(host, (error, found) => callback(error, found))
}

/**
 * Fetches from public addresses only, without redirects. A name is checked where the connection is made, so it cannot
 * point elsewhere meanwhile.
 */
export function createPublicFetch(isOpen: (address: string) => boolean = isPublic) {
  const dispatcher = new Agent({ connect: { lookup: createLookup(isOpen) } })
  return async (url: string, init: { readonly signal: AbortSignal; readonly headers: Record<string, string> }) => {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !isOpen(host)) throw new Error(`${host} is no public address.`)
    return fetch(url, { ...init, dispatcher, redirect: 'error' })
  }
}
