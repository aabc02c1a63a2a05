import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { MAX_NOTE_LENGTH } from '../../../src/core/maintenance/window.ts'
import { windowInWords } from '../../../src/core/maintenance/window-words.ts'
import { readKumaBackup } from '../../../src/imports/uptime-kuma/backup.ts'
import { KUMA_CONTENT, writeKumaDatabase } from '../../support/imports/kuma-database.ts'
import { fromUptimeKuma, nextOf, notesOn, readExport, TERMS } from '../../support/imports/read-exports.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const SHOP = { id: 1, name: 'Shop', type: 'http', url: 'https://shop.example/', interval: 60 }

type Row = Record<string, unknown>

/** The import of one maintenance of the one monitor of the file. */
function draftOne(maintenance: Row, around: { monitors?: Row[]; serverZone?: string } = {}) {
  const row = { id: 1, title: 'Works', active: 1, timezone: 'UTC', ...maintenance }
  const { monitors = [SHOP], serverZone = '' } = around
  return fromUptimeKuma(
    {
      ...{
        monitors,
        notifications: [],
        attached: [],
        tags: [],
        baseUrl: '',
        warningDays: [],
        pages: { pages: [], domains: [], groups: [], shown: [], incidents: [] },
        proxies: [],
        dockerHosts: [],
        others: {},
      },
      windows: {
        maintenances: [row],
        covered: [{ maintenanceId: 1, monitorId: 1 }],
        onPages: [],
        serverZone,
      },
    },
    TERMS,
  )
}

const WEEKDAY = { strategy: 'recurring-weekday', cron: '0 2 * * 0', start_time: '02:00', end_time: '03:00' }
const MONTHDAY = {
  strategy: 'recurring-day-of-month',
  cron: '0 2 * *',
  start_time: '22:00',
  end_time: '23:00',
}
const INTERVAL = { strategy: 'recurring-interval', cron: '0 2 * * *', start_time: '02:00', end_time: '03:30' }
const BERLIN = { timezone: 'Europe/Berlin' }

describe('a maintenance of Uptime Kuma is next at', () => {
  // All is asked on Tuesday, 2026-11-24, at 12:00 UTC. Berlin is at +01:00 then, and its clocks change on
  // 2027-03-28 (02:00 to 03:00) and 2027-10-31 (03:00 to 02:00).
  const table: [what: string, maintenance: Row, next: string[]][] = [
    [
      'every day',
      { ...INTERVAL, ...BERLIN, interval_day: 1 },
      ['2026-11-25T01:00Z 90', '2026-11-26T01:00Z 90', '2026-11-27T01:00Z 90'],
    ],
    [
      'every third day, counted from its start date',
      { ...INTERVAL, ...BERLIN, interval_day: 3, start_date: '2026-11-20T00:00' },
      ['2026-11-26T01:00Z 90', '2026-11-29T01:00Z 90', '2026-12-02T01:00Z 90'],
    ],
    [
      'every seventh day, of which the first is before the start of the range',
      { ...INTERVAL, interval_day: 7, start_date: '2026-12-01T10:00' },
      ['2026-12-08T02:00Z 90', '2026-12-15T02:00Z 90', '2026-12-22T02:00Z 90'],
    ],
    [
      'every second day without a start date',
      { ...INTERVAL, interval_day: 2 },
      ['2026-11-25T02:00Z 90', '2026-11-27T02:00Z 90', '2026-11-29T02:00Z 90'],
    ],
    [
      'weekdays, over midnight',
      { ...WEEKDAY, ...BERLIN, weekdays: '[2,5]', start_time: '23:00', end_time: '01:00' },
      ['2026-11-24T22:00Z 120', '2026-11-27T22:00Z 120', '2026-12-01T22:00Z 120'],
    ],
    [
      'a weekday, running now',
      { ...WEEKDAY, weekdays: '["2"]', start_time: '11:00:00', end_time: '13:00:00' },
      ['2026-11-24T11:00Z 120', '2026-12-01T11:00Z 120', '2026-12-08T11:00Z 120'],
    ],
    [
      'Sundays over the hour that a clock change skips',
      {
        ...WEEKDAY,
        ...BERLIN,
        weekdays: '[0]',
        start_time: '02:30',
        end_time: '03:30',
        start_date: '2027-03-20T00:00',
      },
      ['2027-03-21T01:30Z 60', '2027-03-28T01:30Z 60', '2027-04-04T00:30Z 60'],
    ],
    [
      'Sundays over the hour that occurs twice',
      {
        ...WEEKDAY,
        ...BERLIN,
        weekdays: '[0]',
        start_time: '02:30',
        end_time: '03:30',
        start_date: '2027-10-23 00:00:00',
      },
      ['2027-10-24T00:30Z 60', '2027-10-31T00:30Z 60', '2027-11-07T01:30Z 60'],
    ],
    [
      'the 31st and the last day of a month',
      { ...MONTHDAY, timezone: 'America/New_York', days_of_month: '[31,"lastDay1"]' },
      ['2026-12-01T03:00Z 60', '2027-01-01T03:00Z 60', '2027-02-01T03:00Z 60'],
    ],
    [
      'the fourth-to-last to the second-to-last day',
      { ...MONTHDAY, days_of_month: '["lastDay4","lastDay3","lastDay2"]' },
      ['2026-11-27T22:00Z 60', '2026-11-28T22:00Z 60', '2026-11-29T22:00Z 60'],
    ],
    [
      'a cron expression',
      { strategy: 'cron', cron: '30 3 * * 1', duration: 5_400, timezone: 'Asia/Tokyo' },
      ['2026-11-29T18:30Z 90', '2026-12-06T18:30Z 90', '2026-12-13T18:30Z 90'],
    ],
    [
      'a range that ends as the next would begin',
      { ...INTERVAL, interval_day: 1, end_date: '2026-11-27T02:00' },
      ['2026-11-25T02:00Z 90', '2026-11-26T02:00Z 90'],
    ],
    [
      'a range without an end that any calendar reaches',
      { ...INTERVAL, interval_day: 1, end_date: '9999-12-31T00:00' },
      ['2026-11-25T02:00Z 90', '2026-11-26T02:00Z 90', '2026-11-27T02:00Z 90'],
    ],
    [
      'a single one',
      { strategy: 'single', ...BERLIN, start_date: '2026-12-24T18:00', end_date: '2026-12-24T20:00' },
      ['2026-12-24T17:00Z 120'],
    ],
    [
      'a single one of a version before 1.21.2, in UTC',
      {
        strategy: 'single',
        timezone: null,
        start_date: '2026-12-24 18:00:00',
        end_date: '2026-12-24 20:00:00',
      },
      ['2026-12-24T18:00Z 120'],
    ],
  ]
  for (const [what, maintenance, expected] of table) {
    it(what, () => {
      const outcome = draftOne(maintenance)
      assert.deepEqual(outcome.skipped, [])
      assert.deepEqual(nextOf(outcome, TERMS.now, 3), expected)
      const window = outcome.windows[0]?.window
      // The form shows this as the first start: it is one, and none is before it.
      if (window?.kind === 'recurring') assert.ok(window.local_start >= '2026-11-24', window.local_start)
    })
  }
})

describe('a maintenance of Uptime Kuma that cannot be expressed is skipped with the reason', () => {
  const table: [what: string, maintenance: Row, reason: RegExp][] = [
    ['inactive', { ...WEEKDAY, weekdays: '[1]', active: 0 }, /^is switched off there$/],
    [
      'a single one that is over',
      { strategy: 'single', start_date: '2026-11-24T08:00', end_date: '2026-11-24T12:00' },
      /^is over since 2026-11-24$/,
    ],
    [
      'a range that is over',
      { ...INTERVAL, interval_day: 1, end_date: '2026-11-01T00:00' },
      /^is over since/,
    ],
    ['a single one without an end', { strategy: 'single', start_date: '2027-01-01T00:00' }, /start and end/],
    [
      'a single one that is too long',
      { strategy: 'single', start_date: '2027-01-01T00:00', end_date: '2027-03-01T00:00' },
      /at most 30 days/,
    ],
    [
      'a cron that says "or"',
      { strategy: 'cron', cron: '0 2 1 * 1', duration: 60 },
      /no rule here says "or"/,
    ],
    ['a cron that never is', { strategy: 'cron', cron: '0 2 30 2 *', duration: 60 }, /no occurrence within/],
    [
      'a cron that lasts no time',
      { strategy: 'cron', cron: '0 2 * * *' },
      /duration_minutes must be at least 1/,
    ],
    [
      'a cron that overlaps itself',
      { strategy: 'cron', cron: '0 2 * * *', duration: 90_000 },
      /each occurrence end before the next begins/,
    ],
    ['no weekdays', { ...WEEKDAY, weekdays: '[]' }, /names no day of the week/],
    ['days of no month', { ...MONTHDAY, days_of_month: '["lastDay9"]' }, /names no day of the month/],
    ['no time', { ...WEEKDAY, weekdays: '[1]', end_time: '02:00' }, /lasts no time/],
    ['times that are none', { ...WEEKDAY, weekdays: '[1]', start_time: '25:00' }, /that can be read/],
    ['an interval over a year', { ...INTERVAL, interval_day: 3_650 }, /^recurs every 3650 days: 1 to 365/],
    [
      'an interval of no calendar',
      { ...INTERVAL, interval_day: 1e18, start_date: '2026-12-01T10:00' },
      /1 to 365/,
    ],
    [
      'the zone of a server that is unknown',
      { ...WEEKDAY, weekdays: '[1]', timezone: 'SAME_AS_SERVER' },
      /of its server/,
    ],
    [
      'a zone that nobody knows',
      { ...WEEKDAY, weekdays: '[1]', timezone: 'Mars/Base' },
      /time zone Mars\/Base/,
    ],
    ['a strategy that nobody knows', { strategy: 'recurring-moon' }, /recurs by recurring-moon/],
  ]
  for (const [what, maintenance, reason] of table) {
    it(what, () => {
      const { windows, skipped } = draftOne(maintenance)
      assert.deepEqual(windows, [])
      assert.deepEqual(
        skipped.map((each) => each.what),
        ['maintenance window Works'],
      )
      assert.match(skipped[0]?.reason ?? '', reason)
    })
  }

  it('none of its monitors came over', () => {
    const { windows, skipped } = draftOne({ strategy: 'manual' }, { monitors: [{ ...SHOP, type: 'pm2' }] })
    assert.deepEqual(windows, [])
    assert.equal(skipped[1]?.reason, 'covers only what did not come over: Shop')
  })
})

describe('a note tells what a maintenance of Uptime Kuma loses', () => {
  const table: [what: string, maintenance: Row, note: RegExp][] = [
    ['a switch that was on', { strategy: 'manual', active: 1 }, /^was on: here it is off/],
    ['a switch without an end', { strategy: 'manual', active: 0 }, /^lasted until it was turned off/],
    ['no start to count from', { ...INTERVAL, interval_day: 2 }, /^has no start date/],
    [
      'an end amid an occurrence',
      { ...INTERVAL, interval_day: 1, end_date: '2026-12-01T03:00' },
      /^ended amid/,
    ],
    [
      'days that were passed over',
      { ...MONTHDAY, days_of_month: '[1,"lastDay2"]' },
      /^named days before the last/,
    ],
    [
      'the zone of the server',
      { ...WEEKDAY, weekdays: '[1]', timezone: 'SAME_AS_SERVER' },
      /Europe\/Berlin$/,
    ],
    [
      'a long description',
      { strategy: 'manual', description: 'x'.repeat(MAX_NOTE_LENGTH + 1) },
      /^has a shorter note/,
    ],
  ]
  for (const [what, maintenance, note] of table) {
    it(what, () => {
      const notes = notesOn(
        draftOne(maintenance, { serverZone: 'Europe/Berlin' }),
        'maintenance window Works',
      )
      assert.equal(notes.filter((text) => note.test(text)).length, 1, notes.join('\n'))
    })
  }

  it('and nothing of one that comes over as it is', () => {
    const whole = { ...INTERVAL, interval_day: 1, end_date: '2026-12-01T03:30' }
    assert.deepEqual(notesOn(draftOne(whole), 'maintenance window Works'), [])
  })
})

describe('the maintenances of a kuma.db', () => {
  async function readDatabase(t: TestContext) {
    const file = join(temporaryFolder(t), 'kuma.db')
    writeKumaDatabase(file, KUMA_CONTENT)
    return await readExport('uptime-kuma', [file], TERMS)
  }

  it('come over with their monitors, those of groups, too', async (t) => {
    const { windows } = await readDatabase(t)
    const shown = windows.map(({ window, monitors }) => [window.name, windowInWords(window), monitors])
    assert.deepEqual(shown, [
      ['Reboots', 'Every Monday and Thursday at 23:30 for 1 hour, Europe/Berlin', ['Shop', 'Mail server']],
      ['Deploys', 'When switched on, for at most 1 day', ['Shop (2)']],
      [
        'Cupboard',
        'Every month on the 1st day and the last day at 04:00 for 1 hour, Europe/Berlin',
        ['Cupboard', 'In the cupboard'],
      ],
      ['Dumps 01:00', 'Every day at 01:00 for 30 minutes, UTC', ['Nightly backup']],
      ['Dumps 13:00', 'Every day at 13:00 for 30 minutes, UTC', ['Nightly backup']],
    ])
    assert.equal(windows[0]?.window.note, 'Mail may be **late**.')
  })

  it('are listed with what they lose, or the reason', async (t) => {
    const outcome = await readDatabase(t)
    assert.deepEqual(notesOn(outcome, 'maintenance window Reboots'), [
      'also covered what did not come over: Names',
    ])
    assert.ok(
      notesOn(outcome, 'maintenance window Cupboard').includes(
        'covered a group: here it covers the monitors that are in it now',
      ),
    )
    const skipped = outcome.skipped.filter(({ what }) => what.startsWith('maintenance window '))
    assert.deepEqual(
      skipped.map(({ what, reason }) => [what.slice('maintenance window '.length), reason]),
      [
        ['Moving house', 'is over since 2024-05-02'],
        ['Odd', 'its cron expression names days of the month or of the week, and no rule here says "or"'],
        ['Old', 'covers only what did not come over: Names'],
        ['Lunch', 'is switched off there'],
        ['Page only', 'covers no monitors'],
      ],
    )
  })

  it('are missing in a backup, which says so', () => {
    const read = (monitor: Row) =>
      fromUptimeKuma(readKumaBackup({ monitorList: [{ ...SHOP, ...monitor }] }), TERMS).skipped
    const reason = 'a backup does not hold them: import kuma.db instead'
    const [windows, pages] = ['maintenance windows', 'status pages'].map((what) => ({ what, reason }))
    assert.deepEqual(read({ maintenance: false }), [windows, pages])
    assert.deepEqual(read({}), [pages], 'a version that had no maintenance')
  })
})
