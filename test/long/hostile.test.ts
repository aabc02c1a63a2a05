import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { Scope } from '../../bench/scope.ts'
import { judge } from '../hostile/judge.ts'
import { PLAIN_MACHINE } from '../hostile/machine.ts'
import { runHostile } from '../hostile/run.ts'

const FAULTS = 12

/* The part of `npm run hostile` that is quick and needs no rights: processes are killed and frozen. */
test(`no incident and no alert is lost or doubled over ${FAULTS} faults of several processes`, async (t) => {
  const seed = Number(process.env.HOSTILE_SEED ?? randomInt(2 ** 31))
  t.diagnostic(`HOSTILE_SEED=${seed}`)
  // Closes what was opened last first: processes before their database.
  const scope = new Scope()
  t.after(() => scope.close())
  const orders = {
    machine: PLAIN_MACHINE,
    layout: [
      { roles: 'api,alerts,scheduler' },
      { roles: 'probe,scheduler,alerts', region: 'lon' },
      { roles: 'probe', region: 'nyc' },
    ],
    monitors: 8,
    weather: { wellMs: [1_000, 6_000], failingMs: [2_000, 6_000] } as const,
    seed,
    faults: FAULTS,
    // Whoever is left can take over: with more at once, nobody would be checking.
    atOnce: 1,
    longestFaultMs: 3_500,
    longestPauseMs: 1_000,
    roundOf: FAULTS,
    quietMs: 0,
    slackMs: 15_000,
    wanted: (kind: string) => /^process (killed|frozen)/.test(kind),
  }
  const { evidence, faults, settled } = await runHostile(scope, orders, () => {})
  t.diagnostic(`${evidence.checks.length} checks, ${evidence.incidents.length} incidents`)
  assert.equal(faults.length, FAULTS)
  assert.ok(evidence.incidents.length >= orders.monitors, 'there were incidents to lose')
  assert.ok(settled, 'everything is up and told in the end')
  assert.deepEqual(judge(evidence), [])
})
