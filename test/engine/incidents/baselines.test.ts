import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import { BASELINE_AGAIN_MS, BASELINE_CHANGES_MS } from '../../../src/core/monitors/incidents/baseline.ts'
import { createBaselineKeeper } from '../../../src/engine/incidents/baselines.ts'
import type { KeptMonitor } from '../../../src/engine/probing/kept-monitor.ts'
import type { SeenBaseline } from '../../../src/store/incidents/baselines.ts'
import { until } from '../../support/until.ts'

const BEGUN_MS = Date.parse('2026-11-30T12:00:00Z')
const SERVER = { server: 'nginx', bytes: 7, redirect: null }
const passing = (changes: Partial<CheckResult> = {}): CheckResult => ({
  ...{ ...resultWithout('down', ''), status: 'up', errorMessage: null },
  ...{ address: '192.0.2.1', traits: SERVER, ...changes },
})
const monitor = (changes: object = {}) =>
  ({ id: 1, teamId: 7, revision: 3, shared: { type: 'http', options: null }, ...changes }) as KeptMonitor

function startKeeper(t: TestContext) {
  const written: SeenBaseline[][] = []
  const troubles: unknown[] = []
  const clock = { nowMs: BEGUN_MS, fails: false }
  const keeper = createBaselineKeeper({
    baselines: {
      async write(seen) {
        if (clock.fails) throw new Error('away')
        written.push([...seen])
      },
    },
    region: null,
    now: () => new Date(clock.nowMs),
    maskOf: () => (text) => text.replaceAll('sesame', '********'),
    onTrouble: (error) => troubles.push(error),
    everyMs: 1,
  })
  t.after(keeper.close)
  const settled = async (condition: () => boolean) => until('it is written', async () => condition())
  return { keeper, clock, written, troubles, settled }
}

describe('how targets look while their checks pass', () => {
  it('is written once, again when it changes but not within the hour, and each day', async (t) => {
    const { keeper, clock, written, settled } = startKeeper(t)
    const other = { traits: { ...SERVER, server: 'cloud' } }
    const steps: [afterMs: number, changes: Partial<CheckResult>, revision: number, isWritten: boolean][] = [
      [0, {}, 3, true],
      [1, {}, 3, false],
      [BASELINE_CHANGES_MS - 1, other, 3, false],
      [BASELINE_CHANGES_MS, { traits: { ...SERVER, bytes: 9 } }, 3, false],
      [BASELINE_CHANGES_MS, other, 3, true],
      [BASELINE_CHANGES_MS + BASELINE_AGAIN_MS - 1, other, 3, false],
      [BASELINE_CHANGES_MS + BASELINE_AGAIN_MS, other, 3, true],
      [BASELINE_CHANGES_MS + BASELINE_AGAIN_MS + 1, other, 4, true],
    ]
    let count = 0
    for (const [index, [afterMs, changes, revision, isWritten]] of steps.entries()) {
      clock.nowMs = BEGUN_MS + afterMs
      keeper.note(monitor({ revision }), passing(changes))
      if (isWritten) count++
      // Another monitor is written in any case, and closes the batch.
      keeper.note(monitor({ id: 1_000 + index }), passing())
      await settled(() => written.flat().some(({ monitorId }) => monitorId === 1_000 + index))
      assert.equal(written.flat().filter(({ monitorId }) => monitorId === 1).length, count, String(afterMs))
    }
    assert.deepEqual(written[0]?.[0], {
      ...{ monitorId: 1, teamId: 7, revision: 3, seenAt: new Date(BEGUN_MS), region: '' },
      ...{ address: '192.0.2.1', server: 'nginx', bytes: 7, redirect: null, fingerprint: null },
    })
  })

  it('holds no secret, shares statements, and is written after trouble', async (t) => {
    const { keeper, clock, written, troubles, settled } = startKeeper(t)
    const traits = { server: 'sesame/1', bytes: null, redirect: 'https://shop.com/sesame' }
    clock.fails = true
    keeper.note(monitor(), passing({ traits }))
    await settled(() => troubles.length === 1)
    clock.fails = false
    keeper.note(monitor(), passing({ traits }))
    keeper.note(monitor({ id: 2 }), passing())
    await settled(() => written.length === 1)
    assert.deepEqual(
      written[0]?.map(({ server, redirect, address }) => [server, redirect, address]),
      [
        ['********/1', 'https://shop.com/********', null],
        ['nginx', null, '192.0.2.1'],
      ],
    )
  })

  it('is written once of a monitor that is checked with new settings before it was', async (t) => {
    const { keeper, written, settled } = startKeeper(t)
    keeper.note(monitor(), passing())
    keeper.note(monitor({ revision: 4 }), passing())
    await settled(() => written.length === 1)
    assert.deepEqual(
      written[0]?.map(({ monitorId, revision }) => [monitorId, revision]),
      [[1, 4]],
    )
  })

  it('is of no interest where the target should fail, or shows nothing', async (t) => {
    const { keeper, written, settled } = startKeeper(t)
    keeper.note(monitor({ shared: { type: 'http', options: { inverted: true } } }), passing())
    const { address: _, traits: __, ...nothing } = passing()
    keeper.note(monitor({ id: 2 }), nothing)
    keeper.note(monitor({ id: 3 }), passing())
    await settled(() => written.length === 1)
    assert.deepEqual(
      written[0]?.map(({ monitorId }) => monitorId),
      [3],
    )
  })
})
