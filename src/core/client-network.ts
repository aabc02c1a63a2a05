const GROUPS_OF_NETWORK = 4

/**
 * What limits count as one client: an IPv4 address as it is, and of an IPv6 address its /64, since that is what one
 * customer is given whole. Anything else is returned as it is.
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

/** Of part of an IPv6 address, without leading zeros; an IPv4 address at the end stands for two. */
function groupsOf(part: string): string[] {
  if (part === '') return []
  return part.split(':').flatMap((group) => {
    if (group.includes('.')) return ['0', '0']
    return [Number.parseInt(group || '0', 16).toString(16)]
  })
}
