import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type pg from 'pg'
import { english } from '../../../src/core/language/said.ts'
import { type Connection, inTransaction } from '../../../src/postgres/database.ts'
import { lockMonitors } from '../../../src/store/monitors/monitor-changes.ts'
import { lockStates } from '../../../src/store/monitors/recording.ts'
import { beatPulse, forgiveDowntime } from '../../../src/store/probing/pulse.ts'
import { announceTeams, requestChecks } from '../../../src/store/probing/schedule.ts'
import { findAskedServers, hashServerToken, lockServerStates } from '../../../src/store/servers/recording.ts'
import { endCrawl, readFindings } from '../../../src/store/sites/crawl-findings.ts'
import { holdCrawl, openCrawl } from '../../../src/store/sites/crawls.ts'
import { lookNow } from '../../../src/store/sites/due-areas.ts'
import { holdSites, lockAreas } from '../../../src/store/sites/recording.ts'
import type { TestDatabase } from '../../support/postgres/database.ts'
import { besideRival, openPlannedDatabase, PLANS, type Plan } from '../../support/postgres/rival.ts'
import { addMonitors } from '../../support/records/monitors.ts'
import { addServers } from '../../support/records/servers.ts'
import { addFinding, addSite } from '../../support/records/sites.ts'

const COUNT = 10
const AT = new Date('2026-03-02T09:00:00Z')
const later = (seconds: number) => new Date(AT.getTime() + seconds * 1_000)

/** A lock that is granted after a wait must be of all rows, and of each as it is by then. */
for (const plan of Object.keys(PLANS) as Plan[]) {
  describe(`what recorders and people lock, with a rival that changes it, planned ${plan}`, () => {
    let database: TestDatabase
    before(async () => {
      database = await openPlannedDatabase(plan)
    })
    after(() => database?.close())

    const query = async (text: string, values: unknown[] = []) =>
      (await database.db.pool.query(text, values)).rows
    const beside = async <T>(rival: string, values: unknown[], ours: () => Promise<T>): Promise<T> => {
      const { result, waited } = await besideRival(
        database.db,
        (client: pg.Client) => client.query(rival, values),
        ours,
      )
      assert.ok(waited, 'ours is to wait for the rival')
      return result
    }
    const locked = <T>(lock: (client: Connection) => Promise<T>) => inTransaction(database.db.pool, lock)
    const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id)

    it('states of servers', async () => {
      const servers = await addServers(database.db, COUNT, () => ({ state: { silent_at: AT } }))
      const ids = idsOf(servers)
      const asked = {
        tokenHashes: servers.slice(1).map(({ token }) => hashServerToken(token)),
        serverIds: ids.slice(0, 1),
      }
      const states = await beside(
        'UPDATE server_state SET silent_at = $2 WHERE server_id = ANY($1)',
        [ids, later(1)],
        () => locked(async (client) => lockServerStates(client, await findAskedServers(client, asked))),
      )
      assert.deepEqual(
        states.map(({ serverId, silentAt }) => [serverId, silentAt]),
        ids.map((id) => [id, later(1)]),
      )
    })

    it('states of monitors', async () => {
      const ids = idsOf(await addMonitors(database.db, COUNT))
      const states = await beside(
        'UPDATE monitor_state SET passing = 2 WHERE monitor_id = ANY($1)',
        [ids],
        () => locked((client) => lockStates(client, ids)),
      )
      assert.deepEqual(
        states.map(({ monitorId, passing }) => [monitorId, passing]),
        ids.map((id) => [id, 2]),
      )
    })

    it('sites, with their team as it is by then, and their areas', async () => {
      const first = await addSite(database.db)
      const sites = [first, await addSite(database.db, { team_id: first.team_id })]
      const ids = idsOf(sites)
      const held = await beside(
        `WITH t AS (UPDATE teams SET maintenance_revision = 7 WHERE id = (SELECT team_id FROM sites WHERE id = $2)),
              a AS (UPDATE site_areas SET cause = 'new' WHERE site_id = ANY($1))
         UPDATE sites SET name = 'Other' WHERE id = ANY($1)`,
        [ids, ids[0]],
        () =>
          locked(async (client) => ({
            sites: await holdSites(client, ids),
            areas: await lockAreas(client, ids),
          })),
      )
      assert.deepEqual(
        held.sites.map(({ siteId, name, maintenanceRevision }) => [siteId, name, maintenanceRevision]),
        ids.map((id) => [id, 'Other', 7]),
      )
      assert.ok(held.areas.length > ids.length && held.areas.every(({ cause }) => cause === 'new'))
    })

    it('monitors that somebody changes, but for one that is gone by then', async () => {
      const monitors = await addMonitors(database.db, COUNT)
      const ids = idsOf(monitors)
      const held = await beside(
        `WITH s AS (UPDATE monitor_state SET passing = 1 WHERE monitor_id = ANY($1))
         UPDATE monitors SET is_active = false, deleted_at = CASE WHEN id = $2 THEN now() END WHERE id = ANY($1)`,
        [ids, ids[3]],
        () => database.db.transaction((query) => lockMonitors(query, monitors[0]?.teamId ?? 0, ids)),
      )
      assert.deepEqual(idsOf(held), ids.toSpliced(3, 1))
      assert.ok(held.every(({ is_active }) => !is_active))
    })

    it('deadlines after a standstill: all of them are moved, from where they are by then', async () => {
      await beatPulse(database.db, AT)
      const silent = { silent_at: later(60), last_report_at: later(-60) }
      const serverIds = idsOf(await addServers(database.db, COUNT, () => ({ state: silent })))
      const due = { heartbeat_due_at: later(60), last_checked_at: later(-60) }
      const monitorIds = idsOf(await addMonitors(database.db, COUNT, () => ({ state: due })))
      const seconds = await beside(
        `WITH s AS (UPDATE server_state SET silent_at = silent_at + interval '1 second',
             last_report_at = CASE WHEN server_id = $3 THEN $5::timestamptz ELSE last_report_at END
           WHERE server_id = ANY($1))
         UPDATE monitor_state SET heartbeat_due_at = heartbeat_due_at + interval '1 second',
           last_checked_at = CASE WHEN monitor_id = $4 THEN $5::timestamptz ELSE last_checked_at END
         WHERE monitor_id = ANY($2)`,
        [serverIds, monitorIds, serverIds[2], monitorIds[2], later(30)],
        () => forgiveDowntime(database.db, later(100)),
      )
      assert.equal(seconds, 100)
      // One of each was heard of meanwhile.
      const expected = Array.from({ length: COUNT }, (_, index) => later(index === 2 ? 61 : 161))
      const servers = await query(
        'SELECT silent_at AS at FROM server_state WHERE server_id = ANY($1) ORDER BY server_id',
        [serverIds],
      )
      const states = await query(
        'SELECT heartbeat_due_at AS at FROM monitor_state WHERE monitor_id = ANY($1) ORDER BY monitor_id',
        [monitorIds],
      )
      assert.deepEqual(
        [servers, states].map((rows) => rows.map(({ at }) => at)),
        [expected, expected],
      )
    })

    it('monitors that are to be checked at once, but for one that is paused by then', async () => {
      const monitors = await addMonitors(database.db, COUNT)
      const ids = idsOf(monitors)
      const rival = "UPDATE monitors SET name = 'Other', is_active = id <> $2 WHERE id = ANY($1)"
      await beside(rival, [ids, ids[4]], () => requestChecks(database.db, ids, AT))
      const requested = await query(
        'SELECT id FROM monitors WHERE check_requested_at = $1 AND id = ANY($2) ORDER BY id',
        [AT, ids],
      )
      assert.deepEqual(idsOf(requested), ids.toSpliced(4, 1))
    })

    it('monitors of a team whose settings changed', async () => {
      const monitors = await addMonitors(database.db, COUNT, () => ({ changed_at: AT }))
      const ids = idsOf(monitors)
      await beside("UPDATE monitors SET name = 'Other' WHERE id = ANY($1)", [ids], () =>
        database.db.transaction((query) => announceTeams(query, [monitors[0]?.teamId ?? 0])),
      )
      const changed = await query('SELECT id FROM monitors WHERE id = ANY($1) AND changed_at > $2', [
        ids,
        new Date(0),
      ])
      const untouched = await query('SELECT id FROM monitors WHERE id = ANY($1) AND changed_at = $2', [
        ids,
        AT,
      ])
      assert.deepEqual([changed.length, untouched.length], [COUNT, 0])
    })

    it('areas of sites that are to be looked at, but for one that is due by then', async () => {
      const site = await addSite(database.db)
      const areas = (['home_page', 'certificate', 'dns', 'domain'] as const).map((area) => ({
        siteId: site.id,
        area,
      }))
      await query("UPDATE site_areas SET next_look_at = now() + interval '1 day' WHERE site_id = $1", [
        site.id,
      ])
      await beside(
        `UPDATE site_areas SET cause = 'new', next_look_at = CASE WHEN area = 'dns' THEN $2 ELSE next_look_at END
         WHERE site_id = $1`,
        [site.id, AT],
        () => lookNow(database.db, areas),
      )
      const due = await query(
        'SELECT area FROM site_areas WHERE site_id = $1 AND next_look_at BETWEEN $2 AND now() ORDER BY area',
        [site.id, later(1)],
      )
      assert.deepEqual(
        due.map(({ area }) => area),
        ['certificate', 'domain', 'home_page'],
      )
    })

    it('findings of a site that a person ignores, and its crawl that another process keeps', async () => {
      const { id: siteId } = await addSite(database.db)
      for (let index = 0; index < 3; index++) await addFinding(database.db, siteId)
      const findings = await beside(
        'UPDATE site_findings SET ignored_at = $2 WHERE site_id = $1',
        [siteId, AT],
        () => locked((client) => readFindings(client, siteId)),
      )
      assert.deepEqual(
        findings.map(({ ignoredAt }) => ignoredAt),
        [AT, AT, AT],
      )
      const crawlId = (await openCrawl(database.db, siteId, false))?.id ?? 0
      const [mine, other] = [crypto.randomUUID(), crypto.randomUUID()]
      const rival =
        "UPDATE site_crawls SET held_by = $2, held_until = now() + interval '1 hour', cut_short = 'late' WHERE id = $1"
      assert.equal(
        await beside(rival, [crawlId, other], () => holdCrawl(database.db, crawlId, mine, 60_000)),
        false,
      )
      const ended = await beside(rival, [crawlId, other], () =>
        locked((client) => endCrawl(client, siteId, crawlId, new Date())),
      )
      assert.deepEqual(ended?.cutShort.map(english), ['late'])
    })
  })
}
