import { randomBytes, randomUUID } from 'node:crypto'
import { DAY_MS, HOUR_MS } from '../../../src/core/history/history-span.ts'
import type { SiteArea } from '../../../src/core/sites/area.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { addIncident } from '../records/history.ts'
import { addRow, addRows, ago, changeRows, type Given } from '../records/rows.ts'
import { addFinding } from '../records/sites.ts'

const MINUTE_MS = 60_000

type Make = (path: string, body: unknown) => Promise<number>

/** `incident` is one of the shop's, which lasts. */
export type DemoSites = { shop: number; fresh: number; incident: number }

export const FRESH_SITE =
  'Museum of the southern region, with its shop, its archive and all of its exhibitions'

const ROOT = 'https://shop.example.com'
const DEEP = `${ROOT}/catalogue/2019/spring/a-rather-long-address-that-somebody-once-thought-of?reference=newsletter&page=3`

type State = Omit<Given<'site_areas'>, 'memory'> & { memory?: object }

const certificate = (subject: string, issuer: string, days: number, names: string[] = []) => ({
  ...{ subject, issuer, names, expires_at: instantIn(days) },
  fingerprint: Array.from({ length: 32 }, (_, index) => ((index * 37 + days) % 256).toString(16)).join(':'),
})

const AREAS: Partial<Record<SiteArea, State>> = {
  home_page: { status: 'up', cause: null },
  certificate: {
    status: 'degraded',
    cause: 'the certificate ends in 12 days, and its issuer changed from R11 to E7',
    memory: {
      chain: [
        certificate('shop.example.com', 'E7, Let’s Encrypt, US', 12, [
          'shop.example.com',
          'www.shop.example.com',
          'static.shop.example.com',
        ]),
        certificate('E7, Let’s Encrypt, US', 'ISRG Root X1, Internet Security Research Group, US', 400),
      ],
    },
  },
  dns: {
    status: 'down',
    cause: 'shop.example.com does not exist any longer, say its name servers',
    status_since: ago(20 * MINUTE_MS),
  },
  domain: {
    status: 'up',
    cause: 'registered until 2027-09-30',
    doubt: 'shop.example.com is not registered',
    doubted_at: ago(3 * MINUTE_MS),
    memory: { expires_at: '2027-09-30T00:00:00.000000Z', source: 'From the registry' },
  },
  links: {
    status: 'degraded',
    cause: '3 new, 1 fixed, 12 known',
    snoozed_until: ago(-3 * DAY_MS),
    snooze_reason: 'The new catalogue goes live on Monday.',
  },
  mixed_content: { status: 'up', cause: null },
}

/** A site in trouble with a crawl under way, one that is new, and one that is paused. */
export async function makeDemoSites(db: Database, team: number, make: Make): Promise<DemoSites> {
  const shop = await make('/sites', { name: 'Shop', url: `${ROOT}/`, areas_off: ['sitemap'] })
  const fresh = await make('/sites', { name: FRESH_SITE, url: 'https://museum.example.org/' })
  await make('/sites', { name: 'Old blog', url: 'http://blog.example.com/', is_active: false })
  for (const [area, { memory = {}, ...state }] of Object.entries(AREAS) as [SiteArea, State][]) {
    await changeRows(
      db,
      'site_areas',
      { site_id: shop, area },
      {
        ...{
          looked_at: ago(3 * MINUTE_MS),
          next_look_at: ago(-4 * MINUTE_MS),
          status_since: ago(9 * DAY_MS),
        },
        ...{ ...state, memory: JSON.stringify(memory) },
      },
    )
  }
  await addCrawl(db, shop)
  await addFindings(db, shop)
  await addDnsSets(db, shop)
  const incident = { team_id: team, site_id: shop }
  const cause = AREAS.dns?.cause ?? ''
  const open = await addIncident(db, { ...incident, about: 'dns', started_at: ago(20 * MINUTE_MS), cause })
  await addIncident(db, {
    ...{ ...incident, about: 'home_page', cause: 'HTTP 503 (expected 200)' },
    ...{ started_at: ago(4 * DAY_MS), resolved_at: ago(4 * DAY_MS - 12 * MINUTE_MS) },
  })
  return { shop, fresh, incident: open }
}

async function addCrawl(db: Database, site: number): Promise<void> {
  const { id } = await addRow(db, 'site_crawls', {
    ...{ site_id: site, started_at: ago(6 * MINUTE_MS), ended_at: null, cut_short: null, by_hand: true },
    ...{ held_by: randomUUID(), held_until: ago(-DAY_MS) },
  })
  const addresses = Array.from({ length: 90 }, (_, index) => ({
    ...{ crawl_id: id, address_hash: Buffer.of(index), address: `${ROOT}/${index}` },
    ...{ host: 'shop.example.com', depth: index % 4 },
    ...{ is_page: index % 3 > 0, outcome: index < 50 ? '{}' : null },
  }))
  await addRows(db, 'site_crawl_addresses', addresses)
}

async function addFindings(db: Database, site: number): Promise<void> {
  const sources = [
    { page: `${ROOT}/`, label: 'Offers of the spring' },
    { page: DEEP, label: 'a[href] in the footer' },
    { page: `${ROOT}/about`, label: 'عروض الربيع' },
  ]
  await addFinding(db, site, { address: DEEP, detail: 'answered 404', sources: JSON.stringify(sources) })
  await addFinding(db, site, {
    ...{ address: 'https://partner.example.net/offer', detail: 'no such host' },
    ...{ confirmed_at: null, first_seen_at: ago(HOUR_MS) },
  })
  await addFinding(db, site, {
    ...{ area: 'mixed_content', kind: 'mixed_active', address: 'http://cdn.example.net/script.js' },
    detail: 'a script over http on a page over https',
  })
  await addFinding(db, site, {
    ...{
      kind: 'unjudged',
      address: 'https://social.example.net/shop',
      detail: 'answered 999: a wall against robots',
    },
  })
  await addFinding(db, site, {
    ...{ kind: 'redirect_hint', address: `${ROOT}/old`, detail: 'moved for good to /new' },
  })
  await addFinding(db, site, { ignored_at: ago(DAY_MS), ignored_reason: 'Gone on purpose.' })
}

async function addDnsSets(db: Database, site: number): Promise<void> {
  const set = (type: string, records: string[], first: number, last: number) => ({
    ...{ site_id: site, type, records, set_hash: randomBytes(8) },
    ...{ first_seen_at: ago(first * DAY_MS), last_seen_at: ago(last * DAY_MS) },
  })
  await addRows(db, 'site_dns_sets', [
    set('ns', ['ns1.example.net', 'ns2.example.net'], 40, 0),
    set('mx', ['10 mail.example.com'], 40, 6),
    set('mx', ['10 mail.example.com', '20 backup.mail.example.net'], 6, 0),
    set(
      'spf',
      ['v=spf1 include:_spf.example.net include:_spf.a-rather-long-name-of-a-sender.example.org -all'],
      40,
      0,
    ),
  ])
}

function instantIn(days: number): string {
  return `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, -1)}000Z`
}
