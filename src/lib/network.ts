import { isIPv6 } from 'node:net'

/** An IPv6 address without its last 64 bits: a household has as many of them as it likes. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [before = '', after = ''] = address.split('::')
  const [head, tail] = [before, after].map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - (head?.length ?? 0) - (tail?.length ?? 0) }, () => '0')
  const groups = address.includes('::') ? [...(head ?? []), ...zeros, ...(tail ?? [])] : (head ?? [])
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
