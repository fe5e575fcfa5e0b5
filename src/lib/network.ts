import { BlockList, isIPv6 } from 'node:net'

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

/** Special-use addresses (RFC 6890): they belong to this machine, its network or nobody. Of IPv6, only 2000::/3 is public. */
const SPECIAL = {
  ipv4: [
    '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
    '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3',
  ],
  ipv6: ['::/3 2001::/23 2001:db8::/32 2002::/16 3fff::/20 4000::/2 8000::/1'],
} as const

/** A list for each family: Node would look for an IPv4 address among those of IPv6, too. */
function listOf(family: keyof typeof SPECIAL): BlockList {
  const list = new BlockList()
  for (const [network = '', bits] of SPECIAL[family].flatMap((line) => line.split(' ')).map((one) => one.split('/')))
    list.addSubnet(network, Number(bits), family)
  return list
}
const CLOSED = { ipv4: listOf('ipv4'), ipv6: listOf('ipv6') }

/** Whether an address can be anybody's machine in the internet. */
export function isPublic(address: string): boolean {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  return !CLOSED[family].check(address, family)
}
