import type { Scope } from '../../support/scope.ts'
import type { Mood } from './internet.ts'
import { call, openPlace } from './place.ts'
import type { Family } from './stage.ts'

const NEAR = '198.51.100.1'
const FAR = '198.51.100.2'
const FIRST_BYTES = [20, 23, 31, 34, 37, 45, 46, 52, 62, 78, 80, 91, 95, 101, 103, 109, 130, 151, 185, 212]
const NEAR_SIX = '2001:db8:ffff::1'
const FAR_SIX = '2001:db8:ffff::2'
/** The first 16 bits of networks of IPv6. */
const FIRST_SIX = 0x2a01
const NETWORKS_SIX = 20
const NAME_SERVERS = ['41.1.0.53', '42.1.0.53']

/** How a target fails: by what its network does with what is sent to it (null: its web server says so), in what words. */
export const FAILURES = {
  'says 503': { rule: null, cause: /^HTTP 503/ },
  refuses: { rule: 'meta l4proto tcp reject with tcp reset', cause: /^connection refused by / },
  // A connection may have come about just before.
  'is silent': {
    rule: 'drop',
    cause: /^no answer within .* \((connecting|connected, waiting for the first byte)\)$/,
  },
  'is a port-unreachable': {
    rule: 'reject with icmpx type port-unreachable',
    cause: /^connection refused by /,
  },
  'is a host-unreachable': { rule: 'reject with icmpx type host-unreachable', cause: /^no route to / },
  'is a net-unreachable': { rule: 'reject with icmpx type no-route', cause: /^no route to / },
  'is prohibited': { rule: 'reject with icmpx type admin-prohibited', cause: /^no route to / },
  'is silent once connected': {
    rule: 'tcp flags & syn == 0 drop',
    cause: /^no answer within .* \(connected, waiting for the first byte\)$/,
  },
} satisfies Record<string, { rule: string | null; cause: RegExp }>

export type Failing = keyof typeof FAILURES

/** Twenty unrelated public networks of either family at the other end of the cable that leads out of this machine. */
export type FarSide = {
  nameServers: string[]
  setMoods(moods: Mood[]): Promise<void>
  fail(targets: { address: string; family: Family; how: Failing }[]): Promise<void>
  /** This share of a hundred packets is lost there, in either direction. */
  lose(percent: number): Promise<void>
  /** Everything that arrives there is answered so by the first router: a verdict of nftables. */
  routerSays(verdict: string | null): Promise<void>
  /** The same by our own firewall, for everything that leaves here. */
  firewallSays(verdict: string | null): Promise<void>
  /** Our end of the cable, or theirs. */
  setLink(end: 'near' | 'far', state: 'up' | 'down'): Promise<void>
  setRoute(family: Family, state: 'there' | 'gone'): Promise<void>
}

/** One of the networks is `X.1.0.0/16`; both are counted from 0, and the networks from the start again. */
export function addressAt(network: number, host: number): string {
  return `${FIRST_BYTES[network % FIRST_BYTES.length]}.1.${Math.trunc(host / 250)}.${(host % 250) + 1}`
}

/** The same for IPv6, where one of the networks is `X:100::/32`. */
export function addressSixAt(network: number, host: number): string {
  return `${(FIRST_SIX + (network % NETWORKS_SIX)).toString(16)}:100::${(host + 1).toString(16)}`
}

/** To be called in a network namespace that has nothing yet. */
export async function openFarSide(scope: Scope, names: Record<string, string[]>): Promise<FarSide> {
  const place = await openPlace(scope, { near: 'out', far: 'in' })
  const there = place.run
  await call('ip', 'link', 'set', 'lo', 'up')
  await call('ip', 'addr', 'add', `${NEAR}/24`, 'dev', 'out')
  await there('ip', 'addr', 'add', `${FAR}/24`, 'dev', 'in')
  await there('ip', 'addr', 'add', `${FAR_SIX}/64`, 'dev', 'in', 'nodad')
  const first = [...FIRST_BYTES, ...NAME_SERVERS.map((address) => Number.parseInt(address, 10))]
  for (const byte of first) await there('ip', 'route', 'add', 'local', `${byte}.1.0.0/16`, 'dev', 'lo')
  for (let i = 0; i < NETWORKS_SIX; i++) {
    const network = addressSixAt(i, 0).replace(/::.*/, '::/32')
    await there('ip', '-6', 'route', 'add', 'local', network, 'dev', 'lo')
  }
  // Else routers answer once a second, as Linux does.
  await there(
    'sh',
    '-c',
    'echo 0 > /proc/sys/net/ipv4/icmp_ratelimit; echo 0 > /proc/sys/net/ipv6/icmp/ratelimit',
  )
  await call('nft', 'add table inet near; add chain inet near out { type filter hook output priority 0; }')
  const chain = (name: string, hook: string, priority: number) =>
    `add chain inet far ${name} { type filter hook ${hook} priority ${priority}; }`
  const chains = [chain('router', 'input', 0), chain('targets', 'input', 1), chain('back', 'output', 0)]
  await there('nft', ['add table inet far', ...chains].join('; '))
  const internet = await place.startInternet({ nameServers: NAME_SERVERS, names, ownNames: {} })

  async function setLink(near: 'near' | 'far', state: 'up' | 'down') {
    if (near === 'far') return there('ip', 'link', 'set', 'in', state)
    await call('ip', 'link', 'set', 'out', state)
    if (state === 'down') return
    // They went with the link.
    await call('ip', '-6', 'addr', 'replace', `${NEAR_SIX}/64`, 'dev', 'out', 'nodad')
    await setRoute(4, 'there')
    await setRoute(6, 'there')
  }

  async function setRoute(family: Family, state: 'there' | 'gone') {
    const route =
      state === 'gone' ? ['del', 'default'] : ['replace', 'default', 'via', family === 4 ? FAR : FAR_SIX]
    await call('ip', `-${family}`, 'route', ...route)
  }

  await setLink('near', 'up')
  return {
    nameServers: NAME_SERVERS,
    setMoods: (moods) => internet.tell({ moods }),
    async fail(targets) {
      const saying = targets.filter(({ how }) => FAILURES[how].rule === null)
      await internet.tell({ failing: saying.map(({ address }) => address) })
      const rules = targets.flatMap(({ address, family, how }) => {
        const { rule } = FAILURES[how]
        return rule === null
          ? []
          : `add rule inet far targets ${family === 4 ? 'ip' : 'ip6'} daddr ${address} ${rule}`
      })
      await there('nft', ['flush chain inet far targets', ...rules].join('; '))
    },
    async lose(percent) {
      const verdict = percent === 100 ? 'drop' : `numgen random mod 100 < ${percent} drop`
      const rules = ['router', 'back'].flatMap((name) => [
        `flush chain inet far ${name}`,
        ...(percent > 0 ? [`add rule inet far ${name} ${verdict}`] : []),
      ])
      await there('nft', rules.join('; '))
    },
    routerSays: (verdict) =>
      there('nft', verdict === null ? 'flush chain inet far router' : `add rule inet far router ${verdict}`),
    firewallSays: (verdict) =>
      call(
        'nft',
        verdict === null ? 'flush chain inet near out' : `add rule inet near out oifname "out" ${verdict}`,
      ),
    setLink,
    setRoute,
  }
}
