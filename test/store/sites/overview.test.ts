import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { CheckStatus } from '../../../src/core/monitors/check.ts'
import { SiteArea } from '../../../src/core/sites/area.ts'
import { siteStatus } from '../../../src/core/sites/site-status.ts'
import { sitesInTrouble } from '../../../src/store/sites/overview.ts'
import { listSites } from '../../../src/store/sites/sites.ts'
import { STORED_KINDS } from '../../../src/store/stored-kinds.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { ago, changeRows } from '../../support/records/rows.ts'
import { addSite } from '../../support/records/sites.ts'
import { addTeam } from '../../support/records/teams.ts'

describe('an overview of sites', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.close())

  it('has the status of each by the rule of core, whatever its areas are', async () => {
    const { db } = database
    const team_id = await addTeam(db)
    // Each area goes through all states at a pace of its own.
    for (let turn = 0; turn < 12; turn++) {
      const off = SiteArea.options[turn] ?? []
      const { id } = await addSite(db, { team_id, areas_off: [off].flat() })
      for (const [place, area] of SiteArea.options.entries()) {
        const status = CheckStatus.options[(turn * (place + 1)) % CheckStatus.options.length]
        await changeRows(
          db,
          'site_areas',
          { site_id: id, area },
          {
            ...{
              status,
              status_since: ago(1_000 * (1 + ((turn + place) % 5))),
              cause: `${area} is ${status}`,
            },
            snoozed_until: place === turn % 3 ? ago(turn % 2 === 0 ? -60_000 : 60_000) : null,
          },
        )
      }
    }
    const sites = (await listSites(db.query, team_id)).map((site) => ({
      ...siteStatus(site.areas, site.areas_off, new Date()),
      id: site.id,
    }))
    const counted = await STORED_KINDS.site.countByStatus(db, team_id)
    assert.deepEqual(
      new Map(counted.map(({ status, count }) => [status, count])),
      new Map([...Map.groupBy(sites, ({ status }) => status)].map(([status, all]) => [status, all.length])),
    )
    const troubled = sites
      .filter(({ status }) => status === 'down' || status === 'degraded')
      .toSorted(
        (a, b) =>
          Number(a.status === 'degraded') - Number(b.status === 'degraded') ||
          Number(b.since) - Number(a.since) ||
          b.id - a.id,
      )
    const found = await sitesInTrouble(db, team_id, 100)
    assert.deepEqual(
      found.map(({ id, status, statusSince }) => ({ id, status, since: statusSince })),
      troubled.map(({ id, status, since }) => ({ id, status, since })),
    )
    assert.ok(
      found.length > 0 && found.every(({ area, status, reason }) => reason === `${area} is ${status}`),
    )
  })

  it('counts paused ones as such, and none that is deleted or of another team', async () => {
    const { db } = database
    const team_id = await addTeam(db)
    await addSite(db, { team_id })
    await addSite(db, { team_id, is_active: false })
    await addSite(db, { team_id, deleted_at: ago(1) })
    const counted = await STORED_KINDS.site.countByStatus(db, team_id)
    assert.deepEqual(
      new Map(counted.map(({ status, count }) => [status, count])),
      new Map([
        ['pending', 1],
        ['paused', 1],
      ]),
    )
    const all = await STORED_KINDS.site.countByStatus(db, null)
    assert.ok(all.reduce((sum, { count }) => sum + count, 0) >= 2)
  })
})
