import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fullTimes, hoursUntilFull, type Trends, withReport } from '../../../src/core/servers/disk-trend.ts'
import { MAX_FILE_SYSTEMS, MAX_PART_NAME_LENGTH, type Sample } from '../../../src/core/servers/series.ts'
import { AT_LENGTH } from '../../support/at-length.ts'
import { type Level, noise, sawtooth, tide, visit } from '../../support/records/disk-levels.ts'
import { JudgedServer } from '../../support/records/judged-server.ts'

const START = Date.parse('2027-03-10T00:00:00Z')
const POINTS_AN_HOUR = 6
const KEY = 'file_system_used_percent:/'

function at(hour: number): Date {
  return new Date(START + Math.round(hour * 3_600_000))
}

function levelAt(level: Level, hour: number): number {
  return Math.min(100, Math.max(0, level(hour)))
}

/** A point every ten minutes. */
function follow(level: Level, from: number, to: number, before: Trends | null = null): Trends | null {
  let trends = before
  for (let point = 0; from + point / POINTS_AN_HOUR <= to; point++) {
    const hour = from + point / POINTS_AN_HOUR
    trends = withReport(trends, { [KEY]: levelAt(level, hour) }, at(hour))
  }
  return trends
}

const FILLS: [name: string, level: Level][] = [
  ['steady', (hour) => 50 + 2 * hour],
  ['steady and slow', (hour) => 40 + 0.8 * hour],
  ['steady, from a nearly empty disk', (hour) => 10 + 5 * hour],
  ['steady, with a little noise', (hour) => 45 + 1.5 * hour + 0.2 * noise(hour)],
  ['steady, with noise', (hour) => 40 + 2.5 * hour + 0.5 * noise(hour)],
  ['slow, with noise', (hour) => 45 + hour + 0.2 * noise(hour)],
  ['faster by day than by night', (hour) => 40 + tide(hour, 1.5, 0.3)],
  ['faster by night than by day', (hour) => 40 + tide(hour, 1.2, 0.4, 2)],
  ['in waves of an hour', (hour) => 40 + 2 * hour + 0.3 * Math.sin(2 * Math.PI * hour)],
  ['ever faster', (hour) => 30 + 70 * (hour / 48) ** 2],
  ['ever faster, in a day and a half', (hour) => 20 + 80 * (hour / 36) ** 2],
  ['growing on itself', (hour) => 20 + 5 * Math.exp(hour / 18)],
  ['ever slower', (hour) => 20 + 11.5 * Math.sqrt(hour)],
  ['in steps of 20 minutes', (hour) => 40 + Math.floor(hour * 3)],
  ['in steps of an hour', (hour) => 40 + 3 * Math.floor(hour)],
  ['with small deletions every hour', (hour) => 40 + 3 * hour - Math.floor(hour)],
  ['with deletions every three hours', (hour) => 40 + 2.5 * hour - 2 * Math.floor(hour / 3)],
  ['below logs that are rotated each day', (hour) => 30 + 1.5 * hour + sawtooth(hour, 24, 0, 4)],
  ['below temporary files of an hour', (hour) => 35 + 1.8 * hour + sawtooth(hour, 1, 0, 4)],
  ['after a bug doubled the rate', (hour) => 40 + 0.6 * hour + Math.max(0, hour - 24) * 1.4],
]

describe('when a disk is full, six hours ahead', () => {
  assert.equal(FILLS.length, 20)
  for (const [name, level] of FILLS) {
    test(`of a fill that is ${name}, is right to 20 %`, () => {
      let minute = 0
      while (level(minute / 60) < 100) minute++
      const full = minute / 60
      const trends = follow(level, full - 13, full - 6)
      const hours = hoursUntilFull(trends, '/', level(full - 6)) ?? Number.NaN
      assert.ok(hours >= 4.8 && hours <= 7.2, `${hours} hours`)
    })
  }
})

const DAY = 24
/** A month, or days enough for each to come again and again: the trend knows six hours. */
const [MONTH, AGAIN] = [30, AT_LENGTH ? 30 : 8]
const CALM: [name: string, level: Level, days: number][] = [
  ['logs that are rotated each day', (hour) => sawtooth(hour, DAY, 70, 82), AGAIN],
  ['logs of a service with noise', (hour) => sawtooth(hour, DAY, 70, 80) + 0.5 * noise(hour), AGAIN],
  ['logs that are rotated each week', (hour) => sawtooth(hour, 7 * DAY, 60, 88), MONTH],
  ['logs that are rotated every three hours', (hour) => sawtooth(hour, 3, 65, 88), AGAIN],
  ['temporary files of an hour', (hour) => sawtooth(hour, 1, 62, 80), AGAIN],
  ['logs above slow growth', (hour) => 70 + 0.0125 * hour + sawtooth(hour, DAY, 0, 8), MONTH],
  [
    'a backup of three hours each night',
    (hour) => 60 + visit(hour, { period: DAY, at: 2, rising: 3, staying: 1, height: 30 }),
    AGAIN,
  ],
  [
    'a backup of three hours each week',
    (hour) => 60 + visit(hour, { period: 7 * DAY, at: 50, rising: 3, staying: 5, height: 30 }),
    MONTH,
  ],
  ['a database that compacts', (hour) => 70 + sawtooth(hour, 2, 0, 3) + sawtooth(hour, 12, 0, 4), AGAIN],
  [
    'copies that stay',
    (hour) => 55 + [100, 102, 104, 400, 402].reduce((sum, copied) => sum + (hour > copied ? 7 : 0), 0),
    MONTH,
  ],
  ['a disk that is nearly full, and stays so', (hour) => 89 + 0.4 * noise(hour), AGAIN],
]

/** They look as a fill does, until they have come down twice. */
const LEARNED: [name: string, level: Level, days: number][] = [
  ['logs that nearly fill the disk each day', (hour) => sawtooth(hour, DAY, 65, 90), 12],
  ['logs that are rotated by size', (hour) => sawtooth(hour, 7, 65, 85), 12],
  [
    'a backup of eight hours each night',
    (hour) => 60 + visit(hour, { period: DAY, at: 2, rising: 8, staying: 1, height: 30 }),
    12,
  ],
  [
    'a backup of eight hours each week',
    (hour) => 60 + visit(hour, { period: 7 * DAY, at: 50, rising: 8, staying: 5, height: 30 }),
    30,
  ],
]

/** Hours at which the default threshold would begin: 24 hours or less, for an hour, until there are 36 for an hour. */
function alertsOf(level: Level, days: number): number[] {
  const alerts: number[] = []
  let trends: Trends | null = null
  let isOn = false
  let beyond = 0
  for (let point = 0; point < days * DAY * POINTS_AN_HOUR; point++) {
    const hour = point / POINTS_AN_HOUR
    const used = levelAt(level, hour)
    trends = withReport(trends, { [KEY]: used }, at(hour))
    const hours = hoursUntilFull(trends, '/', used)
    if (hours === null) continue
    beyond = (isOn ? hours >= 36 : hours <= 24) ? beyond + 1 : 0
    if (beyond <= POINTS_AN_HOUR) continue
    beyond = 0
    isOn = !isOn
    if (isOn) alerts.push(hour)
  }
  return alerts
}

describe('days without a full disk', () => {
  for (const [name, level, days] of CALM) {
    test(`${name}: no alert`, () => {
      assert.deepEqual(alertsOf(level, days), [])
    })
  }

  for (const [name, level, days] of LEARNED) {
    test(`${name}: an alert each of the first two times, and none after that`, () => {
      assert.equal(alertsOf(level, days).length, 2)
    })
  }

  test('a disk that comes down each day, and then does not, is told again above the levels it knows', () => {
    const stuck: Level = (hour) =>
      hour < 6 * DAY ? sawtooth(hour, DAY, 65, 85) : 65 + (hour - 6 * DAY) * 0.9
    const alerts = alertsOf(stuck, 8)
    assert.ok((alerts.at(-1) as number) > 6 * DAY, `${alerts}`)
    assert.ok(stuck(alerts.at(-1) as number) < 88)
  })
})

describe('the points of a trend', () => {
  const steady: Level = (hour) => 60 + 1.2 * hour
  /** In tenths of an hour. */
  const hoursOf = (trends: Trends | null, mount: string, used: number) => {
    const hours = hoursUntilFull(trends, mount, used)
    return hours === null ? null : Math.round(hours * 10) / 10
  }

  test('say nothing for the first four hours, and nothing of a disk they do not know', () => {
    assert.equal(hoursUntilFull(follow(steady, 0, 3.5), '/', 64), null)
    assert.equal(hoursOf(follow(steady, 0, 4), '/', 64), 30)
    for (const mount of ['/var', '__proto__', 'constructor'])
      assert.equal(hoursUntilFull(follow(steady, 0, 4), mount, 64), null)
    assert.equal(hoursUntilFull(null, '/', 64), null)
    assert.equal(hoursUntilFull(follow(steady, 0, 4), '/', undefined), null)
  })

  test('are one for ten minutes, whatever comes between, and in whatever order', () => {
    const trends = follow(steady, 0, 1)
    assert.equal(withReport(trends, { [KEY]: 99 }, at(1.1)), trends)
    assert.equal(withReport(trends, { [KEY]: 99 }, at(0.5)), trends)
    assert.equal(withReport(trends, { cpu_percent: 5 }, at(2)), trends)
    assert.notEqual(withReport(trends, { [KEY]: 99 }, at(1.2)), trends)
  })

  test('of file systems that come in requests of their own are all kept', () => {
    let trends: Trends | null = null
    for (let hour = 0; hour <= 5; hour += 1 / POINTS_AN_HOUR) {
      trends = withReport(trends, { [KEY]: steady(hour) }, at(hour))
      trends = withReport(trends, { 'file_system_used_percent:/var': steady(hour) }, at(hour))
    }
    assert.equal(hoursOf(trends, '/', 70), 25)
    assert.equal(hoursOf(trends, '/var', 70), 25)
  })

  test('that are missing leave the rise as it is, and an hour of them leaves enough', () => {
    const before = follow(steady, 0, 3)
    const trends = follow(steady, 4, 6, before)
    assert.equal(hoursOf(trends, '/', 70), 25)
    const later = withReport(trends, { [KEY]: 66 }, at(24))
    assert.equal(hoursUntilFull(later, '/', 66), null)
  })

  test('tell a date within a week, and none beyond', () => {
    const trends = follow(steady, 0, 6)
    const both = { [KEY]: 70, 'file_system_used_percent:/new': 70 }
    assert.deepEqual(fullTimes(trends, both, at(6)), [
      { mount: '/', at: at(31) },
      { mount: '/new', at: null },
    ])
    const slow = follow((hour) => 60 + hour / 6, 0, 6)
    assert.deepEqual(fullTimes(slow, { [KEY]: 61 }, at(6)), [{ mount: '/', at: null }])
  })

  test('a full disk is full, and one with more than 40 % of room is not about to be', () => {
    assert.equal(hoursUntilFull(follow(steady, 34, 40), '/', 100), 0)
    assert.equal(
      hoursUntilFull(
        follow((hour) => 10 + 6 * hour, 0, 7),
        '/',
        52,
      ),
      Number.POSITIVE_INFINITY,
    )
  })

  test('a file system that is gone is forgotten, and there are never more than a server can have', () => {
    const trends = follow(steady, 0, 3)
    const others = Object.fromEntries(
      Array.from({ length: MAX_FILE_SYSTEMS }, (_, index) => [
        `file_system_used_percent:${String(index).padStart(MAX_PART_NAME_LENGTH, '/')}`,
        50,
      ]),
    ) as Sample
    assert.deepEqual(
      Object.keys(withReport(trends, { 'file_system_used_percent:/a': 1 }, at(10))?.mounts ?? {}),
      ['/a'],
    )
    let many = trends
    for (let hour = 3.2; hour < 12; hour += 1 / POINTS_AN_HOUR) many = withReport(many, others, at(hour))
    assert.equal(Object.keys(many?.mounts ?? {}).length, MAX_FILE_SYSTEMS)
    const [one] = Object.values(many?.mounts ?? {})
    assert.ok(JSON.stringify(one).length < 120, JSON.stringify(one))
  })
})

test('a server whose disk is going to be full is told of before it is, and again when it is not', () => {
  const server = new JudgedServer({ silent: { is_on: true, warns_only: false, seconds: 1_200 } })
  for (let minute = 0; minute < 10 * 60; minute += 10) server.report(minute, { [KEY]: 65 + minute / 40 })
  for (let minute = 10 * 60; minute < 24 * 60; minute += 10) server.report(minute, { [KEY]: 70 })
  assert.deepEqual(
    server.told.map(([, event, condition, cause]) => [event, condition, cause]),
    [
      ['begins', 'disk_full_soon:/', '/ is full in about 19 hours'],
      ['ends', 'disk_full_soon:/', '/ is not filling up any more'],
    ],
  )
})
