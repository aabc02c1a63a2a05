import { setTimeout as delay } from 'node:timers/promises'
import type { Heal, Row } from './row.ts'
import { asksOffice, type Family } from './stage.ts'
import type { World } from './world.ts'

const NO_NETWORK = 'meta nfproto ipv4 reject with icmp net-unreachable'
const GAPS_SECONDS = 40
const GAP_MS = { least: 300, most: 3_500 }
const WELL_MS = { least: 500, most: 4_000 }
const LOSS_SECONDS = 60
/** A linear congruential generator (Numerical Recipes) makes gaps that are the same in every run. */
const RANDOM = { factor: 1_664_525, step: 1_013_904_223, modulus: 2 ** 32 }

/** The way out fails for everything: name servers of the local network find nothing else any more, either. */
function wayOut(name: string, begin: (world: World) => Promise<Heal>, more: Partial<Row> = {}): Row {
  return {
    name,
    isNoticed: true,
    hasWitnesses: true,
    async begin(world) {
      const heal = await begin(world)
      const isOffice = world.stage !== null && asksOffice(world.stage)
      if (isOffice) await world.office.setMoods(['SERVFAIL', 'SERVFAIL'])
      return async () => {
        await heal()
        if (isOffice) await world.office.setMoods(['well', 'well'])
      }
    },
    ...more,
  }
}

async function drop({ far }: World): Promise<Heal> {
  await far.lose(100)
  return () => far.lose(0)
}

function link(end: 'near' | 'far') {
  return async ({ far }: World): Promise<Heal> => {
    await far.setLink(end, 'down')
    return () => far.setLink(end, 'up')
  }
}

function route(family: Family) {
  return async ({ far }: World): Promise<Heal> => {
    await far.setRoute(family, 'gone')
    return () => far.setRoute(family, 'there')
  }
}

function router(verdict: string) {
  return async ({ far }: World): Promise<Heal> => {
    await far.routerSays(verdict)
    return () => far.routerSays(null)
  }
}

function firewall(verdict: string) {
  return async ({ far }: World): Promise<Heal> => {
    await far.firewallSays(verdict)
    return () => far.firewallSays(null)
  }
}

function loss(percent: number, more: Partial<Row>): Row {
  return {
    name: `${percent} % of all packets lost`,
    isNoticed: null,
    seconds: LOSS_SECONDS,
    async begin({ far }) {
      await far.lose(percent)
      return () => far.lose(0)
    },
    ...more,
  }
}

/** Everything is lost for a moment, again and again. */
async function gaps({ far }: World): Promise<Heal> {
  const stop = new AbortController()
  let random = 1
  const between = ({ least, most }: typeof GAP_MS) => {
    random = (random * RANDOM.factor + RANDOM.step) % RANDOM.modulus
    return least + ((most - least) * random) / RANDOM.modulus
  }
  const wait = (ms: number) => delay(ms, undefined, { signal: stop.signal }).catch(() => {})
  const running = (async () => {
    while (!stop.signal.aborted) {
      await far.lose(100)
      await wait(between(GAP_MS))
      await far.lose(0)
      await wait(between(WELL_MS))
    }
  })()
  return async () => {
    stop.abort()
    await running
    await far.lose(0)
  }
}

export const WAY_ROWS: Row[] = [
  wayOut('default route gone', route(4)),
  wayOut('link down', link('near')),
  wayOut('cable out', link('far')),
  wayOut('all packets dropped', drop),
  { name: 'all packets dropped for 1 s', isNoticed: null, seconds: 1, begin: drop },
  wayOut('net-unreachable answered for everything', firewall(NO_NETWORK)),
  ...['host-unreachable', 'admin-prohibited'].map(
    (how): Row => ({
      name: `${how} answered for everything`,
      isNoticed: true,
      begin: firewall(`meta nfproto ipv4 reject with icmp ${how}`),
    }),
  ),
  wayOut('router has no route to any network', router('reject with icmpx type no-route')),
  // The system says so at once to whoever sends, except to TCP.
  wayOut('firewall drops everything', firewall('drop'), { isNoticed: null }),
  wayOut('firewall resets every connection', firewall('meta l4proto tcp reject with tcp reset'), {
    isNoticed: null,
    isMeasured: true,
  }),
  wayOut('IPv6 route gone, IPv4 well', route(6), {
    stage: { hasSix: true },
    judges: [4],
    begin: route(6),
  }),
  wayOut('IPv4 route gone, IPv6 well', route(4), { stage: { hasSix: true }, judges: [6] }),
  loss(5, {}),
  loss(10, {}),
  loss(20, { isMeasured: true }),
  { name: 'gaps of 0.3 to 3.5 s, again and again', isNoticed: null, seconds: GAPS_SECONDS, begin: gaps },
]
