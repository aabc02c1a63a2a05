import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import type { TestContext } from 'node:test'
import { Scope } from '../../bench/support/scope.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import { until } from '../support/until.ts'
import type { FaultKind } from './faults.ts'
import { judge } from './judge.ts'
import { PLAIN_MACHINE } from './machine.ts'
import { type Orders, runHostile, watchRecord } from './run.ts'
import type { World } from './world.ts'

export type PlainOrders = Pick<
  Orders,
  'layout' | 'faults' | 'monitors' | 'jobs' | 'servers' | 'sites' | 'hasWindows' | 'longestFaultMs'
> & {
  kinds: FaultKind[]
}

/**
 * A hostile run as a test, on a machine that grants no rights and may be slow: each kind has befallen somebody, to no
 * harm. Rules about time are none of its; instead, every monitor is checked again after the last fault.
 */
export async function assertNoHarm(t: TestContext, { kinds, ...plain }: PlainOrders): Promise<void> {
  const seed = Number(process.env.HOSTILE_SEED ?? randomInt(2 ** 31))
  t.diagnostic(`HOSTILE_SEED=${seed}`)
  // Closes what was opened last first: processes before their database.
  const scope = new Scope()
  t.after(() => scope.close())
  const orders: Orders = {
    ...plain,
    machine: PLAIN_MACHINE,
    // A target that is slow to answer is none that fails.
    timeoutSeconds: 60,
    weather: { wellMs: [1_000, 4_000], failingMs: [2_000, 5_000] },
    seed,
    // The other process can take over: with more faults at once, none would be checking.
    atOnce: 1,
    longestPauseMs: 1_000,
    roundOf: plain.faults,
    quiet: (world) => untilSeen(world, plain),
    slackMs: HANG_GUARD_MS,
    wanted: (kind) => kinds.includes(kind),
  }
  const { evidence, faults, settled } = await runHostile(scope, orders, () => {})
  t.diagnostic(`${evidence.checks.length} checks, ${evidence.incidents.length} incidents`)
  t.diagnostic(faults.map(({ kind, victim }) => `${kind} (${victim})`).join(', '))
  assert.equal(faults.length, plain.faults)
  assert.deepEqual(new Set(faults.map(({ kind }) => kind)), new Set(kinds))
  assert.equal(evidence.applied.length > 0, plain.hasWindows)
  assert.ok(evidence.incidents.length >= plain.faults, 'there were incidents to lose')
  assert.ok(settled, 'everything is up and told in the end')
  assert.deepEqual(judge(evidence), [])
}

/** After every fault, all monitors are checked again, and so many outages were seen, of servers as well. */
async function untilSeen(
  world: World,
  { faults, servers }: Pick<Orders, 'faults' | 'servers'>,
): Promise<void> {
  await until('every monitor to be checked', watchRecord(world))
  await until('outages to be seen', async () => {
    const { rows } = await world.direct.pool.query<{ isEnough: boolean }>(
      `SELECT (SELECT count(*) FROM team_incidents WHERE kind = 'monitor') >= $1
          AND (SELECT count(*) FROM team_incidents WHERE kind = 'server') >= $2 AS "isEnough"`,
      [faults, servers],
    )
    return rows[0]?.isEnough ?? false
  })
}
