import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import { createHeldFollowing } from '../../../src/engine/alerting/follow-held.ts'
import { createRecorder } from '../../../src/engine/recording/recorder.ts'
import { inTransaction } from '../../../src/postgres/database.ts'
import { AT_LENGTH } from '../../support/at-length.ts'
import { openTestDatabase, someoneWaits, type TestDatabase } from '../../support/postgres/database.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { addContacts } from '../../support/records/alerting.ts'
import { type AddedMonitor, addMonitors } from '../../support/records/monitors.ts'
import { addTeam } from '../../support/records/teams.ts'
import { until } from '../../support/until.ts'

const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')
const NOON_MS = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000
const INTERVAL = 60
const MONITORS = 5

/** The next event. A check has a lag, as one that began before others may be recorded after them. */
type Step =
  | {
      kind: 'checks'
      of: { monitor: number; fails: boolean; lag: number }[]
      isKilled: boolean
      isTwice: boolean
      isCut: boolean
    }
  | { kind: 'follow' }
  | { kind: 'wait'; seconds: number }
  | { kind: 'pause' | 'delete'; monitor: number }
  | { kind: 'unlink'; monitor: number }

const monitor = fc.nat(MONITORS - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('checks' as const),
      of: fc.uniqueArray(fc.record({ monitor, fails: fc.boolean(), lag: fc.nat(2) }), {
        selector: (one) => one.monitor,
        minLength: 1,
        maxLength: 3,
      }),
      isKilled: fc.nat(9).map((n) => n === 0),
      isTwice: fc.nat(9).map((n) => n === 0),
      isCut: fc.nat(39).map((n) => n === 0),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ kind: 'follow' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 90 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'delete' as const), monitor }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unlink' as const), monitor }) },
)
/** Each monitor depends on some of those before it, so that there is no cycle. */
const links = fc.tuple(
  ...Array.from({ length: MONITORS }, (_, index) =>
    index === 0 ? fc.constant([] as number[]) : fc.uniqueArray(fc.nat(index - 1), { maxLength: 2 }),
  ),
)

/**
 * The oracle: it knows what was found in which order, and nothing of how the service goes about it. It reads the whole log
 * each time.
 */
class Oracle {
  readonly log: { monitor: number; second: number; fails: boolean }[] = []
  readonly parents: number[][]
  readonly paused = new Set<number>()
  readonly deleted = new Set<number>()
  /** The open outage of each monitor: when it began, and whether it was told. */
  readonly outages = new Map<number, { began: number; told: boolean }>()
  readonly alerts: Map<number, string[]>

  constructor(parents: number[][]) {
    this.parents = parents
    this.alerts = new Map(parents.map((_, index) => [index, []]))
  }

  private above(monitor: number, seen = new Set<number>()): number[] {
    for (const parent of this.parents[monitor] ?? []) {
      if (seen.has(parent) || this.deleted.has(parent)) continue
      seen.add(parent)
      this.above(parent, seen)
    }
    return [...seen].filter((one) => !this.paused.has(one))
  }

  private checksOf = (monitor: number) => this.log.filter((entry) => entry.monitor === monitor)
  isGone = (monitor: number) => this.paused.has(monitor) || this.deleted.has(monitor)
  isDown = (monitor: number) => this.checksOf(monitor).at(-1)?.fails === true

  /** Whether one that it depends on is down. */
  holds = (monitor: number) => this.above(monitor).some(this.isDown)

  private recoveredAt(monitor: number): number {
    const checks = this.checksOf(monitor)
    return Math.max(
      ...checks.map(({ fails, second }, index) =>
        !fails && checks[index - 1]?.fails ? second : Number.NEGATIVE_INFINITY,
      ),
    )
  }

  private mayTell(monitor: number, began: number, second: number): boolean {
    return this.above(monitor).every((parent) => {
      if (this.isDown(parent)) return false
      const wasChecked = this.checksOf(parent).some((check) => check.second > began)
      return (wasChecked || second >= began + 2 * INTERVAL) && this.recoveredAt(parent) < second
    })
  }

  found(monitor: number, second: number, fails: boolean): void {
    if (this.paused.has(monitor) || this.deleted.has(monitor)) return
    if (this.checksOf(monitor).some((check) => check.second >= second)) return
    this.log.push({ monitor, second, fails })
    const alerts = this.alerts.get(monitor) as string[]
    if (!fails) {
      if (this.outages.get(monitor)?.told) alerts.push('monitor.recovery')
      this.outages.delete(monitor)
      return
    }
    const outage = this.outages.get(monitor) ?? { began: second, told: false }
    this.outages.set(monitor, outage)
    if (outage.told || !this.mayTell(monitor, outage.began, second)) return
    outage.told = true
    alerts.push('monitor.down')
  }

  stop(monitor: number, kind: 'pause' | 'delete'): void {
    ;(kind === 'pause' ? this.paused : this.deleted).add(monitor)
    this.outages.delete(monitor)
  }
}

/** The service: recorders and followers are made anew all the time, as if each process was killed after each transaction. */
async function createWorld(database: TestDatabase, parents: number[][]) {
  const { db } = database
  const team_id = await addTeam(db)
  await addContacts(db, [{ team_id }])
  const monitors = await addMonitors(db, MONITORS, () => ({ team_id }))
  const ids = monitors.map(({ id }) => id)
  const query = async (text: string, values: unknown[]) => (await db.pool.query(text, values)).rows
  const linked = (index: number) => (parents[index] ?? []).map((parent) => ids[parent])
  for (const [index, id] of ids.entries())
    if (linked(index).length > 0)
      await query('UPDATE monitors SET options = $2 WHERE id = $1', [id, { depends_on: linked(index) }])
  const troubles: unknown[] = []
  const at = (second: number) => new Date(NOON_MS + second * 1_000)
  const freshRecorder = () => createRecorder(db, (error) => troubles.push(error))
  let askedUntil = at(-1)
  /** The connections of all others are ended amid the transaction that writes a finding, which is written again. */
  async function cutAmid(monitorId: number, record: () => Promise<unknown>) {
    const writing = await inTransaction(db.pool, async (client) => {
      await client.query('SELECT FROM monitor_state WHERE monitor_id = $1 FOR UPDATE', [monitorId])
      const writing = record()
      await until('the finding to be written', () => someoneWaits(db))
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      )
      await until('the recorder to notice', () => troubles.length > 0)
      return { writing }
    })
    await writing.writing
    troubles.length = 0
  }
  return {
    troubles,
    /** Each finding over a recorder of its own, as of several processes; in turn, so that the oracle knows the order. */
    async record(index: number, second: number, fails: boolean, isCut = false) {
      const recorder = freshRecorder()
      const { id: monitorId, revision } = monitors[index] as AddedMonitor
      const result = fails ? DOWN : UP
      const checkedAt = at(second)
      const record = () =>
        recorder.record({
          monitorId,
          revision,
          checkedAt,
          region: null,
          result,
          heartbeat: null,
          ping: null,
        })
      await (isCut ? cutAmid(monitorId, record) : record())
      await recorder.close()
    },
    /** Follows as two processes do; the monitors that are asked for a check since the last time. */
    async follow(second: number): Promise<number[]> {
      const recorder = freshRecorder()
      const [one, other] = [0, 1].map(() => createHeldFollowing({ db, recorder, region: null }))
      await Promise.all([one?.(at(second)), other?.(at(second))])
      await recorder.close()
      const asked = await query(
        'SELECT id FROM monitors WHERE id = ANY($1) AND check_requested_at > $2 ORDER BY id',
        [ids, askedUntil],
      )
      askedUntil = at(second)
      return asked.map(({ id }) => ids.indexOf(id))
    },
    async stop(index: number, kind: 'pause' | 'delete') {
      const id = ids[index]
      const column = kind === 'pause' ? 'is_active = false' : 'deleted_at = now()'
      await query(`UPDATE monitors SET ${column} WHERE id = $1`, [id])
      await query(
        "UPDATE team_incidents SET resolved_at = greatest(started_at, now()) WHERE kind = 'monitor' AND subject_id = $1 AND resolved_at IS NULL",
        [id],
      )
      await query(
        'UPDATE monitor_state SET revision = NULL, open_incident_id = NULL, held_since = NULL WHERE monitor_id = $1',
        [id],
      )
    },
    unlink: (index: number) => query('UPDATE monitors SET options = NULL WHERE id = $1', [ids[index]]),
    async alerts(): Promise<Map<number, string[]>> {
      const rows = await query(
        "SELECT subject_id AS monitor, event FROM deliveries WHERE kind = 'monitor' AND subject_id = ANY($1) ORDER BY id",
        [ids],
      )
      const sent = new Map(ids.map((_, index) => [index, [] as string[]]))
      for (const { monitor, event } of rows) sent.get(ids.indexOf(monitor))?.push(event)
      return sent
    },
  }
}

async function tryHistory(database: TestDatabase, parents: number[][], steps: Step[]): Promise<void> {
  const world = await createWorld(database, parents)
  const oracle = new Oracle(parents.map((one) => [...one]))
  let second = 10
  for (const one of steps) {
    second += 3
    if (one.kind === 'wait') second += one.seconds
    else if (one.kind === 'follow') await world.follow(second)
    else if (one.kind === 'unlink') {
      await world.unlink(one.monitor)
      oracle.parents[one.monitor] = []
    } else if (one.kind === 'checks') {
      // A process that is killed before its transaction commits leaves nothing.
      for (const { monitor, fails, lag } of one.isKilled ? [] : one.of) {
        for (let times = one.isTwice ? 2 : 1; times > 0; times--)
          await world.record(monitor, second - lag, fails, one.isCut && !oracle.isGone(monitor))
        oracle.found(monitor, second - lag, fails)
      }
    } else {
      await world.stop(one.monitor, one.kind)
      oracle.stop(one.monitor, one.kind)
    }
    assert.deepEqual(await world.alerts(), oracle.alerts)
  }
  // From here on nothing changes, and only what is asked for is checked: what is still to be told must be, by that alone.
  for (let round = 0; round < 5; round++) {
    second += INTERVAL + 1
    for (const monitor of await world.follow(second)) {
      const fails = oracle.isDown(monitor)
      await world.record(monitor, second + 1, fails)
      oracle.found(monitor, second + 1, fails)
    }
    assert.deepEqual(await world.alerts(), oracle.alerts)
  }
  for (const [monitor, { told }] of oracle.outages) {
    assert.ok(
      told || oracle.holds(monitor),
      `monitor ${monitor} is down, told to nobody, and nothing holds it`,
    )
  }
  assert.deepEqual(world.troubles, [])
}

/** Each has a database of its own, as what earlier histories leave there makes each later one take longer. */
const PARTS = AT_LENGTH ? 20 : 1
const HISTORIES = AT_LENGTH ? 25 : 10

describe('alerts of monitors that depend on others', () => {
  for (let part = 1; part <= PARTS; part++)
    it(`are those that an oracle expects, and none is lost, part ${part}`, async (t) => {
      const database = await openTestDatabase()
      t.after(() => database.close())
      await fc.assert(
        fc.asyncProperty(
          links,
          fc.array(step, { minLength: 5, maxLength: 30, size: 'max' }),
          (parents, steps) => tryHistory(database, parents, steps),
        ),
        { numRuns: HISTORIES },
      )
    })
})
