import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
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
  it('are heartbeats of their period and grace', async () => {
    const outcome = await read()
    assertMonitor(outcome, 'Nightly dump', {
      type: 'heartbeat',
      check_interval_minutes: 60,
      check_interval_seconds: 90_000,
      is_active: true,
      contacts: ['night-shift@shop.example'],
    })
    // From Friday 17:00 to Monday 9:00, an hour for shifted clocks, and half an hour of grace.
    assertMonitor(outcome, 'Office hours report', {
      check_interval_seconds: 64 * 3_600 + 3_600 + 1_800,
      is_active: false,
      contacts: [],
    })
    assertMonitor(outcome, 'unnamed check', { check_interval_minutes: 1, check_interval_seconds: 120 })
  })

  it('name their old addresses, as far as the key may read them', async () => {
    assert.deepEqual((await read()).pings, [
      { monitor: 'Nightly dump', address: 'https://hc-ping.example/1b2c3d4e-0000-4000-8000-000000000001' },
      {
        monitor: 'Office hours report',
        address: 'https://hc-ping.example/1b2c3d4e-0000-4000-8000-000000000002',
      },
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

  it('list what has no counterpart: schedules of another language, integrations without their address', async () => {
    const { skipped } = await read()
    assert.deepEqual(
      skipped.map(({ what }) => what),
      ['integration Chat', 'integration sms', 'Timer'],
    )
  })

  it('are the same without their integrations, but for the contacts', async () => {
    const outcome = await readExports('healthchecks', 'healthchecks.json')
    assert.deepEqual(outcome.declaration.contacts, [])
    assertMonitor(outcome, 'Nightly dump', { check_interval_seconds: 90_000, contacts: [] })
  })
})

describe('an interval of Healthchecks', () => {
  const table: [string, Record<string, unknown>, number | RegExp][] = [
    ['is period and grace', { timeout: 600 }, 660],
    ['is a day and the grace where no period is told', {}, 86_460],
    ['is the longest gap of a cron schedule and the grace', { schedule: '*/10 * * * *', tz: 'UTC' }, 660],
    ["knows systemd's words", { schedule: 'hourly', tz: 'UTC' }, 3_660],
    ['is the shorter of two schedules', { schedule: 'daily\nhourly', tz: 'UTC' }, 3_660],
    ['is refused beyond a year', { schedule: '0 0 29 2 *', tz: 'UTC' }, /a year is the most/],
    [
      'is unknown for what is no cron expression',
      { schedule: '*-*-* 04:00', tz: 'UTC' },
      /no cron expression/,
    ],
    [
      'is unknown in a time zone that there is not',
      { schedule: '0 4 * * *', tz: 'Moon/Sea' },
      /schedule in Moon\/Sea, a time zone that is not known here/,
    ],
  ]
  for (const [what, check, expected] of table) {
    it(what, () => {
      const { declaration, skipped } = draftOne(check)
      const [monitor] = declaration.monitors
      if (typeof expected !== 'number') assert.match(skipped[0]?.reason ?? '', expected)
      else
        assert.equal(monitor?.check_interval_seconds ?? (monitor?.check_interval_minutes ?? 0) * 60, expected)
    })
  }
})
