import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  conditionKey,
  DEFAULT_THRESHOLDS,
  type ThresholdChanges,
} from '../../../src/core/servers/condition.ts'
import { atMinute, JudgedServer } from '../../support/records/judged-server.ts'

const { disk_space: SPACE, memory: MEMORY, silent: SILENT } = DEFAULT_THRESHOLDS

const figures = fc.record(
  {
    'file_system_used_percent:/': fc.constantFrom(undefined, 50, 85, 86, 90, 91, 100, 140),
    'file_system_used_percent:/var': fc.constantFrom(undefined, 50, 84, 88, 92),
    memory_available_bytes: fc.constantFrom(undefined, 1e9, 2e9, 3e9, 20e9, -1),
    cpu_percent: fc.constantFrom(5, 85, 95),
  },
  { requiredKeys: [] },
)

const thresholds: fc.Arbitrary<ThresholdChanges> = fc.record({
  silent: fc.record({
    is_on: fc.boolean(),
    warns_only: fc.boolean(),
    seconds: fc.constantFrom(90, 180, 600),
  }),
  disk_space: fc.record({
    is_on: fc.boolean(),
    warns_only: fc.boolean(),
    enter: fc.constantFrom(80, 90),
    leave: fc.constantFrom(75, 85, 95),
    minutes: fc.constantFrom(0, 3),
  }),
  memory: fc.constant({ ...MEMORY, minutes: 2 }),
  cpu: fc.constant({ ...DEFAULT_THRESHOLDS.cpu, is_on: true, minutes: 1 }),
})

const step = fc.record({
  minutes: fc.constantFrom(0, 0.5, 1, 1, 1, 1, 5, 30),
  happens: fc.oneof(
    { weight: 8, arbitrary: fc.record({ figures }) },
    { weight: 2, arbitrary: fc.constant('silence' as const) },
    { weight: 1, arbitrary: fc.constantFrom('window' as const, 'end of window' as const) },
    { weight: 1, arbitrary: fc.record({ thresholds }) },
  ),
})

test('whatever comes in whatever order, each condition is told once and ended once, and the status is the worst', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), (steps) => {
      const server = new JudgedServer({ disk_space: { ...SPACE, minutes: 2 } })
      const open = new Map<string, 'begins' | 'warns'>()
      let minute = 0
      let seen = 0
      for (const { minutes, happens } of steps) {
        minute += minutes
        if (happens === 'window') server.cover(true)
        else if (happens === 'end of window') server.cover(false, minute)
        else if (happens === 'silence') server.silence(minute)
        else if ('thresholds' in happens) server.set(happens.thresholds)
        else server.report(minute, happens.figures)

        const { status, conditions } = server.standing
        const { applies } = server.maintenance
        for (const [, event, key] of server.told.slice(seen)) {
          if (event === 'ends') assert.ok(open.delete(key), `${key} ends, and was not on`)
          else {
            assert.ok(!applies, `${key} begins under maintenance`)
            assert.ok(!open.has(key), `${key} begins twice`)
            open.set(key, event)
          }
        }
        seen = server.told.length

        const keys = conditions.map(conditionKey)
        assert.deepEqual([...new Set(keys)], keys)
        const incidents = conditions.filter(({ incident_id }) => incident_id !== null)
        assert.deepEqual(new Set(incidents.map(conditionKey)), new Set(open.keys()))
        const isJudged = typeof happens === 'object' ? 'figures' in happens : happens === 'silence'
        if (!isJudged || status === 'pending') continue
        const worst = [...open.values()]
        const told = worst.includes('begins') ? 'down' : worst.length > 0 ? 'degraded' : 'up'
        if (!applies) assert.equal(status, told)
        else if (told === 'down') assert.equal(status, 'maintenance')
        else assert.notEqual(status, 'down')
      }

      // All is well, for long enough: all that was told has ended.
      server.cover(false, minute)
      for (let calm = 0; calm <= 30; calm++) server.report(minute + 1 + calm, { cpu_percent: 5 })
      assert.equal(server.standing.status, 'up')
      assert.deepEqual(server.standing.conditions, [])
      const count = (ended: boolean) => server.told.filter(([, event]) => (event === 'ends') === ended).length
      assert.equal(count(true), count(false))
      for (const [index, at] of server.startedAt.entries()) {
        const began = server.told.filter(([, event]) => event !== 'ends')[index]
        assert.ok(began && at.getTime() <= atMinute(began[0]).getTime())
      }
    }),
    { numRuns: 100 },
  )
})

test('judging silence again changes nothing', () => {
  const server = new JudgedServer({ silent: SILENT })
  server.reports(0, 20, { 'file_system_used_percent:/': 95 })
  server.silence(30)
  const once = structuredClone(server.standing)
  server.silence(30)
  server.silence(31)
  assert.deepEqual(server.standing, once)
  assert.equal(server.told.length, 2)
})
