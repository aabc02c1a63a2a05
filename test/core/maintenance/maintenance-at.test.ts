import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { maintenanceAt } from '../../../src/core/maintenance/maintenance-at.ts'
import { teamCover } from '../../../src/core/maintenance/team-cover.ts'
import { oneOff } from '../../support/maintenance/windows.ts'

const on = (time: string) => new Date(`2027-01-05T${time}Z`)
const NIGHT = { ...oneOff('2027-01-05T02:00Z', '2027-01-05T04:00Z'), all_subjects: false, id: 1 }
const { server } = teamCover([{ ...NIGHT, monitor_ids: [8], server_ids: [7] }])

/** [server, instant, status before, since when, whether a window applies, when the last one ended] */
const ROWS: [number, string, 'up' | 'maintenance', string, boolean, string | null][] = [
  [7, '01:59:59', 'up', '00:00', false, null],
  [7, '02:00', 'up', '00:00', true, null],
  [7, '03:59:59', 'maintenance', '02:30', true, null],
  [7, '04:00', 'maintenance', '02:30', false, '04:00'],
  [7, '09:00', 'maintenance', '02:30', false, '04:00'],
  [7, '04:00', 'up', '00:00', false, null],
  [8, '03:00', 'up', '00:00', false, null],
]

describe('the meaning of windows for a server', () => {
  for (const [id, at, status, since, applies, endedAt] of ROWS) {
    it(`${id} that is ${status} at ${at}`, () => {
      const before = { status, statusSince: on(since) }
      assert.deepEqual(maintenanceAt(server, id, on(at), before), {
        applies,
        endedAt: endedAt === null ? null : on(endedAt),
      })
    })
  }

  it('is none where its team never had a window', () => {
    const before = { status: 'up' as const, statusSince: on('00:00') }
    assert.deepEqual(maintenanceAt(null, 7, on('03:00'), before), { applies: false, endedAt: null })
  })
})
