import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  deadlineAfterPing,
  deadlineAfterSilence,
  firstDeadline,
  type HeartbeatTerms,
  movedDeadline,
  nextDueAt,
  silenceCause,
  waitBefore,
} from '../../../../src/core/monitors/heartbeats/heartbeat-terms.ts'

const at = (time: string) => new Date(`2027-05-${time.replace(' ', 'T')}Z`)
/** Dates of May 2027, which begins on a Saturday, as `DD HH:MM`. */
const shown = (date: Date | null) => date?.toISOString().slice(8, 16).replace('T', ' ') ?? null
const job = (options: HeartbeatTerms['options'], intervalSeconds = 3_600): HeartbeatTerms => ({
  intervalSeconds,
  options,
})

const NIGHTLY = job({ schedule: '0 3 * * *' })
const LONG_HOURLY = job({ schedule: '0 * * * *', grace_seconds: 2_400 })
const OFFICE = job({ schedule: 'Mon..Fri 09:00', grace_seconds: 3_600 })

describe('a job with a schedule', () => {
  const pings: [terms: HeartbeatTerms, ping: string, deadline: string, why: string][] = [
    [NIGHTLY, '04 03:00', '05 03:05', 'counts for the time that it comes at'],
    [NIGHTLY, '04 03:04', '05 03:05', 'counts for the time before'],
    [NIGHTLY, '04 14:59', '05 03:05', 'counts for the time before until half of the period is over'],
    [NIGHTLY, '04 15:00', '06 03:05', 'counts for the next time from then on'],
    [NIGHTLY, '04 02:59', '05 03:05', 'comes a little early, on a clock that is fast'],
    [LONG_HOURLY, '04 02:35', '04 03:40', 'is the end of a run that takes over half of the period'],
    [LONG_HOURLY, '04 02:40', '04 04:40', 'is early for the next, once the run before is late'],
    [OFFICE, '07 09:00', '10 10:00', 'waits over a weekend'],
    [OFFICE, '08 20:00', '10 10:00', 'is the late one of Friday on the Saturday'],
    [OFFICE, '09 12:00', '11 10:00', 'is the early one of Monday on the Sunday'],
    [job({ schedule: '0 * * * *', grace_seconds: 86_400 }), '04 02:59', '05 03:00', 'has all of its grace'],
    [job({ schedule: '0 3 * * *', timezone: 'Europe/Berlin' }), '04 03:00', '05 01:05', 'is due in its zone'],
  ]
  for (const [terms, ping, expected, why] of pings) {
    it(`has the deadline ${expected} after a ping at ${ping}: ${why}`, () => {
      assert.equal(shown(deadlineAfterPing(terms, at(ping))), expected)
    })
  }

  it('counts from its creation or resumption on', () => {
    assert.equal(shown(firstDeadline(NIGHTLY, at('04 02:59'))), '04 03:05')
    assert.equal(shown(firstDeadline(NIGHTLY, at('04 03:00'))), '05 03:05')
    assert.equal(shown(firstDeadline(NIGHTLY, at('04 15:00'))), '05 03:05')
    assert.equal(firstDeadline(job({ schedule: '2027-05-01 03:00' }), at('04 15:00')), null)
  })

  it('is next late after the next time, however late its silence was found', () => {
    assert.equal(shown(deadlineAfterSilence(NIGHTLY, at('04 03:05'), at('04 03:05'))), '05 03:05')
    assert.equal(shown(deadlineAfterSilence(NIGHTLY, at('04 03:05'), at('06 03:06'))), '07 03:05')
    const patient = job({ schedule: '0 * * * *', grace_seconds: 7_200 })
    assert.equal(shown(deadlineAfterSilence(patient, at('04 05:00'), at('04 05:00'))), '04 06:00')
  })

  it('says which time it is due at, also where our own downtime moved its deadline', () => {
    assert.equal(shown(nextDueAt(NIGHTLY, at('04 03:05'))), '04 03:00')
    assert.equal(shown(nextDueAt(NIGHTLY, at('04 05:17'))), '04 03:00')
    assert.equal(nextDueAt(NIGHTLY, null), null)
    assert.equal(nextDueAt(job(null), at('04 05:17')), null)
  })

  it('names the time that was missed as its clocks showed it', () => {
    const terms = job({ schedule: '0 3 * * *', timezone: 'Europe/Berlin' })
    assert.equal(
      silenceCause(terms, at('04 01:05')),
      'no ping within 300 s of 2027-05-04 03:00 Europe/Berlin',
    )
    assert.equal(silenceCause(job(null), at('04 01:05')), 'no ping within 3600 s')
    assert.equal(silenceCause(job({ grace_seconds: 60 }), at('04 01:05')), 'no ping within 3660 s')
  })

  it('is waited for from its scheduled time on, so that windows before it do not count', () => {
    assert.deepEqual(waitBefore(NIGHTLY, at('03 03:00')), { intervalSeconds: 300, heardAt: null })
    assert.deepEqual(waitBefore(job({ grace_seconds: 60 }), at('03 03:00')), {
      intervalSeconds: 3_660,
      heardAt: at('03 03:00'),
    })
  })
})

describe('a job with an interval', () => {
  it('has it, and the grace where one is set', () => {
    for (const [options, minutes] of [
      [null, '00'],
      [undefined, '00'],
      [{ grace_seconds: 600 }, '10'],
    ] as const) {
      const terms = job(options)
      assert.equal(shown(firstDeadline(terms, at('04 02:00'))), `04 03:${minutes}`)
      assert.equal(shown(deadlineAfterPing(terms, at('04 02:00'))), `04 03:${minutes}`)
    }
    const terms = job(null)
    assert.equal(shown(deadlineAfterSilence(terms, at('04 02:00'), at('04 02:10'))), '04 03:00')
    assert.equal(shown(deadlineAfterSilence(terms, at('04 02:00'), at('04 03:10'))), '04 04:10')
  })
})

describe('the deadline once other terms hold', () => {
  const moved = (before: HeartbeatTerms, after: HeartbeatTerms) =>
    shown(movedDeadline(before, after, at('05 03:05'), at('04 12:00')))
  it('keeps the time at which the job was heard of, or is due', () => {
    assert.equal(moved(job(null, 3_600), job(null, 7_200)), '05 04:05')
    assert.equal(moved(job(null), job({ grace_seconds: 60 })), '05 03:06')
    assert.equal(moved(NIGHTLY, job({ schedule: '0 3 * * *', grace_seconds: 600 })), '05 03:10')
    assert.equal(moved(NIGHTLY, job({ schedule: '0 3 * * *' }, 60)), '05 03:05')
  })
  it('counts from now on where the times are others', () => {
    assert.equal(moved(job(null), NIGHTLY), '05 03:05')
    assert.equal(moved(NIGHTLY, job({ schedule: '0 14 * * *' })), '04 14:05')
    assert.equal(moved(NIGHTLY, job({ schedule: '0 3 * * *', timezone: 'Asia/Tokyo' })), '04 18:05')
    assert.equal(moved(NIGHTLY, job(null)), '04 13:00')
  })
})
