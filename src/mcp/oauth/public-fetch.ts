import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, fetch } from 'undici'
import { isPublic } from '#lib/network.ts'

/**
 * Fetches from public addresses only, without redirects. A name is checked where the connection is made, so it cannot
 * point elsewhere meanwhile.
 */
export function createPublicFetch(isOpen: (address: string) => boolean = isPublic) {
  const lookupOpen: LookupFunction = (host, options, callback) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      const closed = found?.find(({ address }) => !isOpen(address))
      const failure = error ?? (closed === undefined ? null : new Error(`${host} is at ${closed.address}.`))
      callback(failure, options.all === true ? found : (found?.[0]?.address ?? ''), found?.[0]?.family)
    })
  const dispatcher = new Agent({ connect: { lookup: lookupOpen } })
  return async (url: string, init: { readonly signal: AbortSignal; readonly headers: Record<string, string> }) => {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !isOpen(host)) throw new Error(`${host} is no public address.`)
    return fetch(url, { ...init, dispatcher, redirect: 'error' })
  }
}
