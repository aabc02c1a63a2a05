import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { endPassingTurns } from '../../../src/engine/maintenance/end-passing-turns.ts'
import { keepPast } from '../../../src/engine/maintenance/keep-past.ts'
import { keepOccurrence, listKept } from '../../../src/store/maintenance/occurrences.ts'
import { removeSomeOccurrences, removeSomeWindows } from '../../../src/store/maintenance/past-occurrences.ts'
import { markWindowDeleted, updateWindow } from '../../../src/store/maintenance/windows.ts'
import { addWindow } from '../../support/maintenance/stored-windows.ts'
import { oneOff, recurring, switchWindow } from '../../support/maintenance/windows.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { addMonitor, type NewMonitor } from '../../support/records/monitors.ts'
import { changeRows, type Given } from '../../support/records/rows.ts'
import { addServers, type NewServer } from '../../support/records/servers.ts'
import { addSite } from '../../support/records/sites.ts'
import { addTeam } from '../../support/records/teams.ts'

/** Minutes from the start of the turn. */
const at = (minute: number) => new Date(Date.UTC(2027, 0, 10, 2) + minute * 60_000)

describe('occurrences that end', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.close())

  const revisionOf = async (teamId: number) =>
    (await database.db.pool.query('SELECT maintenance_revision FROM teams WHERE id = $1', [teamId])).rows[0]
      .maintenance_revision
  const endsOf = async (teamId: number) =>
    (await listKept(database.db.query, teamId, new Date(0))).map(({ endsAt, endedBy }) => [endsAt, endedBy])

  describe('a switch that ends when all passes', () => {
    const passing = { status: 'up' as const, status_since: at(-60), last_checked_at: at(9) }
    const rows: [
      what: string,
      monitors: NewMonitor[],
      ends: boolean,
      changes?: Parameters<typeof switchWindow>[0],
    ][] = [
      ['all pass', [{ state: passing }, { state: { ...passing, status: 'degraded' } }], true],
      ['one fails', [{ state: passing }, { state: { ...passing, status: 'maintenance' } }], false],
      ['one is told down', [{ state: { ...passing, status: 'down' } }], false],
      ['one could not be judged', [{ state: { ...passing, status: 'pending' } }], false],
      ['one passes for less than 5 minutes', [{ state: { ...passing, status_since: at(7) } }], false],
      ['one was not checked in the turn', [{ state: { ...passing, last_checked_at: at(-1) } }], false],
      [
        'a job did not have to report',
        [{ type: 'heartbeat', state: { ...passing, last_checked_at: at(-1) } }],
        true,
      ],
      [
        'one that fails is paused',
        [{ state: passing }, { is_active: false, state: { status: 'down' } }],
        true,
      ],
      ['nothing is checked', [{ is_active: false, state: passing }], false],
      ['it is to be ended by hand', [{ state: passing }], false, { ends_when_passing: false }],
    ]
    for (const [what, monitors, ends, changes] of rows) {
      it(what, async () => {
        const team_id = await addTeam(database.db)
        for (const monitor of monitors) await addMonitor(database.db, { team_id, ...monitor })
        const window = switchWindow({ ends_when_passing: true, ...changes })
        const windowId = await addWindow(database.db, team_id, window, new Date(0))
        const subjects = { all_subjects: true, monitor_ids: [], server_ids: [], site_ids: [] }
        const turn = { windowId, startsAt: at(0), endsAt: at(60), endedBy: null, ...subjects }
        await keepOccurrence(database.db.query, team_id, turn)
        const revision = await revisionOf(team_id)
        await endPassingTurns(database.db, at(4.9))
        assert.deepEqual(await endsOf(team_id), [[at(60), null]], 'too early')
        await endPassingTurns(database.db, at(10))
        await endPassingTurns(database.db, at(11))
        assert.deepEqual(await endsOf(team_id), [ends ? [at(10), 'passing'] : [at(60), null]])
        assert.equal(await revisionOf(team_id), revision + (ends ? 1 : 0))
      })
    }
  })

  describe('a switch of servers that ends when all passes', () => {
    const passing = { status: 'up' as const, status_since: at(-60), last_report_at: at(9) }
    const rows: [what: string, servers: NewServer[], ends: boolean][] = [
      ['all pass', [{ state: passing }, { state: { ...passing, status: 'degraded' } }], true],
      ['one fails', [{ state: passing }, { state: { ...passing, status: 'maintenance' } }], false],
      ['one did not report in the turn', [{ state: { ...passing, last_report_at: at(-1) } }], false],
      ['one never reported', [{ state: passing }, {}], true],
      ['none ever reported', [{}], false],
      [
        'one that fails is paused',
        [{ state: passing }, { is_active: false, state: { status: 'down' } }],
        true,
      ],
    ]
    for (const [what, servers, ends] of rows) {
      it(what, async () => {
        const team_id = await addTeam(database.db)
        // The switch covers no monitors, of which one fails.
        await addMonitor(database.db, { team_id, state: { status: 'down' } })
        const added = await addServers(database.db, servers.length, (index) => ({
          team_id,
          ...servers[index],
        }))
        const server_ids = added.map(({ id }) => id)
        const subjects = { all_subjects: false, monitor_ids: [], server_ids, site_ids: [] }
        const window = switchWindow({ ends_when_passing: true, ...subjects })
        const windowId = await addWindow(database.db, team_id, window, new Date(0))
        const turn = { windowId, startsAt: at(0), endsAt: at(60), endedBy: null, ...subjects }
        await keepOccurrence(database.db.query, team_id, turn)
        await endPassingTurns(database.db, at(10))
        assert.deepEqual(await endsOf(team_id), [ends ? [at(10), 'passing'] : [at(60), null]])
      })
    }
  })

  describe('a switch of sites that ends when all passes', () => {
    const passing = { status: 'up' as const, status_since: at(-60), looked_at: at(9) }
    const rows: [what: string, home: Given<'site_areas'>, ends: boolean][] = [
      ['all pass', passing, true],
      ['the home page fails', { ...passing, status: 'maintenance' }, false],
      ['the home page was not looked at in the turn', { ...passing, looked_at: at(-1) }, false],
      ['the home page, which fails, is snoozed', { ...passing, status: 'down', snoozed_until: at(60) }, true],
    ]
    for (const [what, home, ends] of rows) {
      it(what, async () => {
        const { id, team_id } = await addSite(database.db)
        await changeRows(database.db, 'site_areas', { site_id: id, area: 'home_page' }, home)
        await changeRows(
          database.db,
          'site_areas',
          { site_id: id, area: 'links' },
          { ...passing, status: 'degraded' },
        )
        const subjects = { all_subjects: false, monitor_ids: [], server_ids: [], site_ids: [id] }
        const window = switchWindow({ ends_when_passing: true, ...subjects })
        const windowId = await addWindow(database.db, team_id, window, new Date(0))
        const turn = { windowId, startsAt: at(0), endsAt: at(60), endedBy: null, ...subjects }
        await keepOccurrence(database.db.query, team_id, turn)
        await endPassingTurns(database.db, at(10))
        assert.deepEqual(await endsOf(team_id), [ends ? [at(10), 'passing'] : [at(60), null]])
      })
    }
  })

  describe('what is over', () => {
    const keep = async (now: Date) => {
      for await (const _step of keepPast({ db: database.db, now: () => now }));
    }
    const daily = recurring({ local_start: '2027-01-08T02:00', rule: 'FREQ=DAILY', time_zone: 'UTC' })
    const day = (days: number, minute: number) => at(days * 1_440 + minute)

    it('is kept once, with the subjects that it had, whatever is changed later', async () => {
      const team_id = await addTeam(database.db)
      const { id } = await addMonitor(database.db, { team_id })
      const { query } = database.db
      const subjects = { all_subjects: false, monitor_ids: [id], server_ids: [], site_ids: [] }
      const windowId = await addWindow(database.db, team_id, { ...daily, ...subjects }, new Date(0))
      await addWindow(database.db, team_id, { ...daily, time_zone: 'Mars/Olympus' }, new Date(0))
      // The occurrence of the 9th was made a longer one, and that of the 11th is called off.
      const kept = { windowId, endedBy: null, ...subjects }
      await keepOccurrence(query, team_id, { ...kept, startsAt: day(-1, 0), endsAt: day(-1, 200) })
      await keepOccurrence(query, team_id, { ...kept, startsAt: day(1, 0), endsAt: day(1, 0) })
      const revision = await revisionOf(team_id)
      await keep(day(0, 119))
      assert.deepEqual(await endsOf(team_id), [
        [day(-2, 120), null],
        [day(-1, 200), null],
        [day(1, 0), null],
      ])
      await keep(day(0, 120))
      await keep(day(0, 121))
      await updateWindow(
        query,
        team_id,
        windowId,
        { ...daily, all_subjects: true, monitor_ids: [], server_ids: [], site_ids: [] },
        day(0, 122),
      )
      await keep(day(2, 121))
      const all = await listKept(query, team_id, new Date(0))
      assert.deepEqual(
        all.map(({ endsAt, monitor_ids }) => [endsAt, monitor_ids]),
        [
          [day(-2, 120), [id]],
          [day(-1, 200), [id]],
          [day(0, 120), [id]],
          [day(1, 0), [id]],
          [day(2, 120), []],
        ],
      )
      assert.equal(await revisionOf(team_id), revision)
    })

    it('stays when its window is deleted, which goes when nothing is left of it', async () => {
      const team_id = await addTeam(database.db)
      const windowId = await addWindow(
        database.db,
        team_id,
        oneOff(at(0).toISOString(), at(60).toISOString()),
        new Date(0),
      )
      await markWindowDeleted(database.db.query, team_id, windowId, at(61))
      await keep(at(62))
      assert.deepEqual(await endsOf(team_id), [[at(60), null]])
      const windows = async () =>
        (await database.db.pool.query('SELECT FROM maintenance_windows WHERE team_id = $1', [team_id]))
          .rowCount
      await removeSomeWindows(database.db, at(70))
      assert.equal(await windows(), 1)
      await removeSomeOccurrences(database.db, at(60))
      assert.equal((await endsOf(team_id)).length, 1)
      await removeSomeOccurrences(database.db, at(61))
      await removeSomeWindows(database.db, at(61))
      assert.equal(await windows(), 1)
      await removeSomeWindows(database.db, at(62))
      assert.equal(await windows(), 0)
    })
  })
})
