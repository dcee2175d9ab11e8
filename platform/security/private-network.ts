import { BlockList, isIP } from 'node:net'

// Addresses that are not on the public internet (RFC 6890): a host's own machine, its network, and its provider's metadata service.
// Two lists: Node compares an IPv4 address with IPv6 networks as ::ffff:a.b.c.d.
const inside = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  inside.ipv4.addSubnet(network, bits, 'ipv4')
// Public IPv6 addresses begin with 2000::/3. The forms that contain an IPv4 address are outside of it, or are 6to4 and Teredo.
for (const [network, bits] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  inside.ipv6.addSubnet(network, bits, 'ipv6')

/** True if an address is not on the public internet. */
export function isPrivate(address: string): boolean {
  const [plain = ''] = address.split('%') // The address without the zone of a link-local address.
  const version = isIP(plain)
  if (version === 0) return false
  const family = version === 6 ? 'ipv6' : 'ipv4'
  return inside[family].check(plain, family)
}

// Names that only a local network resolves (RFC 6761, 6762, 8375, and the names that clouds use).
const localNames = /(^|\.)(localhost|localdomain|local|internal|home\.arpa)$/

/** The host of a URL, an IPv6 one without its brackets. */
export const hostOf = (url: string | URL): string => new URL(url).hostname.replace(/^\[|\]$/g, '')

/**
 * True if the text of an http URL shows that its host is not on the public internet. The addresses of a name are checked at each
 * connection (src/agent/proxy.ts).
 */
export function hasPrivateHost(url: string): boolean {
  // Parsing normalizes every notation of an IPv4 address, such as 0x7f.1.
  const host = hostOf(url).replace(/\.$/, '')
  if (isIP(host) !== 0) return isPrivate(host)
  return !/^[^.]+(\.[^.]+)+$/.test(host) || localNames.test(host)
}
