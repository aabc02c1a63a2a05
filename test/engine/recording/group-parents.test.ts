import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import type { GroupMembers } from '../../../src/core/monitors/options/groups.ts'
import { createHeldFollowing } from '../../../src/engine/alerting/follow-held.ts'
import type { Recorder } from '../../../src/engine/recording/finding.ts'
import { createRecorder } from '../../../src/engine/recording/recorder.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { addContacts } from '../../support/records/alerting.ts'
import { type AddedMonitor, addMonitor, type NewMonitor } from '../../support/records/monitors.ts'
import { addTeam } from '../../support/records/teams.ts'

const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')
const NOON_MS = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000
/** Seconds from a noon. */
const at = (second: number) => new Date(NOON_MS + second * 1_000)

describe('a monitor that depends on a group and fails first', () => {
  let database: TestDatabase
  let recorder: Recorder
  let teamId: number
  let follow: ReturnType<typeof createHeldFollowing>
  const troubles: unknown[] = []

  before(async () => {
    database = await openTestDatabase()
    recorder = createRecorder(database.db, (error) => troubles.push(error))
    follow = createHeldFollowing({ db: database.db, recorder, region: null })
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
  const create = (columns: NewMonitor = {}) => addMonitor(database.db, { team_id: teamId, ...columns })
  const group = (members: GroupMembers, columns: NewMonitor = {}) =>
    create({ type: 'group', url: null, ...columns, options: { members } })
  const check = ({ id: monitorId, revision }: AddedMonitor, second: number, result = DOWN) =>
    recorder.record({
      ...{ monitorId, revision, checkedAt: at(second), region: null, result, heartbeat: null, ping: null },
    })
  const eventsOf = async ({ id }: AddedMonitor) =>
    (
      await query("SELECT event FROM deliveries WHERE kind = 'monitor' AND subject_id = $1 ORDER BY id", [id])
    ).map(({ event }) => event)
  const requestOf = async ({ id }: AddedMonitor): Promise<Date | null> =>
    (await query('SELECT check_requested_at FROM monitors WHERE id = $1', [id]))[0]?.check_requested_at

  /** A group with a member, a tagged one within a group in it, and ones whose checks nobody waits for. */
  async function world() {
    const tag = `part:${Math.random().toString(36).slice(2)}`
    const [web, tagged] = [await create(), await create({ tags: [tag] })]
    const job = await create({ type: 'heartbeat', url: null, state: { status: 'up' } })
    const paused = await create({ is_active: false })
    const inner = await group({ tags: [tag] })
    const all = await group([web, inner, job, paused].map(({ id }) => id))
    const child = await create({ options: { depends_on: [all.id] } })
    for (const one of [web, tagged, child]) await check(one, 0, UP)
    return { web, tagged, job, paused, inner, all, child }
  }

  it('asks for the checks of its members, at any depth, and waits for all of them', async () => {
    const { web, tagged, job, paused, child } = await world()
    await check(child, 20)
    assert.deepEqual(await eventsOf(child), [])
    await follow(at(21))
    for (const asked of [web, tagged]) assert.deepEqual(await requestOf(asked), at(21))
    for (const other of [job, paused, child]) assert.equal(await requestOf(other), null)
    await check(web, 22, UP)
    await follow(at(23))
    assert.equal(await requestOf(child), null, 'one member was not checked yet')
    await check(tagged, 24, UP)
    await follow(at(25))
    assert.deepEqual(await requestOf(child), at(25))
    await check(child, 26)
    assert.deepEqual(await eventsOf(child), ['monitor.down'])
  })

  it('is held by the group that they show to be down', async () => {
    const { web, tagged, all, child } = await world()
    await check(child, 20)
    await check(web, 22, UP)
    await check(tagged, 24)
    await check(child, 26)
    assert.deepEqual([await eventsOf(all), await eventsOf(child)], [['monitor.down'], []])
    const [incident] = await query(
      "SELECT held_by, untold FROM team_incidents WHERE kind = 'monitor' AND subject_id = $1",
      [child.id],
    )
    assert.deepEqual(incident, { held_by: all.id, untold: true })
    await check(tagged, 40, UP)
    await check(child, 50)
    assert.deepEqual(await eventsOf(child), ['monitor.down'])
  })

  it('is not told of by the batch that finds a member down, in whichever order', async () => {
    for (const isFirst of [true, false]) {
      const { web, tagged, all, child } = await world()
      await check(child, 20)
      await check(web, 22, UP)
      const both = [() => check(tagged, 24), () => check(child, 26)]
      await Promise.all((isFirst ? both : both.toReversed()).map((one) => one()))
      assert.deepEqual([await eventsOf(all), await eventsOf(child)], [['monitor.down'], []])
    }
  })

  it('waits for two of the intervals of a member that is not checked', async () => {
    const { web, child } = await world()
    await check(child, 20)
    await check(web, 22, UP)
    await check(child, 139)
    assert.deepEqual(await eventsOf(child), [])
    await check(child, 141)
    assert.deepEqual(await eventsOf(child), ['monitor.down'])
  })
})
