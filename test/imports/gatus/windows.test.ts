import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { windowInWords } from '../../../src/core/maintenance/window-words.ts'
import { fromGatus, nextOf, notesOn, readExports, TERMS } from '../../support/imports/read-exports.ts'

const ENDPOINT = { name: 'One', url: 'https://one.example/', conditions: ['[STATUS] == 200'] }

function draftOne(maintenance: Record<string, unknown>, now: string) {
  return fromGatus([{ endpoints: [ENDPOINT], maintenance }], { ...TERMS, now: new Date(now) })
}

describe('the maintenance of a configuration of Gatus', () => {
  const read = () => readExports('gatus', 'gatus.yaml')

  it('comes over: that of the file over everything, that of endpoints once for all that share it', async () => {
    const { windows } = await read()
    const shown = windows.map(({ window, monitors, coversAll }) => ({
      name: window.name,
      words: windowInWords(window),
      monitors: coversAll ? 'everything' : monitors,
    }))
    assert.deepEqual(shown, [
      { name: 'Maintenance', words: 'Every day at 23:00 for 1 hour, UTC', monitors: 'everything' },
      {
        name: 'Maintenance at 02:30',
        words: 'Every day at 02:30 for 40 minutes, Europe/Berlin',
        monitors: ['database', 'gateway'],
      },
      {
        name: 'Maintenance at 14:30',
        words: 'Every Monday and Thursday at 14:30 for 1 hour 30 minutes, UTC',
        monitors: ['database'],
      },
    ])
    assert.equal(windows[0]?.monitors.length, 7)
  })

  it('is listed where it loses something, or does not come over', async () => {
    const outcome = await read()
    assert.deepEqual(notesOn(outcome, 'maintenance window Maintenance at 02:30'), [
      'also covered what did not come over: resolver',
    ])
    const skipped = outcome.skipped.filter(({ what }) => what.startsWith('maintenance window '))
    assert.deepEqual(skipped, [
      {
        what: 'maintenance window Maintenance at 05:00',
        reason: 'covers only what did not come over (endpoints: resolver)',
      },
      {
        what: 'maintenance window Maintenance at 06:00',
        reason: 'is switched off there (endpoints: jobs/Import of prices)',
      },
    ])
  })

  const occurrences: [what: string, maintenance: Record<string, unknown>, now: string, next: string[]][] = [
    [
      'over midnight, running now',
      { start: '23:00', duration: '4h', every: ['Monday'] },
      '2026-11-24T01:00:00Z',
      ['2026-11-23T23:00Z 240', '2026-11-30T23:00Z 240'],
    ],
    [
      'at a time that the clocks skip on 2027-03-28',
      { start: '02:30', duration: '40m', timezone: 'Europe/Berlin' },
      '2027-03-27T12:00:00Z',
      ['2027-03-28T01:30Z 40', '2027-03-29T00:30Z 40'],
    ],
    [
      'at a time that occurs twice on 2027-10-31',
      { start: '02:30', duration: '40m', timezone: 'Europe/Berlin', every: ['Sunday', 'Monday'] },
      '2027-10-30T12:00:00Z',
      ['2027-10-31T00:30Z 40', '2027-11-01T01:30Z 40'],
    ],
    [
      'of a whole day',
      { start: '00:00', duration: '24h', every: ['Saturday'], timezone: 'America/New_York' },
      '2026-11-24T12:00:00Z',
      ['2026-11-28T05:00Z 1440', '2026-12-05T05:00Z 1440'],
    ],
  ]
  for (const [what, maintenance, now, expected] of occurrences) {
    it(`is next ${what}`, () => {
      assert.deepEqual(nextOf(draftOne(maintenance, now), new Date(now), 2), expected)
    })
  }

  const refused: [what: string, maintenance: Record<string, unknown>, reason: RegExp][] = [
    ['switched off', { enabled: false }, /^is switched off there/],
    ['without a start', { duration: '1h' }, /^has no start such as 23:00$/],
    ['from a time that no day has', { start: '24:00', duration: '1h' }, /^has no start/],
    ['without a duration', { start: '23:00' }, /^has no duration/],
    ['longer than a window', { start: '23:00', duration: '1000h' }, /duration_minutes must be at most 10080/],
    ['on a day that no week has', { start: '23:00', duration: '1h', every: ['Mon'] }, /^names the day Mon,/],
    [
      'in a zone of nowhere',
      { start: '23:00', duration: '1h', timezone: 'Local' },
      /time_zone must be a time zone/,
    ],
    ['with a variable', { start: '$START', duration: '1h' }, /variable of the environment/],
  ]
  for (const [what, maintenance, reason] of refused) {
    it(`is skipped ${what}`, () => {
      const { windows, skipped } = draftOne(maintenance, '2026-11-24T12:00:00Z')
      assert.deepEqual(windows, [])
      assert.deepEqual(
        skipped.map((each) => each.what),
        ['maintenance window Maintenance'],
      )
      assert.match(skipped[0]?.reason ?? '', reason)
    })
  }

  it('lasts whole minutes, and says so', () => {
    const outcome = draftOne({ start: '23:00', duration: '90s' }, '2026-11-24T12:00:00Z')
    const window = outcome.windows[0]?.window
    assert.equal(window?.kind === 'recurring' && window.duration_minutes, 2)
    assert.deepEqual(notesOn(outcome, 'maintenance window Maintenance'), [
      'lasted seconds, too: here it lasts whole minutes',
    ])
  })
})
