import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrate, readMigrations } from '../../src/postgres/migrate.ts'
import { newestChecks } from '../../src/store/history/history.ts'
import { openEmptyDatabase } from '../support/postgres/database.ts'

test('checks that were kept as wide rows come back as they were', async (t) => {
  const { db, close } = await openEmptyDatabase()
  t.after(close)
  const [first, ...others] = await readMigrations()
  assert.ok(first && others.length > 0)
  await migrate(db.pool, [first])
  await db.pool.query(`
    SET timezone = 'Asia/Kolkata';
    CREATE TABLE checks_20270328 PARTITION OF checks
      FOR VALUES FROM ('2027-03-28T00:00:00Z') TO ('2027-03-29T00:00:00Z');
    CREATE TABLE checks_20270329 PARTITION OF checks
      FOR VALUES FROM ('2027-03-29T00:00:00Z') TO ('2027-03-30T00:00:00Z');
    INSERT INTO checks (checked_at, monitor_id, status, response_time_ms, http_status_code, region, error_message,
                        dns_ms, connect_ms, tls_ms, first_byte_ms, transfer_ms) VALUES
      ('2027-03-28T00:00:00Z', 1, 'up', 190, 200, 'lon', NULL, 0, 127, 126, 16382, 16383),
      ('2027-03-28T23:59:59.999Z', 1, 'down', NULL, NULL, NULL, 'no answer', 1, NULL, NULL, NULL, NULL),
      ('2027-03-29T00:00:00Z', 1, 'degraded', 60000, 301, 'sgp', 'soon', NULL, NULL, 2097150, 59999, 128),
      ('2027-03-29T10:00:00Z', 1, 'pending', NULL, NULL, NULL, 'ours', NULL, NULL, NULL, NULL, NULL)`)
  await migrate(db.pool, [first, ...others])
  const check = (at: string, status: string, rest: object) => ({
    checkedAt: new Date(at),
    status,
    responseTimeMs: null,
    httpStatusCode: null,
    region: null,
    errorMessage: null,
    phases: null,
    ...rest,
  })
  const phases = (...[dnsMs, connectMs, tlsMs, firstByteMs, transferMs]: (number | null)[]) => ({
    phases: { dnsMs, connectMs, tlsMs, firstByteMs, transferMs },
  })
  const up = { responseTimeMs: 190, httpStatusCode: 200, region: 'lon' }
  const degraded = { responseTimeMs: 60_000, httpStatusCode: 301, region: 'sgp', errorMessage: 'soon' }
  assert.deepEqual(await newestChecks(db.query, 1, null, 10), [
    check('2027-03-29T10:00:00Z', 'pending', { errorMessage: 'ours' }),
    check('2027-03-29T00:00:00Z', 'degraded', { ...degraded, ...phases(null, null, 2_097_150, 59_999, 128) }),
    check('2027-03-28T23:59:59.999Z', 'down', {
      errorMessage: 'no answer',
      ...phases(1, null, null, null, null),
    }),
    check('2027-03-28T00:00:00Z', 'up', { ...up, ...phases(0, 127, 126, 16_382, 16_383) }),
  ])
  const { rows } = await db.pool.query(
    `SELECT DISTINCT tableoid::regclass::text AS name FROM checks ORDER BY 1`,
  )
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['checks_20270328', 'checks_20270329'],
  )
})
