// npm test leaves this out: it starts real threads, and waits for hundreds of monitors to be checked over and over in them (seconds of a core).
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readConfig } from '../../../src/config.ts'
import { createCheckingThreads } from '../../../src/engine/threads/checking-threads.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { createSharedPlaces } from '../../../src/probes/browser/places.ts'
import { startCheckingThread } from '../../../src/roles/prober.ts'
import { joinProbers } from '../../../src/store/probing/memberships.ts'
import { readSchedule, type Share } from '../../../src/store/probing/schedule.ts'
import { HANG_GUARD_MS } from '../../support/hang-guard.ts'
import { openTestDatabase, TEST_SECRET } from '../../support/postgres/database.ts'
import { compareWithTicks, loadAll } from '../../support/probing/threads-world.ts'
import { addMonitors } from '../../support/records/monitors.ts'
import { addSlots } from '../../support/records/probing.ts'
import { startHttp } from '../../support/servers/targets.ts'
import { until } from '../../support/until.ts'

const FEW = 100
/** At an interval of a second, more than one thread is given. */
const MANY = 300

it('real threads take monitors over from each other, and check each of them once a tick', async (t) => {
  const { db, close } = await openTestDatabase()
  const target = await startHttp(t, (_, response) => response.end())
  const url = `http://127.0.0.1:${target.port}/`
  await addMonitors(db, MANY, () => ({ url, check_interval_seconds: 1 }))
  const share = await takeSlot(db)
  const troubles: unknown[] = []
  const onTrouble = (error: unknown) => troubles.push(error)
  const workerData = {
    config: readConfig({ LOG_LEVEL: 'silent' }),
    access: { connection: db.connection, secretKey: TEST_SECRET },
    terminal: false,
    browserPlaces: createSharedPlaces(1),
  }
  const threads = createCheckingThreads({
    cores: 2,
    startThread: () => startCheckingThread(workerData, onTrouble),
    createReporter: () => ({ report() {}, close() {} }),
    reload: async () => loadAll(threads, await readSchedule(db, share)),
    monotonicMs: () => performance.now(),
    onTrouble,
  })
  t.after(async () => {
    await threads.close()
    await close()
  })
  const monitors = await readSchedule(db, share)
  void loadAll(threads, monitors.slice(0, FEW))
  await until('the first checks', async () => (await readChecks(db)).size === FEW)
  assert.equal(threads.size, 1)
  threads.apply(monitors.slice(FEW))
  await until('a second thread', () => threads.size === 2)
  const grownAt = Date.now()
  await until('a check of each monitor since', async () => {
    const checks = await readChecks(db)
    return [...checks.values()].filter((times) => times.some((at) => at > grownAt)).length === MANY
  })
  assert.equal(compareWithTicks(await readChecks(db)).doubled, 0)
  assert.deepEqual(troubles, [])
})

/** Takes the slot that all of them are in. */
async function takeSlot(db: Database): Promise<Share> {
  const holder = await joinProbers(
    db,
    { region: '', host: 'here', pid: process.pid },
    (2 * HANG_GUARD_MS) / 1_000,
  )
  await addSlots(db, [0], { holder })
  return { holder, slots: [0] }
}

/** When the checks of each monitor began. */
async function readChecks(db: Database): Promise<Map<number, number[]>> {
  const { rows } = await db.pool.query<{ id: number; times: Date[] }>(
    'SELECT monitor_id AS id, array_agg(checked_at ORDER BY checked_at) AS times FROM checks GROUP BY 1',
  )
  return new Map(rows.map(({ id, times }) => [id, times.map((at) => at.getTime())]))
}
