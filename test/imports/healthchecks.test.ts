import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { intervalSecondsOf } from '../../src/core/probing/schedule.ts'
import {
  assertMonitor,
  fromHealthchecks,
  notesOn,
  readExports,
  TERMS,
} from '../support/imports/read-exports.ts'

const read = () => readExports('healthchecks', 'healthchecks.json', 'healthchecks-channels.json')

function draftOne(check: Record<string, unknown>) {
  return fromHealthchecks([{ checks: [{ name: 'One', grace: 60, status: 'up', ...check }] }], TERMS)
}

describe('checks of Healthchecks', () => {
  it('are heartbeats of their period or schedule, and their grace', async () => {
    const outcome = await read()
    assertMonitor(outcome, 'Nightly dump', {
      type: 'heartbeat',
      check_interval_minutes: 60,
      check_interval_seconds: 86_400,
      options: { grace_seconds: 3_600 },
      is_active: true,
      contacts: ['night-shift@shop.example'],
    })
    assertMonitor(outcome, 'Office hours report', {
      options: { schedule: '0 9-17 * * 1-5', timezone: 'Europe/Berlin', grace_seconds: 1_800 },
      is_active: false,
      contacts: [],
    })
    assertMonitor(outcome, 'Timer', { options: { schedule: 'Mon..Fri *-*-* 08:00', grace_seconds: 300 } })
    assertMonitor(outcome, 'unnamed check', { check_interval_minutes: 1, check_interval_seconds: null })
  })

  it('name their old addresses, as far as the key may read them', async () => {
    assert.deepEqual((await read()).pings, [
      { monitor: 'Nightly dump', address: 'https://hc-ping.example/1b2c3d4e-0000-4000-8000-000000000001' },
      {
        monitor: 'Office hours report',
        address: 'https://hc-ping.example/1b2c3d4e-0000-4000-8000-000000000002',
      },
      { monitor: 'Timer', address: 'https://hc-ping.example/1b2c3d4e-0000-4000-8000-000000000003' },
      { monitor: 'unnamed check', address: null },
    ])
  })

  it('say what was different', async () => {
    assert.deepEqual(notesOn(await read(), 'Office hours report'), [
      'has no contacts of its own: here, every contact of the team is alerted then',
      'judged pings by words in their subject or body: here the address says it (/fail, /start, an exit status)',
      'took POST only: here GET and HEAD count, too',
      'stayed paused when pinged: here a paused monitor answers 404 until it is resumed',
    ])
  })

  it('list what has no counterpart: integrations without their address', async () => {
    const { skipped } = await read()
    assert.deepEqual(
      skipped.map(({ what }) => what),
      ['integration Chat', 'integration sms'],
    )
  })

  it('are the same without their integrations, but for the contacts', async () => {
    const outcome = await readExports('healthchecks', 'healthchecks.json')
    assert.deepEqual(outcome.declaration.contacts, [])
    assertMonitor(outcome, 'Nightly dump', { check_interval_seconds: 86_400, contacts: [] })
  })
})

describe('a check of Healthchecks is waited for', () => {
  const table: [string, check: Record<string, unknown>, expected: object | RegExp, notes?: RegExp][] = [
    ['by period and grace', { timeout: 600 }, { seconds: 600, options: { grace_seconds: 60 } }],
    ['for a day where no period is told', {}, { seconds: 86_400, options: { grace_seconds: 60 } }],
    [
      'for all of a long grace',
      { timeout: 600, grace: 90_000 },
      { seconds: 4_200, options: { grace_seconds: 86_400 } },
    ],
    [
      'at the times of cron',
      { schedule: '*/10 * * * *', tz: 'UTC' },
      { seconds: 3_600, options: { schedule: '*/10 * * * *', grace_seconds: 60 } },
    ],
    [
      'at the times of systemd, in its zone',
      { schedule: '*-*-* 04:00', tz: 'Asia/Tokyo', grace: 90_000 },
      { seconds: 3_600, options: { schedule: '*-*-* 04:00', timezone: 'Asia/Tokyo', grace_seconds: 86_400 } },
      /is down 1 day after a ping was due, not 1 day 1 h: the maximum/,
    ],
    ['by one schedule', { schedule: 'daily\nhourly', tz: 'UTC' }, /has several schedules/],
    ['at times that come', { schedule: '0 0 31 2 *', tz: 'UTC' }, /it must match a time in the future/],
    [
      'by what can be read',
      { schedule: 'at night', tz: 'UTC' },
      /cannot come over: it must be a cron expression/,
    ],
    [
      'in a time zone that is known',
      { schedule: '0 4 * * *', tz: 'Moon/Sea' },
      /schedule in Moon\/Sea, a time zone that is not known here/,
    ],
  ]
  for (const [what, check, expected, note] of table) {
    it(what, () => {
      const outcome = draftOne(check)
      const [monitor] = outcome.declaration.monitors
      if (expected instanceof RegExp) assert.match(outcome.skipped[0]?.reason ?? '', expected)
      else {
        assert.ok(monitor)
        assert.deepEqual({ seconds: intervalSecondsOf(monitor), options: monitor.options }, expected)
        if (note) assert.match(notesOn(outcome, 'One').join(), note)
      }
    })
  }
})
