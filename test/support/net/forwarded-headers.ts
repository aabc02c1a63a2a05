/**
 * Headers X-Forwarded-For of proxies and clients, and the client that each means for 0 to 3 trusted hops. The client of
 * the tests claims to be the insider, by the entries on the left, which no proxy of theirs has written.
 */

/** Claimed by clients: of the network that sees a page. */
export const INSIDER = '10.9.9.1'
export const INSIDE = '10.9.9.0/24'
const OUTER_PROXY = '198.51.100.2'

/** The proxy itself, which asks on behalf of somebody. */
export const PEER = 'peer'
/** The address that counts; `unnamed` where a trusted proxy names nobody, so that the one of the proxy stands in. */
export type ForwardedClient = { address: string; unnamed?: true }
export type ForwardedCase = { header: string | string[]; clients: ForwardedClient[] }

/** Entries that name an address. */
const ADDRESSES: Record<string, string> = {
  '203.0.113.9': '203.0.113.9',
  '  203.0.113.9\t': '203.0.113.9',
  '203.0.113.9:4711': '203.0.113.9',
  '203.0.113.9:0': '203.0.113.9',
  '"203.0.113.9:4711"': '203.0.113.9',
  '"203.0.113.9"': '203.0.113.9',
  '2001:db8::1': '2001:db8::1',
  '2001:0DB8:0::0001': '2001:db8::1',
  '[2001:db8::1]': '2001:db8::1',
  '[2001:db8::1]:4711': '2001:db8::1',
  '"[2001:db8::1]:4711"': '2001:db8::1',
  '"[2001:db8::1]"': '2001:db8::1',
  '::ffff:203.0.113.9': '203.0.113.9',
  '[::ffff:203.0.113.9]:4711': '203.0.113.9',
  '::FFFF:cb00:7109': '203.0.113.9',
  'fe80::1%eth0': 'fe80::1',
  '[fe80::1%25eth0]:80': 'fe80::1',
  [`fe80::1%${'x'.repeat(2_000)}`]: 'fe80::1',
}

/** Entries that name nobody. */
const NOBODY = [
  '',
  '   ',
  'unix:',
  'unix:/run/proxy.sock',
  '@',
  'unknown',
  'UNKNOWN:80',
  '-',
  '_hidden',
  '_SEVKISEK:4711',
  'localhost',
  'proxy.example.com:80',
  'for=203.0.113.9',
  'for="[2001:db8::1]:4711";proto=https',
  '203.0.113.9:',
  '203.0.113.9:65536',
  '203.0.113.9:http',
  '203.0.113.9:80:80',
  ':4711',
  '203.0.113.009',
  '0313.0.113.9',
  '0xcb.0.113.9',
  '3405803785',
  '203.0.113',
  '203.0.113.9.1',
  '203.0.113.256',
  '203.0.113.9/32',
  '203.0.113.9 10.9.9.1',
  '203.0.113.9;10.9.9.1',
  '[203.0.113.9]:80',
  '[2001:db8::1',
  '2001:db8::1]',
  '[2001:db8::1]x',
  '[2001:db8::1]:65536',
  '[[2001:db8::1]]',
  '2001:db8::1::2',
  '1:2:3:4:5:6:7:8:9',
  '::ffff:203.0.113.009',
  '::203.0.113.9',
  '::',
  '0.0.0.0',
  '"203.0.113.9',
  '203.0.113.9"',
  '"\\203.0.113.9"',
  "'203.0.113.9'",
  '<b>203.0.113.9</b>',
  '٢٠٣.0.113.9',
  '1'.repeat(4_000),
  `[${':'.repeat(4_000)}`,
  `a${' '.repeat(4_000)}b`,
]

const known = (address: string): ForwardedClient => ({ address })
const unnamed = (address: string): ForwardedClient => ({ address, unnamed: true })
const peer = known(PEER)
const insider = known(INSIDER)

/** One proxy, which appends an entry to the client's. */
const behindOne = Object.entries(ADDRESSES).map(([entry, address]) => ({
  header: `${INSIDER}, ${entry}`,
  clients: [peer, known(address), insider, insider],
}))
const behindOneThatNamesNobody = NOBODY.map((entry) => ({
  header: `${INSIDER}, ${entry}`,
  clients: [peer, unnamed(PEER), unnamed(PEER), unnamed(PEER)],
}))
/** The inner of two proxies sees the outer one, in a line of its own or in the same. */
const behindTwo = Object.entries(ADDRESSES).map(([entry, address]) => ({
  header: [`${INSIDER}, ${entry}`, OUTER_PROXY],
  clients: [peer, known(OUTER_PROXY), known(address), insider],
}))
const behindTwoOfWhichOneNamesNobody = NOBODY.map((entry) => ({
  header: `${INSIDER},${entry},${OUTER_PROXY}`,
  clients: [peer, known(OUTER_PROXY), unnamed(OUTER_PROXY), unnamed(OUTER_PROXY)],
}))

export const FORWARDED: ForwardedCase[] = [
  ...behindOne,
  ...behindOneThatNamesNobody,
  ...behindTwo,
  ...behindTwoOfWhichOneNamesNobody,
  { header: INSIDER, clients: [peer, insider, insider, insider] },
  { header: '', clients: [peer, unnamed(PEER), unnamed(PEER), unnamed(PEER)] },
  { header: ',', clients: [peer, unnamed(PEER), unnamed(PEER), unnamed(PEER)] },
  { header: `,${INSIDER}`, clients: [peer, insider, unnamed(INSIDER), unnamed(INSIDER)] },
  { header: `"${INSIDER}, 203.0.113.9"`, clients: [peer, unnamed(PEER), unnamed(PEER), unnamed(PEER)] },
  {
    header: `"${INSIDER}, 203.0.113.9`,
    clients: [peer, ...['203.0.113.9'].map(known), ...two(unnamed('203.0.113.9'))],
  },
  { header: [INSIDER, 'unix:'], clients: [peer, unnamed(PEER), unnamed(PEER), unnamed(PEER)] },
  { header: [INSIDER, '', ''], clients: [peer, unnamed(PEER), unnamed(PEER), unnamed(PEER)] },
]

function two<T>(one: T): [T, T] {
  return [one, one]
}
