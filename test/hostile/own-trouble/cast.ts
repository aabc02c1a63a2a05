import { addressAt, addressSixAt } from './far-side.ts'
import { OFFICE_HOST, OFFICE_NAMES } from './office.ts'
import { TCP_PORT } from './place.ts'
import type { Beside, Domains, Stage } from './stage.ts'

/** Ten monitors in a row. */
const MIX = [
  'http by address',
  'http by name',
  'tcp by address',
  'icmp by address',
  'http by name',
  'tcp by name',
  'icmp by name',
  'http by address',
  'icmp by address',
  'job',
] as const

/** The same for targets without an IPv4 address. */
const SIX_MIX = [
  'http by address',
  'icmp by address',
  'http by name',
  'tcp by address',
  'icmp by name',
] as const
const SIX_TARGETS = 20
const ONE_DOMAIN = 'one-shop.com'

/** A monitor of a target that is well all the time; a job has none, and pings so often. */
export type Role = {
  name: string
  settings: Record<string, unknown>
  pingEveryMs: number | null
  plays(stage: Stage): boolean
}

/** All jobs ping from one address, which may do so 300 times a minute. */
const MAX_JOBS = 10
const JOB = { intervalSeconds: 6, pingEveryMs: 3_000 }
/** Two of these pings lost make a job late. */
const SELDOM_JOB = { intervalSeconds: 10, pingEveryMs: 4_000 }
const SELDOM_JOBS = 5

/** Everything that is ever on stage. `loopbackPort` has a web server. */
export function castOf(monitors: number, loopbackPort: number): Role[] {
  const numbers = Array.from({ length: monitors }, (_, i) => i)
  return [
    ...numbers.flatMap((i) => publicRoles(i)),
    ...Array.from({ length: SELDOM_JOBS }, (_, i) => job(`seldom job ${i}`, SELDOM_JOB)),
    ...Array.from({ length: SIX_TARGETS }, (_, i) => sixRole(i)),
    ...witnesses(loopbackPort),
  ]
}

/** Every public name, with its addresses. */
export function namesOf(monitors: number): Record<string, string[]> {
  const numbers = Array.from({ length: monitors }, (_, i) => i)
  const six = Array.from({ length: SIX_TARGETS }, (_, i) => i)
  return Object.fromEntries([
    ...numbers.map((i) => [nameOf(i, 'many'), [addressAt(i, i)]]),
    ...numbers.map((i) => [nameOf(i, 'one'), [addressAt(i, i)]]),
    ...six.map((i) => [sixNameOf(i), [addressSixAt(i, i)]]),
  ])
}

function publicRoles(i: number): Role[] {
  const kind = MIX[i % MIX.length] as (typeof MIX)[number]
  if (kind === 'job' && i / MIX.length < MAX_JOBS) return [job(`job ${i}`, JOB)]
  if (kind === 'job') return []
  const [type = ''] = kind.split(' ')
  if (!kind.endsWith('name')) return [target(`${kind} ${i}`, type, addressAt(i, i), () => true)]
  return (['many', 'one'] as const).map((domains) => {
    const name = domains === 'many' ? `${kind} ${i}` : `${kind} ${i} of one domain`
    return target(name, type, nameOf(i, domains), (stage) => stage.domains === domains)
  })
}

function sixRole(i: number): Role {
  const kind = SIX_MIX[i % SIX_MIX.length] as (typeof SIX_MIX)[number]
  const [type = ''] = kind.split(' ')
  const host = kind.endsWith('name') ? sixNameOf(i) : `[${addressSixAt(i, i)}]`
  return target(`IPv6 ${kind} ${i}`, type, host, ({ hasSix }) => hasSix)
}

function witnesses(loopbackPort: number): Role[] {
  const beside = (which: Beside) => (stage: Stage) =>
    stage.beside === which || stage.beside === 'all of these'
  return [
    target('loopback by http', 'http', `127.0.0.1:${loopbackPort}`, beside('loopback')),
    target('loopback by icmp', 'icmp', '127.0.0.1', beside('loopback')),
    target('local network by http', 'http', OFFICE_HOST, beside('local network')),
    target('local network by tcp', 'tcp', OFFICE_HOST, beside('local network')),
    target('local network by icmp', 'icmp', OFFICE_HOST, beside('local network')),
    ...Object.keys(OFFICE_NAMES).flatMap((name) =>
      ['http', 'icmp'].map((type) =>
        target(`internal ${name} by ${type}`, type, name, beside('internal names')),
      ),
    ),
  ]
}

function target(name: string, type: string, host: string, plays: Role['plays']): Role {
  const port = type === 'tcp' ? { port: TCP_PORT } : {}
  return { name, settings: { type, url: `${type}://${host}`, ...port }, pingEveryMs: null, plays }
}

function job(name: string, { intervalSeconds, pingEveryMs }: typeof JOB): Role {
  const settings = { type: 'heartbeat', check_interval_seconds: intervalSeconds }
  return { name, settings, pingEveryMs, plays: () => true }
}

function nameOf(i: number, domains: Domains): string {
  return domains === 'many' ? `www.shop-${i}.com` : `www-${i}.${ONE_DOMAIN}`
}

function sixNameOf(i: number): string {
  return `www.six-${i}.net`
}
