import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { stateTimes } from '../../../src/core/history/uptime.ts'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import { type GroupRule, groupResult } from '../../../src/core/monitors/groups/group-state.ts'
import type { GroupMembers } from '../../../src/core/monitors/options/groups.ts'
import { createHeldFollowing } from '../../../src/engine/alerting/follow-held.ts'
import { createEndFollowing } from '../../../src/engine/maintenance/follow-ends.ts'
import { judgeAnew } from '../../../src/engine/maintenance/follow-up.ts'
import { createKnownWindows } from '../../../src/engine/maintenance/known-windows.ts'
import type { Recorder } from '../../../src/engine/recording/finding.ts'
import { createRecorder } from '../../../src/engine/recording/recorder.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { readWatchedTime } from '../../../src/store/history/watched-time.ts'
import { askForGroupsOf, readAskedGroups, readMembers } from '../../../src/store/monitors/groups.ts'
import {
  lockMonitors,
  renewRevisions,
  resetStates,
  setActive,
} from '../../../src/store/monitors/monitor-changes.ts'
import { addWindow } from '../../support/maintenance/stored-windows.ts'
import { oneOff } from '../../support/maintenance/windows.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { countDeadlocks, openEagerDatabase } from '../../support/postgres/deadlocks.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { addContacts } from '../../support/records/alerting.ts'
import {
  type AddedMonitor,
  addMonitor,
  addMonitors,
  type NewMonitor,
} from '../../support/records/monitors.ts'
import { addTeam } from '../../support/records/teams.ts'

const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')
const NOON_MS = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000
/** Seconds from a noon. */
const at = (second: number) => new Date(NOON_MS + second * 1_000)

const groupOf = (team_id: number, members: GroupMembers, rule?: GroupRule, columns: NewMonitor = {}) => ({
  ...{ team_id, type: 'group' as const, url: null, ...columns },
  options: { ...columns.options, members, ...(rule && { rule }) },
})

describe('a group of monitors', () => {
  let database: TestDatabase
  let recorder: Recorder
  let teamId: number
  const troubles: unknown[] = []

  before(async () => {
    database = await openTestDatabase()
    recorder = createRecorder(database.db, (error) => troubles.push(error))
    teamId = await addTeam(database.db)
    await addContacts(database.db, [{ team_id: teamId }])
  })
  after(async () => {
    await recorder.close()
    await database.close()
    assert.deepEqual(troubles, [])
  })

  const query = async (text: string, values: unknown[] = []) =>
    (await database.db.pool.query(text, values)).rows
  const member = (columns: NewMonitor = {}) => addMonitor(database.db, { team_id: teamId, ...columns })
  const group = (members: GroupMembers | AddedMonitor[], rule?: GroupRule, columns: NewMonitor = {}) =>
    addMonitor(database.db, groupOf(teamId, idsOf(members), rule, columns))
  const check = ({ id: monitorId, revision }: AddedMonitor, second: number, result = DOWN) =>
    recorder.record({
      ...{ monitorId, revision, checkedAt: at(second), region: null, result, heartbeat: null, ping: null },
    })
  const stateOf = async ({ id }: AddedMonitor) =>
    (
      await query(
        `SELECT s.status, s.status_since AS since, i.cause, i.id IS NOT NULL AS open FROM monitor_state s
         LEFT JOIN team_incidents i ON i.kind = 'monitor' AND i.id = s.open_incident_id WHERE s.monitor_id = $1`,
        [id],
      )
    )[0]
  const statusOf = async (one: AddedMonitor) => (await stateOf(one))?.status
  const eventsOf = async ({ id }: AddedMonitor) =>
    (
      await query("SELECT event FROM deliveries WHERE kind = 'monitor' AND subject_id = $1 ORDER BY id", [id])
    ).map(({ event }) => event)
  const checksOf = async ({ id }: AddedMonitor) =>
    query(
      'SELECT status, error_message AS words, checked_at FROM checks WHERE monitor_id = $1 ORDER BY checked_at',
      [id],
    )
  const plan = ({ id }: AddedMonitor, from: number, to: number) =>
    addWindow(
      database.db,
      teamId,
      {
        ...oneOff(at(from).toISOString(), at(to).toISOString()),
        ...{ all_subjects: false, monitor_ids: [id] },
      },
      at(0),
    )
  const follow = async (second: number) =>
    judgeAnew({ recorder }, await readAskedGroups(database.db, 100), at(second))

  it('goes down and up with the check that changes a member, with an incident, its cause and alerts', async () => {
    const [shop, search, blog] = [
      await member({ name: 'Shop' }),
      await member({ name: 'Search' }),
      await member(),
    ]
    const all = await group([shop, search, blog])
    for (const one of [shop, search, blog]) await check(one, 0, UP)
    assert.equal(await statusOf(all), 'up')
    await check(search, 60)
    assert.deepEqual(await stateOf(all), {
      ...{ status: 'down', since: at(60), cause: '1 of 3 down: Search', open: true },
    })
    await check(shop, 70)
    assert.equal((await stateOf(all))?.cause, '1 of 3 down: Search')
    assert.equal((await checksOf(all)).at(-1)?.words, '2 of 3 down: Shop, Search')
    assert.deepEqual(await eventsOf(all), ['monitor.down'])
    await check(shop, 80, UP)
    await check(search, 90, UP)
    assert.deepEqual(await stateOf(all), { status: 'up', since: at(90), cause: null, open: false })
    assert.deepEqual(await eventsOf(all), ['monitor.down', 'monitor.recovery'])
    await check(search, 100, UP)
    assert.equal((await checksOf(all)).at(-1)?.checked_at.getTime(), at(90).getTime())
  })

  it('is judged once by a batch that changes several members, and after the groups within it', async () => {
    const members = await addMonitors(database.db, 4, () => ({ team_id: teamId }))
    const [first, second] = [await group(members.slice(0, 2), 'any'), await group(members.slice(2), 'any')]
    const both = await group([first, second])
    await Promise.all(members.map((one) => check(one, 0, UP)))
    assert.equal(await statusOf(both), 'up')
    assert.equal((await checksOf(both)).length, 1)
    await Promise.all(members.slice(0, 2).map((one) => check(one, 60)))
    assert.deepEqual(
      [await statusOf(first), await statusOf(second), await statusOf(both)],
      ['down', 'up', 'down'],
    )
    assert.equal((await checksOf(first)).length, 2)
  })

  it('counts whatever carries its tags, and is judged anew when that changes', async () => {
    const tagged = await member({ tags: ['env:prod', 'of:shop'] })
    const other = await member({ tags: ['env:prod'] })
    const shop = await group({ tags: ['env', 'of:shop'] })
    await check(tagged, 0, UP)
    await check(other, 0, DOWN)
    assert.equal(await statusOf(shop), 'up')
    await query("UPDATE monitors SET tags = '{env:test,of:shop}' WHERE id = $1", [other.id])
    await database.db.transaction((trx) => askForGroupsOf(trx, teamId, [other.id]))
    await follow(10)
    assert.equal(await statusOf(shop), 'down')
    assert.deepEqual(await readAskedGroups(database.db, 100), [])
  })

  it('is pending without members that count, quietly, and told of anew when they fail again', async () => {
    const only = await member()
    const all = await group([only])
    await check(only, 0)
    await database.db.transaction(async (trx) => {
      await lockMonitors(trx, teamId, [only.id])
      await setActive(trx, teamId, [only.id], false)
      await askForGroupsOf(trx, teamId, [only.id])
    })
    await follow(10)
    const quiet = { status: 'pending', since: at(10), cause: null, open: false }
    assert.deepEqual([await stateOf(all), await eventsOf(all)], [quiet, ['monitor.down']])
    await query('UPDATE monitors SET is_active = true WHERE id = $1', [only.id])
    await check(only, 20, UP)
    assert.deepEqual([await statusOf(all), await eventsOf(all)], ['up', ['monitor.down']])
    const times = await readWatchedTime(
      ...([database.db.pool, database.db.query, [all.id], { from: at(0), to: at(40) }] as const),
    )
    const { upMs, downMs, unknownMs } = stateTimes(times.get(all.id) as never, {
      ...{ fromMs: at(0).getTime(), toMs: at(40).getTime() },
    })
    assert.deepEqual([downMs, unknownMs, upMs], [10_000, 10_000, 20_000])
  })

  it('goes on with its incident while its members fail as planned', async () => {
    const only = await member()
    const all = await group([only])
    await check(only, 0)
    await plan(only, 50, 100)
    await check(only, 60)
    assert.deepEqual(await stateOf(all), {
      ...{ status: 'pending', since: at(60), cause: '1 of 1 down: Shop', open: true },
    })
    await check(only, 120, UP)
    assert.deepEqual(await eventsOf(all), ['monitor.down', 'monitor.recovery'])
  })

  it('fails as planned under a window of its own, and is told of when that ends', async () => {
    const only = await member()
    const all = await group([only])
    await check(only, 0, UP)
    await plan(all, 10, 50)
    await check(only, 20)
    assert.deepEqual([await statusOf(all), await eventsOf(all)], ['maintenance', []])
    const followEnds = createEndFollowing({ db: database.db, recorder, region: null }, createKnownWindows())
    await followEnds(at(40))
    assert.equal(await statusOf(all), 'maintenance')
    await followEnds(at(60))
    assert.deepEqual([await statusOf(all), await eventsOf(all)], ['down', ['monitor.down']])
  })

  it('waits with its alert for what it depends on, and holds those that depend on it', async () => {
    const [router, web] = [await member(), await member()]
    const all = await group([web], 'all', { options: { depends_on: [router.id] } })
    const child = await member({ options: { depends_on: [all.id] } })
    for (const one of [router, web, child]) await check(one, 0, UP)
    await check(router, 10)
    await check(web, 20)
    await check(child, 30)
    assert.deepEqual([await eventsOf(all), await eventsOf(child)], [[], []])
    await check(router, 40, UP)
    const followHeld = createHeldFollowing({ db: database.db, recorder, region: null })
    await followHeld(at(50))
    assert.deepEqual([await eventsOf(all), await eventsOf(child)], [['monitor.down'], []])
    await check(web, 60, UP)
    await check(child, 70)
    assert.deepEqual(await eventsOf(child), ['monitor.down'])
  })

  it('is left alone while it is paused or deleted', async () => {
    const only = await member()
    const paused = await group([only], 'all', { is_active: false })
    const gone = await group([only], 'all', { deleted_at: at(0) })
    await check(only, 0)
    await judgeAnew({ recorder }, [paused.id, gone.id], at(10))
    for (const one of [paused, gone])
      assert.deepEqual([await statusOf(one), await checksOf(one)], ['pending', []])
  })
})

function idsOf(members: GroupMembers | AddedMonitor[]): GroupMembers {
  if (!Array.isArray(members)) return members
  return members.map((one) => (typeof one === 'number' ? one : one.id))
}

describe('groups whose members change at the same moment', () => {
  const MEMBERS = 24
  const WRITERS = 4
  const ROUNDS = 25

  it('end with the state of their rule over the last states of their members, without a deadlock', async () => {
    const database = await openEagerDatabase()
    const { db } = database
    const troubles: unknown[] = []
    const teamId = await addTeam(db)
    // Groups have IDs before, between and after those of their members.
    const before = await addMonitors(db, 2, () => groupOf(teamId, [1]))
    const members = await addMonitors(db, MEMBERS, (index) => ({
      team_id: teamId,
      tags: [`half:${index % 2}`],
    }))
    const ids = members.map(({ id }) => id)
    const tagged = await addMonitors(db, 2, (half) =>
      groupOf(teamId, { tags: [`half:${half}`] }, { percent: 50 }),
    )
    const above = await addMonitors(db, 2, (index) =>
      groupOf(
        teamId,
        [...before, ...tagged].map(({ id }) => id),
        index === 0 ? 'any' : { at_least: 3 },
      ),
    )
    const top = await addMonitor(db, groupOf(teamId, [...above.map(({ id }) => id), ids[0] as number], 'any'))
    for (const [index, { id }] of before.entries())
      await db.pool.query(`UPDATE monitors SET options = jsonb_set(options, '{members}', $2) WHERE id = $1`, [
        id,
        JSON.stringify(ids.filter((_, place) => place % 3 === index)),
      ])
    const recorders = Array.from({ length: WRITERS }, () =>
      createRecorder(db, (error) => troubles.push(error)),
    )
    let clock = 0
    const change = (recorder: Recorder) => {
      const some = shuffled(ids).slice(0, 5)
      return Promise.all(
        some.map((monitorId) =>
          recorder.record({
            ...{
              monitorId,
              revision: null,
              checkedAt: at(clock++),
              region: null,
              heartbeat: null,
              ping: null,
            },
            result: Math.random() < 0.5 ? UP : DOWN,
          }),
        ),
      )
    }
    const people = () =>
      db.transaction(async (trx) => {
        const some = [...shuffled(ids).slice(0, 3), ...above.map(({ id }) => id)]
        await lockMonitors(trx, teamId, some)
        const isActive = Math.random() < 0.7
        await setActive(trx, teamId, some.slice(0, 3), isActive)
        if (isActive)
          await resetStates(
            trx,
            some.slice(0, 3).map((id) => ({ id, heartbeatDueAt: null })),
            at(clock++),
          )
        await askForGroupsOf(trx, teamId, some)
        await renewRevisions(trx, some)
      })
    const judge = async (recorder: Recorder) =>
      judgeAnew({ recorder }, await readAskedGroups(db, 100), at(clock++))
    const works = [
      ...recorders.map((recorder) => () => change(recorder)),
      people,
      people,
      () => judge(recorders[0] as Recorder),
      () => judge(recorders[1] as Recorder),
    ]
    await Promise.all(
      works.map(async (work) => {
        for (let round = 0; round < ROUNDS; round++) await work()
      }),
    )
    await judge(recorders[0] as Recorder)
    const groups = [...before, ...tagged, ...above, top].map(({ id }) => id)
    const found = await statesByRule(db, groups)
    assert.deepEqual(found.stored, found.wanted)
    await db.pool.query('UPDATE monitors SET is_active = true WHERE team_id = $1', [teamId])
    await db.pool.query(
      `UPDATE monitor_state s SET revision = m.revision FROM monitors m WHERE m.id = s.monitor_id`,
    )
    // The batches alone judge from here on: nothing is asked for.
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(recorders.map(change))
      const now = await statesByRule(db, groups)
      if (round > 0) assert.deepEqual(now.stored, now.wanted, `in round ${round}`)
    }
    for (const one of recorders) await one.close()
    const deadlocks = await countDeadlocks(db)
    await database.close()
    assert.deepEqual([troubles, deadlocks], [[], 0])
  })
})

/** The status and words of groups as they were judged last, and by the states that their members have. */
async function statesByRule(db: Database, ids: number[]) {
  const members = await readMembers(db.pool, ids)
  const { rows } = await db.pool.query<{
    id: number
    rule: GroupRule | null
    status: string
    words: string | null
  }>(
    `SELECT m.id, m.options -> 'rule' AS rule, s.status, c.error_message AS words
     FROM monitors m JOIN monitor_state s ON s.monitor_id = m.id
     LEFT JOIN checks c ON c.monitor_id = m.id AND c.checked_at = s.last_checked_at
     WHERE m.id = ANY($1) ORDER BY m.id`,
    [ids],
  )
  return {
    stored: rows.map(({ id, status, words }) => [id, status, words]),
    wanted: rows.map(({ id, rule }) => {
      const { status, errorMessage, note } = groupResult(rule ?? 'all', members.get(id) ?? [])
      return [id, status, errorMessage ?? note ?? null]
    }),
  }
}

function shuffled<T>(all: readonly T[]): T[] {
  return all
    .map((one) => ({ one, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
