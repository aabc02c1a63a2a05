import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { translatorOf } from '../../../src/core/language/service.ts'
import { windowInWords } from '../../../src/core/maintenance/window-words.ts'
import { randomWindows } from '../../support/maintenance/compare.ts'
import { oneOff, recurring, switchWindow } from '../../support/maintenance/windows.ts'

describe('a rule is a sentence that says its days', () => {
  const table: [rule: string, days: string][] = [
    ['FREQ=DAILY', 'Every day'],
    ['FREQ=DAILY;INTERVAL=3', 'Every 3 days'],
    ['FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', 'Every Monday to Friday'],
    [
      'FREQ=DAILY;INTERVAL=2;BYMONTHDAY=1,2;BYDAY=MO,TU;BYMONTH=1,3',
      'Every 2 days, if it is the 1st day of the month or the 2nd day of the month and a Monday or a Tuesday and in January or March,',
    ],
    ['FREQ=WEEKLY', 'Every Sunday'],
    ['FREQ=WEEKLY;BYDAY=WE,MO', 'Every Monday and Wednesday'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU', 'Every 2 weeks on Sunday'],
    ['FREQ=WEEKLY;BYDAY=SU;BYMONTH=6,7', 'Every Sunday in June and July'],
    ['FREQ=MONTHLY', 'Every 3rd day of the month'],
    ['FREQ=MONTHLY;BYDAY=1SU', 'Every first Sunday of the month'],
    ['FREQ=MONTHLY;BYDAY=-1FR', 'Every last Friday of the month'],
    ['FREQ=MONTHLY;BYDAY=1SU,3SU', 'Every month on the first Sunday and the third Sunday'],
    ['FREQ=MONTHLY;INTERVAL=3;BYDAY=-2FR', 'Every 3 months on the second-to-last Friday'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', 'Every last day of the month'],
    ['FREQ=MONTHLY;BYMONTHDAY=1,15', 'Every month on the 1st day and the 15th day'],
    ['FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR', 'Every month on the 13th day, if it is a Friday,'],
    ['FREQ=MONTHLY;BYDAY=MO', 'Every Monday'],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'Every month on the last day that is Monday to Friday'],
    ['FREQ=MONTHLY;BYMONTH=1,7;BYDAY=1MO', 'Every month on the first Monday, if it is January or July,'],
    ['FREQ=YEARLY', 'Every year on January 3'],
    ['FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24', 'Every year on the 24th day of December'],
    ['FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU', 'Every year on the last Sunday of March and October'],
    ['FREQ=YEARLY;BYDAY=20MO', 'Every year on the 20th Monday of the year'],
    ['FREQ=YEARLY;BYDAY=MO', 'Every Monday'],
    ['FREQ=YEARLY;BYMONTHDAY=1', 'Every year on the 1st day of each month'],
    ['FREQ=YEARLY;INTERVAL=2;BYMONTH=5', 'Every 2 years on the 3rd day of May'],
    [
      'FREQ=YEARLY;BYMONTH=6;BYDAY=SA,SU;BYSETPOS=2,-1',
      'Every year on the second and the last day that is Saturday or Sunday in June',
    ],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', 'Every day of the week'],
  ]
  for (const [rule, days] of table) {
    it(rule, () => {
      const window = recurring({ rule, local_start: '2027-01-03T02:00' })
      assert.equal(windowInWords(window), `${days} at 02:00 for 2 hours, Europe/Berlin`)
    })
  }
})

describe('what ends a rule, and what it leaves out, is said last', () => {
  const table: [changes: Parameters<typeof recurring>[0], words: string][] = [
    [{ rule: 'FREQ=DAILY;COUNT=10' }, 'Every day at 02:00 for 2 hours, Europe/Berlin, 10 times'],
    [{ rule: 'FREQ=DAILY;COUNT=1' }, 'Every day at 02:00 for 2 hours, Europe/Berlin, once'],
    [
      { rule: 'FREQ=DAILY;UNTIL=20271231' },
      'Every day at 02:00 for 2 hours, Europe/Berlin, until 2027-12-31',
    ],
    [
      { rule: 'FREQ=DAILY;UNTIL=20271231T020000Z' },
      'Every day at 02:00 for 2 hours, Europe/Berlin, until 2027-12-31 02:00 UTC',
    ],
    [
      { rule: 'FREQ=DAILY', exceptions: ['2027-02-07', '2027-03-07'], duration_minutes: 90 },
      'Every day at 02:00 for 1 hour 30 minutes, Europe/Berlin, except on 2027-02-07 and 2027-03-07',
    ],
  ]
  for (const [changes, words] of table)
    it(words, () => assert.equal(windowInWords(recurring(changes)), words))
})

test('a window that does not recur says when it holds', () => {
  assert.equal(
    windowInWords(oneOff('2027-02-01T02:00Z', '2027-02-02T04:30Z')),
    'Once, on 2027-02-01 at 02:00 for 1 day 2 hours 30 minutes, UTC',
  )
  const once = (starts: string, zone: string, language: 'en' | 'de') => {
    const { t, locale } = translatorOf(language)
    const ends = new Date(Date.parse(starts) + 3_600_000).toISOString()
    return windowInWords(oneOff(starts, ends), t, { zone, locale })
  }
  assert.equal(
    once('2026-11-28T08:00:00Z', 'Europe/Berlin', 'en'),
    'Once, on Sat, 28 Nov 2026 at 09:00 for 1 hour, Europe/Berlin (08:00 UTC)',
  )
  assert.equal(
    once('2026-11-27T23:30:00Z', 'Europe/Berlin', 'de'),
    'Einmalig, am Sa., 28. Nov. 2026 um 00:30 für 1 Stunde, Europe/Berlin (Fr., 27. Nov. 2026, 23:30 UTC)',
  )
  assert.equal(
    once('2026-11-28T08:00:00Z', 'UTC', 'en'),
    'Once, on Sat, 28 Nov 2026 at 08:00 for 1 hour, UTC',
  )
  assert.equal(windowInWords(switchWindow()), 'When switched on, for at most 1 hour')
  assert.equal(
    windowInWords(switchWindow({ ends_when_passing: true, max_minutes: 90 })),
    'When switched on, for at most 1 hour 30 minutes, or until everything has been passing for 5 minutes',
  )
})

describe('a window in German', () => {
  const { t } = translatorOf('de')
  const table: [changes: Parameters<typeof recurring>[0], words: string][] = [
    [{ rule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE' }, 'Jeden Montag bis Mittwoch'],
    [{ rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU' }, 'Alle 2 Wochen, Samstag und Sonntag'],
    [{ rule: 'FREQ=MONTHLY;BYDAY=-2FR' }, 'Jeden vorletzten Freitag des Monats'],
    [{ rule: 'FREQ=MONTHLY;BYMONTHDAY=1,-1' }, 'Jeden Monat am 1. Tag und am letzten Tag'],
    [{ rule: 'FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR' }, 'Jeden Monat am 13. Tag, nur an einem Freitag,'],
    [{ rule: 'FREQ=YEARLY;BYMONTH=3,10;BYDAY=1SU' }, 'Jedes Jahr am ersten Sonntag im März und Oktober'],
  ]
  for (const [changes, days] of table) {
    it(days, () => {
      const window = recurring({ ...changes, local_start: '2027-01-03T02:00' })
      assert.equal(windowInWords(window, t), `${days} um 02:00 für 2 Stunden, Europe/Berlin`)
    })
  }
})

test('there are words for every rule', () => {
  const windows = randomWindows({ seed: 9, rules: 300, zones: ['UTC'], years: [2026, 2027] })
  const sentences = windows.map((window) => windowInWords(recurring(window)))
  const wrong = sentences.filter((words) => !/^Every [A-Za-z0-9 ,:-]+ for [^ ]+ [^ ]+.*, UTC/.test(words))
  assert.deepEqual(wrong, [])
  assert.deepEqual(
    sentences.filter((words) => / {2}|,,|undefined|NaN|the day day/.test(words)),
    [],
  )
})
