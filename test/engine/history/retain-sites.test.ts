import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlanName } from '../../../src/core/teams/plan.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { itAtLength } from '../../support/at-length.ts'
import { openWithoutDays, tend } from '../../support/history/upkeep.ts'
import { addRow } from '../../support/records/rows.ts'
import { addFinding, addSite } from '../../support/records/sites.ts'
import { addTeam } from '../../support/records/teams.ts'

const NOW = new Date('2027-06-30T12:30:00Z')
const DAY_MS = 86_400_000

// npm test leaves this out: it keeps, closes and retains 400 days of sites (seconds of a core).
itAtLength(
  'incidents and closed days of sites are kept for 400 days, and for ever where the plan keeps checks so',
  async (t) => {
    const db = await openWithoutDays(t)
    const sites = new Map<PlanName, number>()
    for (const plan of ['free', 'business'] as const) {
      const { id, team_id } = await addSite(db, { team_id: await addTeam(db, { plan }) })
      for (const age of [3, 400, 402, 403]) {
        await addIncident(db, team_id, id, age)
        await addDay(db, id, age)
      }
      sites.set(plan, id)
    }
    const free = sites.get('free') as number
    await db.pool.query(
      `INSERT INTO team_incidents (kind, team_id, subject_id, about, started_at, cause)
     SELECT 'site', team_id, id, 'dns', $2, 'no name' FROM sites WHERE id = $1`,
      [free, daysBefore(500)],
    )
    await tend(db, NOW)
    const business = sites.get('business') as number
    assert.deepEqual(await agesIn(db, 'team_incidents', free), [3, 400, 500], 'one that is open stays')
    assert.deepEqual(await agesIn(db, 'site_days', free), [3, 400])
    assert.deepEqual(
      await agesIn(db, 'subject_status_changes', free),
      [3, 400, 402],
      'the last says what was then',
    )
    for (const table of ['team_incidents', 'site_days', 'subject_status_changes'] as const)
      assert.deepEqual(await agesIn(db, table, business), [3, 400, 402, 403], table)
  },
)

test('of the crawls of a site the newest that ended stays, and findings that were fixed go after 31 days', async (t) => {
  const db = await openWithoutDays(t)
  const { id } = await addSite(db)
  await addCrawl(db, id, 3)
  const second = await addCrawl(db, id, 2)
  const third = await addCrawl(db, id, 1, false)
  const open = await addFinding(db, id, { first_seen_at: daysBefore(300), last_seen_at: daysBefore(200) })
  const fresh = await addFinding(db, id, { fixed_at: daysBefore(30) })
  await addFinding(db, id, { fixed_at: daysBefore(32) })
  await tend(db, NOW)
  assert.deepEqual(await idsOf(db, 'site_crawls'), [second, third])
  assert.deepEqual(await idsOf(db, 'site_findings'), [open, fresh])
  for (const table of ['site_crawl_addresses', 'site_crawl_links', 'site_crawl_faults'])
    assert.deepEqual(await crawlsIn(db, table), [second, third], table)
})

test('what was found of a deleted site goes once it cannot come back, and the rest with the log of its alerts', async (t) => {
  const db = await openWithoutDays(t)
  const { id, team_id } = await addSite(db, { deleted_at: daysBefore(2) })
  const { id: fresh } = await addSite(db, { deleted_at: daysBefore(0) })
  const { id: older } = await addSite(db, { deleted_at: daysBefore(401) })
  const { id: other } = await addSite(db)
  for (const site of [id, fresh, older, other]) {
    await addCrawl(db, site, 2)
    await addFinding(db, site)
    await addRow(db, 'site_dns_sets', {
      ...{ site_id: site, type: 'A', set_hash: Buffer.from([1]), records: ['203.0.113.7'] },
      ...{ first_seen_at: daysBefore(9), last_seen_at: daysBefore(1) },
    })
    await addIncident(db, team_id, site, 9)
  }
  await tend(db, NOW)
  for (const table of ['site_crawls', 'site_findings', 'site_dns_sets'])
    assert.deepEqual(await sitesIn(db, table), [fresh, other], table)
  for (const table of ['team_incidents', 'site_areas'])
    assert.deepEqual(await sitesIn(db, table), [id, fresh, other], table)
  assert.deepEqual(await idsOf(db, 'sites'), [id, fresh, other])
})

/** A crawl of one page, with one link and one fault. */
async function addCrawl(db: Database, siteId: number, age: number, hasEnded = true): Promise<number> {
  const at = daysBefore(age)
  const { id } = await addRow(db, 'site_crawls', {
    ...{ site_id: siteId, started_at: at, ended_at: hasEnded ? at : null, cut_short: null, by_hand: false },
  })
  const hash = Buffer.from([1])
  const address = 'https://example.com/'
  await addRow(db, 'site_crawl_addresses', {
    ...{
      crawl_id: id,
      address_hash: hash,
      address,
      host: 'example.com',
      is_page: true,
      depth: 0,
      outcome: null,
    },
  })
  await addRow(db, 'site_crawl_links', { crawl_id: id, target_hash: hash, page_hash: hash, label: 'Home' })
  await addRow(db, 'site_crawl_faults', {
    ...{ crawl_id: id, key_hash: hash, page_hash: hash, kind: 'mixed_active', address },
    ...{ detail: 'a script', label: 'script src' },
  })
  return id
}

async function addIncident(db: Database, teamId: number, siteId: number, age: number): Promise<void> {
  const at = daysBefore(age)
  await addRow(db, 'team_incidents', {
    ...{ kind: 'site', team_id: teamId, subject_id: siteId, about: 'home_page', cause: 'HTTP 503' },
    ...{ started_at: at, resolved_at: at },
  })
}

/** A closed day, and a change of status. */
async function addDay(db: Database, site_id: number, age: number): Promise<void> {
  const at = daysBefore(age)
  const times = { up_ms: DAY_MS, degraded_ms: 0, down_ms: 0, maintenance_ms: 0 }
  await addRow(db, 'site_days', { site_id, day: at, ...times })
  await addRow(db, 'subject_status_changes', { kind: 'site', subject_id: site_id, at, status: 'up' })
}

const TIMES = { team_incidents: 'started_at', site_days: 'day', subject_status_changes: 'at' } as const

async function agesIn(db: Database, table: keyof typeof TIMES, siteId: number): Promise<number[]> {
  const { rows } = await db.pool.query<{ at: Date }>(
    `SELECT ${TIMES[table]} AS at FROM ${table} WHERE ${siteIn(table)} = $1 ORDER BY 1 DESC`,
    [siteId],
  )
  return rows.map(({ at }) => Math.round((daysBefore(0).getTime() - at.getTime()) / DAY_MS))
}

const siteIn = (table: string) =>
  ['subject_status_changes', 'team_incidents'].includes(table) ? 'subject_id' : 'site_id'

function idsOf(db: Database, table: string): Promise<number[]> {
  return column(db, `SELECT id AS value FROM ${table} ORDER BY 1`)
}

function sitesIn(db: Database, table: string): Promise<number[]> {
  return column(db, `SELECT DISTINCT ${siteIn(table)} AS value FROM ${table} ORDER BY 1`)
}

function crawlsIn(db: Database, table: string): Promise<number[]> {
  return column(db, `SELECT DISTINCT crawl_id AS value FROM ${table} ORDER BY 1`)
}

async function column(db: Database, text: string): Promise<number[]> {
  const { rows } = await db.pool.query<{ value: number }>(text)
  return rows.map(({ value }) => value)
}

function daysBefore(age: number): Date {
  return new Date(Date.UTC(2027, 5, 30) - age * DAY_MS)
}
