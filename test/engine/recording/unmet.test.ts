import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { CheckResult } from '../../../src/core/monitors/check.ts'
import type { Recorder } from '../../../src/engine/recording/finding.ts'
import { createRecorder } from '../../../src/engine/recording/recorder.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { addContacts } from '../../support/records/alerting.ts'
import { addMonitor } from '../../support/records/monitors.ts'
import { addTeam } from '../../support/records/teams.ts'

const SECOND_MS = 1_000
const SLOW: CheckResult = {
  ...UP,
  status: 'degraded',
  errorMessage: 'response took 1,204 ms (expected less than 800)',
  unmet: true,
}
const EXPIRY = 'certificate expires in 5 days'
const CERTIFICATE = { expiresAt: new Date(Date.now() + 5 * 86_400_000), fingerprint: 'ab'.repeat(32) }
const EXPIRING: CheckResult = { ...UP, status: 'degraded', errorMessage: EXPIRY, certificate: CERTIFICATE }
const BOTH: CheckResult = { ...SLOW, expiry: EXPIRY, certificate: CERTIFICATE }
const DOWN: CheckResult = { ...UP, status: 'down', errorMessage: 'HTTP 503 (expected 200)' }

const SLOW_WORDS = 'monitor.degraded response took 1,204 ms (expected less than 800)'
const DOWN_WORDS = 'monitor.down HTTP 503 (expected 200)'
const OVER_WORDS = 'monitor.recovery HTTP 503 (expected 200)'

describe('a warning about an answer', () => {
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

  /** The events that contacts get for these results, one after the other, and the causes that they name. */
  async function toldOf(results: CheckResult[]): Promise<string[]> {
    const { pool } = database.db
    const { id, revision } = await addMonitor(database.db, { team_id: teamId, state: { status: 'up' } })
    const beganMs = Date.now() - 3_600_000
    for (const [index, result] of results.entries())
      await recorder.record({
        ...{ monitorId: id, revision, region: null, result, heartbeat: null, ping: null },
        checkedAt: new Date(beganMs + index * SECOND_MS),
      })
    const { rows } = await pool.query(
      `SELECT event, alert ->> 'cause' AS cause FROM deliveries WHERE subject_id = $1 AND kind = 'monitor' ORDER BY id`,
      [id],
    )
    return rows.map(({ event, cause }) => `${event} ${cause}`)
  }

  for (const [name, results, told] of [
    ['is told when it begins, and once', [UP, SLOW, SLOW, UP, SLOW], [SLOW_WORDS, SLOW_WORDS]],
    ['is told after an outage', [DOWN, SLOW], [DOWN_WORDS, OVER_WORDS, SLOW_WORDS]],
    [
      'is told again when an outage came between',
      [SLOW, DOWN, SLOW],
      [SLOW_WORDS, DOWN_WORDS, OVER_WORDS, SLOW_WORDS],
    ],
    ['is told beside one about a certificate', [BOTH, BOTH], [`monitor.degraded ${EXPIRY}`, SLOW_WORDS]],
    [
      'is told while a certificate is warned of',
      [EXPIRING, BOTH],
      [`monitor.degraded ${EXPIRY}`, SLOW_WORDS],
    ],
    ['leaves that about a certificate to be told', [SLOW, BOTH], [SLOW_WORDS, `monitor.degraded ${EXPIRY}`]],
  ] as const) {
    it(name, async () => {
      assert.deepEqual(await toldOf([...results]), told)
    })
  }
})
