import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MachineReport } from '../../../src/core/servers/machine-report.ts'
import { packCounters, unpackCounters } from '../../../src/core/servers/measure.ts'
import { type PlacedServer, placeReport } from '../../../src/core/servers/verdict.ts'
import { machineReport } from '../../support/records/machine-reports.ts'

const HEARD_AT = new Date('2026-03-01T12:00:00Z')
const after = (seconds: number) => new Date(HEARD_AT.getTime() + seconds * 1_000)

/** The state after a report. */
function heard({ machine, counters, gauges }: MachineReport): PlacedServer {
  return { machine, counters, latest: gauges, lastReportAt: HEARD_AT, silentAt: after(180) }
}

describe('a report of a server', () => {
  const first = machineReport({ uptime: 1_000 })
  const wall = (at: number, changes = {}) =>
    machineReport({
      machine: { machine_id: null, boot_id: null },
      counters: { bootId: null, clock: 'wall', at },
      ...changes,
    })
  const clone = { machine_id: 'machine-1', boot_id: 'boot-2' }
  const rows: [string, MachineReport, MachineReport, number, ReturnType<typeof placeReport>][] = [
    ['that is newer', first, machineReport({ uptime: 1_060 }), 60, 'judge'],
    ['that came before', first, first, 60, 'replay'],
    ['that is older', first, machineReport({ uptime: 940 }), 60, 'replay'],
    ['of a container that started again', first, machineReport({ uptime: 20 }), 60, 'judge'],
    ['after a restart', first, machineReport({ machine: { boot_id: 'boot-2' }, uptime: 30 }), 60, 'judge'],
    [
      'after a slow restart',
      first,
      machineReport({ machine: { boot_id: 'boot-2' }, uptime: 85 }),
      60,
      'judge',
    ],
    ['of a clone', first, machineReport({ machine: clone, uptime: 5_000 }), 60, 'other'],
    ['of another machine', first, machineReport({ machine: { machine_id: 'machine-2' } }), 60, 'other'],
    [
      'of another machine, once the first is silent',
      first,
      machineReport({ machine: { machine_id: 'machine-2', boot_id: 'b' } }),
      181,
      'judge',
    ],
    [
      'of another host, where no machine is told',
      wall(1e9),
      wall(1e9 + 60, { machine: { machine_id: null, host_name: 'web-2' } }),
      60,
      'other',
    ],
    ['of the host, by another source', first, wall(1e9), 60, 'judge'],
    ['that a standard input sends again', wall(1e9), wall(1e9), 5, 'replay'],
    ['that is another part of a round', wall(1e9), wall(1e9, { gauges: { processes: 7 } }), 5, 'judge'],
    ['by a clock that was set back', wall(1e9), wall(1e9 - 300), 60, 'judge'],
  ]
  for (const [what, before, report, seconds, placement] of rows) {
    it(`${what} is placed as ${placement}`, () => {
      assert.equal(placeReport(report, heard(before), after(seconds)), placement)
    })
  }

  it('is judged where nothing is known', () => {
    const nothing = { machine: null, counters: null, latest: null, lastReportAt: null, silentAt: null }
    assert.equal(placeReport(first, nothing, HEARD_AT), 'judge')
  })
})

it('counters come back as they were kept, and what cannot be is left out', () => {
  const values = { cpu_user_seconds: 12.345, 'disk_read_bytes:sda': 2 ** 50, 'interface_errors:eth0': 0 }
  const counters = {
    bootId: 'b',
    at: 1_000.25,
    clock: 'uptime' as const,
    values,
    times: { cpu_user_seconds: 990.5 },
  }
  assert.deepEqual(unpackCounters(packCounters(counters)), counters)
  const { times: _, ...rest } = counters
  const odd = {
    ...rest,
    values: { ...values, unknown: 1, 'disk_written_bytes:sda': 2 ** 60, cpu_idle_seconds: Number.NaN },
  }
  assert.deepEqual(unpackCounters(packCounters(odd)), rest)
  assert.throws(() => unpackCounters(new Uint8Array([9])), /unknown format/)
})
