import { DnsMemory, judgeDns } from '../../../src/core/sites/dns/judge-dns.ts'
import type { DnsLook } from '../../../src/core/sites/dns/records.ts'
import { awaitSecondLook, type Doubt } from '../../../src/core/sites/second-look.ts'

export const MINUTE_MS = 60_000
export const LOOK_EVERY_MS = 5 * MINUTE_MS
export const DAY_MS = 86_400_000
const START = Date.parse('2026-10-01T00:00:00Z')
/** Looks whose memory is stored and read again, which costs more than the look: the first ones, and then one of so many. */
const [STORED_AT_FIRST, STORED_EACH] = [50, 12]
export const SETS = {
  ns: ['ns1.shop.com', 'ns2.shop.com'],
  mx: ['10 mail.shop.com'],
  caa: [],
  spf: ['v=spf1 -all'],
  dmarc: [],
  a: ['198.51.100.1'],
  aaaa: [],
}
type Answered = DnsLook & { kind: 'answered' }
export const answered = (
  changes: Partial<Answered['sets']> = {},
  more: Partial<Answered> = {},
): Answered => ({
  kind: 'answered',
  sets: { ...SETS, ...changes },
  disagreeing: [],
  silent: [],
  alias: null,
  ...more,
})

/** Looks every five minutes; says what was told, with the minutes since the start, and how it ended. */
export function watch(looks: number, lookAt: (index: number) => DnsLook) {
  let memory = DnsMemory.parse({})
  const told: [minutes: number, string][] = []
  const statuses: string[] = []
  let status: 'up' | 'degraded' | 'down' | 'pending' = 'pending'
  let doubt: Doubt | null = null
  for (let index = 0; index < looks; index++) {
    const now = new Date(START + index * LOOK_EVERY_MS)
    const before: Parameters<typeof awaitSecondLook<DnsMemory>>[0] = {
      area: 'dns',
      status,
      hasOpenIncident: status === 'down',
      doubt,
      memory,
    }
    const counted = awaitSecondLook(before, judgeDns('shop.com', lookAt(index), memory, now), now)
    const { look } = counted
    doubt = counted.doubt
    if (look.status !== 'pending') status = look.status
    const isStored = index < STORED_AT_FIRST || index % STORED_EACH === 0
    memory = isStored ? DnsMemory.parse(JSON.parse(JSON.stringify(look.memory))) : look.memory
    if (look.warning !== null) told.push([(index * LOOK_EVERY_MS) / MINUTE_MS, look.warning])
    if (look.status !== 'pending' && statuses.at(-1) !== look.status) statuses.push(look.status)
  }
  return { told, statuses }
}

/** The same numbers each time (mulberry32). */
export function seeded(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** An answer in a hundred is another one, nothing at all, or trouble of one of the servers. */
export function flaky(random: () => number, look: DnsLook): DnsLook {
  if (random() >= 0.01 || look.kind !== 'answered') return look
  const faults: DnsLook[] = [
    { kind: 'unknown', reason: 'silence' },
    { kind: 'no_such_name' },
    { ...look, sets: { ...look.sets, mx: [] } },
    { ...look, sets: { ...look.sets, a: [] } },
    { ...look, silent: ['ns1.shop.com'] },
    { ...look, disagreeing: ['ns2.shop.com'] },
  ]
  return faults[Math.floor(random() * faults.length)] as DnsLook
}

const POOL = Array.from({ length: 40 }, (_, index) => `203.0.113.${index + 1}`)

/** Ways in which DNS that says nothing new goes on. */
export const CALM: Record<string, (random: () => number) => DnsLook> = {
  'never changes': () => answered(),
  'rotates its addresses': (random) =>
    answered({
      a: [...POOL]
        .sort(() => random() - 0.5)
        .slice(0, 4)
        .sort(),
    }),
  'is that of two places': (random) => answered({ a: [random() < 0.5 ? '198.51.100.1' : '198.51.100.2'] }),
  'is behind a network that spreads visitors': (random) =>
    answered({ a: [`192.0.2.${Math.floor(random() * 250)}`] }, { alias: 'd1.cloudfront.net' }),
}
export const CALM_WAYS = Object.keys(CALM)

/** Watches such DNS for so long, with an answer in a hundred that is wrong. */
export function watchCalm(way: string, days: number, seed: number) {
  const random = seeded(seed)
  return watch((days * DAY_MS) / LOOK_EVERY_MS, () => flaky(random, CALM[way]?.(random) ?? answered()))
}
