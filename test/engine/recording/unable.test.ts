import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import type { Patience } from '../../../src/engine/recording/ability.ts'
import { NotRecorded } from '../../../src/engine/recording/batches.ts'
import type { Finding } from '../../../src/engine/recording/finding.ts'
import { createRecorder } from '../../../src/engine/recording/recorder.ts'
import { newestChecks } from '../../../src/store/history/history.ts'
import { HANG_GUARD_MS } from '../../support/hang-guard.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { addContacts } from '../../support/records/alerting.ts'
import { addMonitor } from '../../support/records/monitors.ts'
import { addTeam } from '../../support/records/teams.ts'
import { until } from '../../support/until.ts'

const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')
const PATIENT = { unableAfterMs: HANG_GUARD_MS, trialEveryMs: 10 }
const HASTY = { unableAfterMs: 0, trialEveryMs: 10 }

describe('a recorder whose statements the schema refuses', () => {
  let database: TestDatabase
  let recorder: ReturnType<typeof createRecorder>
  let teamId: number
  let givenUp = 0
  let troubles: string[] = []

  beforeEach(async () => {
    database = await openTestDatabase()
    teamId = await addTeam(database.db)
    await addContacts(database.db, [{ team_id: teamId }])
    givenUp = 0
    troubles = []
  })
  afterEach(async () => {
    await recorder.close()
    await database.close()
  })

  function open(patience: Patience) {
    recorder = createRecorder(
      database.db,
      (error) => troubles.push((error as Error).message),
      () => {},
      (findings) => (givenUp += findings),
      patience,
    )
  }
  const alter = (text: string) => database.db.pool.query(`ALTER TABLE ${text}`)
  const createMonitor = (name = 'm') => addMonitor(database.db, { team_id: teamId, name })
  const checksOf = async (id: number) => (await newestChecks(database.db.query, id, null, 100)).length
  const found = ({ id, revision }: { id: number; revision: number }, result: CheckResult): Finding => ({
    monitorId: id,
    revision,
    checkedAt: new Date(),
    region: null,
    result,
    heartbeat: null,
    ping: null,
  })

  it('keeps findings for a while, and records them all where that ends in time', async () => {
    open(PATIENT)
    const monitor = await createMonitor()
    await alter('monitor_state RENAME COLUMN status TO s2')
    const recorded = [recorder.record(found(monitor, UP)), recorder.record(found(monitor, DOWN))]
    await until('it is in doubt', () => recorder.isDoubtful)
    assert.equal(recorder.trouble, null)
    await alter('monitor_state RENAME COLUMN s2 TO status')
    for (const { kind } of await Promise.all(recorded)) assert.equal(kind, 'recorded')
    assert.equal(recorder.isDoubtful, false)
    assert.equal(await checksOf(monitor.id), 2)
    assert.equal(givenUp, 0)
  })

  it('tries what a connection may be to blame for on several, and takes it for lasting where all refuse', async () => {
    open(HASTY)
    const monitor = await createMonitor()
    await database.db.pool.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE 'this view takes no ON CONFLICT' USING ERRCODE = '0A000'; END $$`)
    await database.db.pool.query(
      'CREATE TRIGGER refuse BEFORE INSERT ON checks FOR EACH ROW EXECUTE FUNCTION refuse()',
    )
    await assert.rejects(recorder.record(found(monitor, UP)), NotRecorded)
    assert.deepEqual(recorder.trouble, { why: 'this view takes no ON CONFLICT (0A000)', isLasting: true })
    await database.db.pool.query('DROP TRIGGER refuse ON checks')
    await until('a trial works', () => recorder.trouble === null)
    assert.equal((await recorder.record(found(monitor, UP))).kind, 'recorded')
  })

  it('gives them up then, says why and how many, and records again as soon as a trial works', async () => {
    open(HASTY)
    const monitor = await createMonitor()
    await alter('monitor_state RENAME COLUMN status TO s2')
    await assert.rejects(recorder.record(found(monitor, UP)), NotRecorded)
    assert.deepEqual(recorder.trouble, { why: 'column "status" does not exist (42703)', isLasting: true })
    assert.equal(givenUp, 1)
    assert.ok(troubles.some((said) => /cannot record .*column "status" does not exist/.test(said)))
    assert.ok(troubles.some((said) => /given up.*1 findings/.test(said)))
    await alter('monitor_state RENAME COLUMN s2 TO status')
    await until('a trial works', () => recorder.trouble === null)
    // Nothing is left of the trial.
    assert.equal(await checksOf(monitor.id), 0)
    assert.equal((await recorder.record(found(monitor, UP))).kind, 'recorded')
  })

  it('goes on with findings that need nothing of what is missing, and is unable all the same', async () => {
    open(HASTY)
    const [well, ill] = [await createMonitor('well'), await createMonitor('ill')]
    await alter('deliveries RENAME COLUMN event TO e2')
    const [up, down] = await Promise.allSettled([
      recorder.record(found(well, UP)),
      recorder.record(found(ill, DOWN)),
    ])
    assert.deepEqual([up?.status, down?.status], ['fulfilled', 'rejected'])
    assert.equal((await recorder.record(found(well, UP))).kind, 'recorded')
    assert.ok(recorder.trouble?.isLasting)
    assert.deepEqual([await checksOf(well.id), await checksOf(ill.id)], [2, 0])
  })

  it('names a trouble that passes only after a while, and gives nothing up', async () => {
    open({ unableAfterMs: 0, trialEveryMs: 10 })
    const monitor = await createMonitor()
    const client = await database.db.pool.connect()
    await client.query('BEGIN')
    await client.query('LOCK TABLE monitor_state')
    const recorded = recorder.record(found(monitor, UP))
    await until('its statement was ended', async () => {
      await database.db.pool.query(
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return recorder.trouble !== null
    })
    assert.equal(recorder.trouble?.isLasting, false)
    assert.equal(recorder.isDoubtful, false)
    await client.query('COMMIT')
    client.release()
    assert.equal((await recorded).kind, 'recorded')
    assert.equal(recorder.trouble, null)
    assert.equal(givenUp, 0)
  })

  it('closing gives up what is kept', async () => {
    open(PATIENT)
    const monitor = await createMonitor()
    await alter('monitor_state RENAME COLUMN status TO s2')
    const recorded = recorder.record(found(monitor, UP))
    const refused = assert.rejects(recorded, NotRecorded)
    await until('it is in doubt', () => recorder.isDoubtful)
    await recorder.close()
    await refused
    assert.equal(givenUp, 1)
  })
})
