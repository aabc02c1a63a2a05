const GROUPS_OF_NETWORK = 4

/**
 * The unit that rate limits count as one client: an IPv4 address as it is, and the /64 of an IPv6 address,
 * since a customer is usually given a whole /64. Anything else is returned unchanged.
 */
export function clientNetwork(address: string): string {
  if (!/^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(address)) return address
  const [head = '', tail] = address.split('::')
  const first = groupsOf(head)
  const last = groupsOf(tail ?? '')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  const groups = [...first, ...Array<string>(zeros).fill('0'), ...last].slice(0, GROUPS_OF_NETWORK)
  return `${groups.join(':')}::/64`
}

/** The groups of part of an IPv6 address, without leading zeros. A trailing IPv4 address counts as two groups. */
function groupsOf(part: string): string[] {
  if (part === '') return []
  return part.split(':').flatMap((group) => {
    if (group.includes('.')) return ['0', '0']
    return [Number.parseInt(group || '0', 16).toString(16)]
  })
}
