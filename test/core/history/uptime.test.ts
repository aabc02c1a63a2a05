import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  addTimes,
  type CheckRun,
  noTime,
  type StateTimes,
  stateTimes,
  type TimeSpan,
  uptimeOf,
  type WatchedTime,
} from '../../../src/core/history/uptime.ts'
import { CheckStatus } from '../../../src/core/monitors/check.ts'
import { formatUptime } from '../../../src/core/percent.ts'

const DAY = '2027-03-10'
const NEXT_DAY = '2027-03-11'
const [TIMEOUT, MINUTE, HOUR] = [10, 60, 3_600]

/** `10:20` of the day, `09 23:30` of the ninth, or an instant. */
function ms(time: string): number {
  if (time.includes('T')) return Date.parse(time)
  const [day, clock] = time.includes(' ') ? time.split(' ') : [DAY.slice(-2), time]
  return Date.parse(`2027-03-${day}T${clock}Z`)
}

function between(from: string, to?: string): TimeSpan {
  return { fromMs: ms(from), toMs: to === undefined ? Number.POSITIVE_INFINITY : ms(to) }
}

function check(time: string, status: CheckStatus = 'up'): CheckRun {
  return { status, firstMs: ms(time), lastMs: ms(time) }
}

/** A check every so many seconds, from a time up to, and without, another. */
function every(seconds: number, from: string, to: string, status: CheckStatus = 'up'): CheckRun[] {
  const runs: CheckRun[] = []
  for (let atMs = ms(from); atMs < ms(to); atMs += seconds * 1_000)
    runs.push({ status, firstMs: atMs, lastMs: atMs })
  return runs
}

const ALL_DAY = every(MINUTE, '09 00:00', '12 00:00')
/** Nothing is asked from 10:01 to 11:59. */
const OUTAGE = [...every(MINUTE, '09 23:00', '10:01'), ...every(MINUTE, '12:00', '11 00:00')]
const HOURLY = { validMs: (HOUR + 30) * 1_000 }
const DAILY_JOB = { isHeartbeat: true, validMs: (25 * HOUR + TIMEOUT) * 1_000 }

type Case = [
  name: string,
  watched: Partial<WatchedTime>,
  /** Seconds in each state, as counted by hand; a state left out has none. */
  seconds: { up?: number; degraded?: number; down?: number; maintenance?: number; unknown?: number },
  span?: TimeSpan,
]

const CASES: Case[] = [
  ['a monitor that was never checked', {}, { unknown: 86_400 }],
  ['a day without trouble', { runs: ALL_DAY }, { up: 86_400 }],
  [
    'an incident of half an hour',
    { runs: ALL_DAY, incidents: [between('10:00', '10:30')] },
    { up: 84_600, down: 1_800 },
  ],
  [
    'an incident over midnight, on its first day',
    { runs: ALL_DAY, incidents: [between('23:15', '11 00:20')] },
    { up: 83_700, down: 2_700 },
  ],
  [
    'an incident over midnight, on its second day',
    { runs: ALL_DAY, incidents: [between('23:15', '11 00:20')] },
    { up: 85_200, down: 1_200 },
    between(`${NEXT_DAY}T00:00Z`, '2027-03-12T00:00Z'),
  ],
  ['an open incident', { runs: ALL_DAY, incidents: [between('23:00')] }, { up: 82_800, down: 3_600 }],
  [
    'an incident over a window',
    { runs: ALL_DAY, incidents: [between('10:00', '11:00')], maintenance: [between('10:15', '10:45')] },
    { up: 82_800, down: 1_800, maintenance: 1_800 },
  ],
  [
    'an incident that begins when a window ends',
    { runs: ALL_DAY, incidents: [between('12:00', '12:30')], maintenance: [between('11:00', '12:00')] },
    { up: 81_000, down: 1_800, maintenance: 3_600 },
  ],
  [
    'windows that overlap',
    { runs: ALL_DAY, maintenance: [between('11:00', '12:00'), between('10:00', '11:30')] },
    { up: 79_200, maintenance: 7_200 },
  ],
  [
    'a window over midnight',
    { runs: ALL_DAY, maintenance: [between('09 23:00', '01:00')] },
    { up: 82_800, maintenance: 3_600 },
  ],
  [
    'an incident that ends within a window',
    { runs: ALL_DAY, incidents: [between('10:00', '11:30')], maintenance: [between('11:00', '12:00')] },
    { up: 79_200, down: 3_600, maintenance: 3_600 },
  ],
  [
    'a failure after windows that follow each other',
    {
      runs: ALL_DAY,
      incidents: [between('12:00', '12:30')],
      maintenance: [between('10:00', '11:00'), between('11:00', '12:00')],
    },
    { up: 77_400, down: 1_800, maintenance: 7_200 },
  ],
  [
    'an incident and a window over midnight, on the first day',
    {
      runs: ALL_DAY,
      incidents: [between('22:00', '11 02:00')],
      maintenance: [between('23:00', '11 01:00')],
    },
    { up: 79_200, down: 3_600, maintenance: 3_600 },
  ],
  [
    'an incident and a window over midnight, on the second day',
    {
      runs: ALL_DAY,
      incidents: [between('22:00', '11 02:00')],
      maintenance: [between('23:00', '11 01:00')],
    },
    { up: 79_200, down: 3_600, maintenance: 3_600 },
    between(`${NEXT_DAY}T00:00Z`, '2027-03-12T00:00Z'),
  ],
  [
    'a window between two checks of a monitor of 60 minutes',
    { ...HOURLY, runs: every(HOUR, '09 22:20', '11 00:20'), maintenance: [between('10:30', '10:40')] },
    { up: 85_800, maintenance: 600 },
  ],
  [
    'a window over all of the day, with an incident',
    { runs: ALL_DAY, incidents: [between('10:00', '11:00')], maintenance: [between('09 00:00', '12 00:00')] },
    { maintenance: 86_400 },
  ],
  [
    'a window before the first check',
    { runs: every(MINUTE, '12:00', '11 00:00'), maintenance: [between('10:00', '11:00')] },
    { up: 43_200, maintenance: 3_600, unknown: 39_600 },
  ],
  [
    'a daily job that was silent in a window, and is after it',
    {
      ...DAILY_JOB,
      runs: [check('09 03:00')],
      incidents: [between('12:00')],
      maintenance: [between('04:00', '12:00')],
    },
    { up: 14_400, down: 43_200, maintenance: 28_800 },
  ],
  [
    'a window at a time that Berlin skips, on a day of 23 hours',
    {
      runs: every(MINUTE, '2027-03-27T22:00Z', '2027-03-28T23:00Z'),
      // 02:30, moved on to 03:30 by the change, for an hour.
      maintenance: [between('2027-03-28T01:30Z', '2027-03-28T02:30Z')],
    },
    { up: 79_200, maintenance: 3_600 },
    between('2027-03-28T00:00+01:00', '2027-03-29T00:00+02:00'),
  ],
  [
    'created yesterday at 18:00, in the last three days',
    { runs: every(MINUTE, '18:00', '12 00:00'), incidents: [between('11 10:00', '11 10:30')] },
    { up: 21_600 + 84_600, down: 1_800, unknown: 151_200 },
    between('09 00:00', '12 00:00'),
  ],
  [
    'a pause during a window, and beyond it',
    {
      runs: [...every(MINUTE, '09 23:00', '11:00'), ...every(MINUTE, '13:00', '11 00:00')],
      maintenance: [between('10:00', '12:00')],
      rests: [between('11:00', '13:00')],
    },
    { up: 75_600, maintenance: 3_600, unknown: 7_200 },
  ],
  [
    'a pause that ends an incident, with the next check 30 s after it',
    {
      runs: [...every(MINUTE, '09 23:00', '10:31'), ...every(MINUTE, '11:00:30', '11 00:00')],
      incidents: [between('10:00', '10:30:20')],
      rests: [between('10:30:20', '11:00')],
    },
    { up: 36_000 + 46_770, down: 1_820, unknown: 1_780 + 30 },
  ],
  [
    'an incident that stayed open over a pause',
    { runs: ALL_DAY, incidents: [between('10:00', '12:00')], rests: [between('10:30', '11:00')] },
    { up: 79_200, down: 1_800 + 3_600, unknown: 1_800 },
  ],
  [
    'a pause shorter than the interval',
    {
      ...HOURLY,
      runs: [...every(HOUR, '09 22:20', '10:40'), ...every(HOUR, '10:40', '11 00:00')],
      rests: [between('10:30', '10:40')],
    },
    { up: 85_800, unknown: 600 },
  ],
  ['our own outage', { runs: OUTAGE }, { up: 79_270, unknown: 7_130 }],
  [
    'our own outage during an incident',
    { runs: OUTAGE, incidents: [between('09:55', '12:00')] },
    { up: 35_700 + 43_200, down: 370, unknown: 7_130 },
  ],
  [
    'our own outage during a window',
    { runs: OUTAGE, maintenance: [between('10:00', '12:00')] },
    { up: 79_200, maintenance: 7_200 },
  ],
  ['deleted', { runs: ALL_DAY, rests: [between('10:00:30')] }, { up: 36_030, unknown: 50_370 }],
  ['deleted and restored: a gap in its checks', { runs: OUTAGE }, { up: 79_270, unknown: 7_130 }],
  [
    'deleted and restored, with the time it was away',
    { runs: OUTAGE, rests: [between('10:00:30', '12:00')] },
    { up: 79_230, unknown: 7_170 },
  ],
  [
    'created at 18:00, and checked 5 s later',
    { runs: every(MINUTE, '18:00:05', '11 00:00') },
    { up: 21_595, unknown: 64_805 },
  ],
  ['a monitor of 60 minutes', { ...HOURLY, runs: every(HOUR, '09 22:20', '11 00:20') }, { up: 86_400 }],
  [
    'a monitor of 60 minutes that failed once',
    { ...HOURLY, runs: every(HOUR, '09 22:20', '11 00:20'), incidents: [between('10:20', '11:20')] },
    { up: 82_800, down: 3_600 },
  ],
  [
    'a monitor of 60 minutes that was not checked once',
    { ...HOURLY, runs: every(HOUR, '09 22:20', '11 00:20').filter(({ firstMs }) => firstMs !== ms('11:20')) },
    { up: 82_830, unknown: 3_570 },
  ],
  [
    '"check now" pressed 100 times',
    { ...HOURLY, runs: [...every(HOUR, '09 22:20', '11 00:20'), ...every(1, '10:30', '10:31:40')] },
    { up: 86_400 },
  ],
  [
    '"check now" pressed 100 times while it was down',
    {
      runs: [...ALL_DAY, ...every(1, '10:01', '10:02:40', 'down')],
      incidents: [between('10:00', '10:05')],
    },
    { up: 86_100, down: 300 },
  ],
  [
    'a daily job that pings in time',
    { ...DAILY_JOB, runs: every(24 * HOUR, '08 03:00', '12 03:00') },
    { up: 86_400 },
  ],
  [
    'a daily job that became silent',
    { ...DAILY_JOB, runs: [check('09 03:00'), check('04:00', 'down')], incidents: [between('04:00')] },
    { up: 14_400, down: 72_000 },
  ],
  [
    'a job that has been silent for days',
    { ...DAILY_JOB, runs: [check('03 03:00', 'down')], incidents: [between('03 03:00')] },
    { down: 86_400 },
  ],
  [
    'a job that could not be heard in time, and pinged at 05:30',
    { ...DAILY_JOB, runs: [check('09 03:00'), check('05:30')] },
    { up: 14_410 + 66_600, unknown: 5_390 },
  ],
  [
    'a day of 23 hours in Berlin',
    {
      runs: every(MINUTE, '2027-03-27T22:00Z', '2027-03-28T23:00Z'),
      incidents: [between('2027-03-28T00:30Z', '2027-03-28T01:30Z')],
    },
    { up: 79_200, down: 3_600 },
    between('2027-03-28T00:00+01:00', '2027-03-29T00:00+02:00'),
  ],
  [
    'a day of 25 hours in Berlin',
    {
      runs: every(MINUTE, '2026-10-24T21:00Z', '2026-10-26T00:00Z'),
      incidents: [between('2026-10-25T00:30Z', '2026-10-25T01:30Z')],
    },
    { up: 86_400, down: 3_600 },
    between('2026-10-25T00:00+02:00', '2026-10-26T00:00+01:00'),
  ],
  [
    'a warning since noon',
    {
      runs: [...every(MINUTE, '09 23:00', '12:00'), ...every(MINUTE, '12:00', '11 00:00', 'degraded')],
    },
    { up: 43_200, degraded: 43_200 },
  ],
  [
    'one failing check of one second',
    { runs: [...ALL_DAY, check('10:00:01')], incidents: [between('10:00', '10:00:01')] },
    { up: 86_399, down: 1 },
  ],
  [
    'a failure that ended within a millisecond',
    { runs: ALL_DAY, incidents: [between('10:00', '10:00')] },
    { up: 86_399.999, down: 0.001 },
  ],
  [
    'a recovery that three passing checks confirm',
    {
      runs: [...ALL_DAY.filter(({ firstMs }) => firstMs !== ms('10:00')), check('10:00', 'down')],
      incidents: [between('10:00', '10:03')],
    },
    { up: 86_220, down: 180 },
  ],
  [
    'a check that could not be judged',
    { runs: ALL_DAY.map((run) => (run.firstMs === ms('10:00') ? { ...run, status: 'pending' } : run)) },
    { up: 86_350, unknown: 50 },
  ],
  [
    'one region that could not judge, beside one that did',
    { runs: [...ALL_DAY, ...every(MINUTE, '00:00:30', '11 00:00', 'pending')] },
    { up: 86_400 },
  ],
  [
    'one of two regions that take turns silent for an hour',
    {
      runs: [
        ...every(2 * MINUTE, '09 23:00', '11 00:00'),
        ...every(2 * MINUTE, '09 23:01', '10:00'),
        ...every(2 * MINUTE, '11:01', '11 00:00'),
      ],
    },
    { up: 84_900, unknown: 1_500 },
  ],
  [
    'a failure that came too late to open an incident',
    { runs: [...ALL_DAY, check('10:00:30', 'down')] },
    { up: 86_370, unknown: 30 },
  ],
  [
    'a check that failed under maintenance, within the window',
    {
      runs: ALL_DAY.map((run) => (run.firstMs === ms('10:00') ? { ...run, status: 'maintenance' } : run)),
      maintenance: [between('09:30', '10:30')],
    },
    { up: 82_800, maintenance: 3_600 },
  ],
  [
    'the same, where the window ended before the next check',
    {
      runs: ALL_DAY.map((run) => (run.firstMs === ms('10:00') ? { ...run, status: 'maintenance' } : run)),
      maintenance: [between('09:30', '10:00:20')],
    },
    { up: 86_400 - 1_820 - 40, maintenance: 1_820, unknown: 40 },
  ],
  [
    'checks that failed under maintenance, of no window any more',
    {
      runs: [
        ...every(MINUTE, '09 23:00', '10:00'),
        ...every(MINUTE, '10:00', '11:00', 'maintenance'),
        ...every(MINUTE, '11:00', '11 00:00'),
      ],
    },
    { up: 82_800, unknown: 3_600 },
  ],
  [
    'an incident that was open before the window, and still is after it',
    {
      runs: [
        ...every(MINUTE, '09 23:00', '09:00'),
        ...every(MINUTE, '09:00', '10:00', 'down'),
        ...every(MINUTE, '10:00', '11:00', 'maintenance'),
        ...every(MINUTE, '11:00:05', '11 00:00'),
      ],
      incidents: [between('09:00', '11:00:05')],
      maintenance: [between('10:00', '11:00')],
    },
    { up: 86_400 - 7_205, down: 3_605, maintenance: 3_600 },
  ],
  [
    'a pass and a planned failure at the same instant',
    { runs: [check('10:00', 'maintenance'), ...ALL_DAY] },
    { up: 86_340, unknown: 60 },
  ],
  [
    'two checks at the same instant',
    { runs: [check('10:00', 'degraded'), ...ALL_DAY] },
    { up: 86_340, degraded: 60 },
  ],
]

function watch(watched: Partial<WatchedTime>): WatchedTime {
  return {
    runs: [],
    incidents: [],
    maintenance: [],
    rests: [],
    validMs: (MINUTE + TIMEOUT) * 1_000,
    isHeartbeat: false,
    ...watched,
  }
}

describe('the time in each state, of a day', () => {
  for (const [name, watched, seconds, span = between('00:00', '11 00:00')] of CASES) {
    test(name, () => {
      const { up = 0, degraded = 0, down = 0, maintenance = 0, unknown = 0 } = seconds
      const times = stateTimes(watch(watched), span)
      assert.deepEqual(inSeconds(times), { up, degraded, down, maintenance, unknown })
      assert.equal(total(times), span.toMs - span.fromMs)
    })
  }
})

test('uptime is the share of judged time, and below 100 % with any failure', () => {
  const table: [Partial<StateTimes>, share: number | null, said: string][] = [
    [{}, null, ''],
    [{ maintenanceMs: 60_000, unknownMs: 1 }, null, ''],
    [{ upMs: 60_000, maintenanceMs: 60_000, unknownMs: 60_000 }, 1, '100 %'],
    [{ degradedMs: 60_000 }, 1, '100 %'],
    [{ upMs: 30_000, degradedMs: 15_000, downMs: 15_000 }, 0.75, '75.00 %'],
    [{ downMs: 1 }, 0, '0.00 %'],
    [{ upMs: 90 * 86_400_000 - 1, downMs: 1 }, 1 - 1 / (90 * 86_400_000), '99.999 %'],
    [{ upMs: 5 * 366 * 86_400_000, downMs: 1 }, 1 - 1 / (5 * 366 * 86_400_000 + 1), '99.999 %'],
  ]
  for (const [times, share, said] of table) {
    const read = uptimeOf({ ...noTime(), ...times })
    assert.equal(read, share)
    assert.equal(read === null ? '' : formatUptime(read), said)
    assert.ok(!times.downMs || (read as number) < 1)
  }
})

const FOUR_HOURS = 4 * HOUR * 1_000
const anyTime = fc.integer({ min: 0, max: FOUR_HOURS })
const anyStretches = fc.array(
  fc
    .tuple(anyTime, fc.oneof(anyTime, fc.constant(Number.POSITIVE_INFINITY)))
    .map(([fromMs, lengthMs]) => ({ fromMs, toMs: fromMs + Math.floor(lengthMs / 10) })),
  { maxLength: 4 },
)
const anyHistory = fc.record({
  runs: fc.array(
    fc
      .tuple(fc.constantFrom(...CheckStatus.options), anyTime)
      .map(([status, atMs]) => ({ status, firstMs: atMs, lastMs: atMs })),
    { maxLength: 40 },
  ),
  incidents: anyStretches,
  maintenance: anyStretches,
  rests: anyStretches,
  validMs: fc.integer({ min: 1_000, max: 3_600_000 }),
  isHeartbeat: fc.boolean(),
})

test('whatever happened, the states add up to the time, wherever it is split', () => {
  fc.assert(
    fc.property(anyHistory, fc.array(anyTime, { minLength: 2, maxLength: 8 }), (history, cuts) => {
      const at = cuts.toSorted((a, b) => a - b)
      const span = { fromMs: at[0] as number, toMs: at.at(-1) as number }
      const whole = stateTimes(history, span)
      assert.equal(total(whole), span.toMs - span.fromMs)
      const sum: StateTimes = { ...noTime(), unknownMs: 0 }
      for (const [index, fromMs] of at.slice(0, -1).entries()) {
        const part = stateTimes(history, { fromMs, toMs: at[index + 1] as number })
        addTimes(sum, part)
        sum.unknownMs += part.unknownMs
      }
      assert.deepEqual(sum, whole)
    }),
    { numRuns: 500 },
  )
})

test('each millisecond is in the state that its own history says', () => {
  fc.assert(
    fc.property(anyHistory, anyTime, (history, atMs) => {
      const times = stateTimes(history, { fromMs: atMs, toMs: atMs + 1 })
      const states = Object.entries(times).filter(([, ms]) => ms > 0)
      assert.deepEqual(states, [[stateAt(history, atMs), 1]])
    }),
    { numRuns: 2_000 },
  )
})

/** The same rule, asked of one instant without walking along anything. */
function stateAt({ runs, incidents, maintenance, rests, validMs, isHeartbeat }: WatchedTime, atMs: number) {
  const within = ({ fromMs, toMs }: TimeSpan) => fromMs <= atMs && atMs < toMs
  if (rests.some(within)) return 'unknownMs'
  if (maintenance.some(within)) return 'maintenanceMs'
  const past = runs.filter(({ status, firstMs }) => status !== 'pending' && firstMs <= atMs)
  const latestMs = Math.max(...past.map(({ firstMs }) => firstMs))
  const statuses = past.filter(({ firstMs }) => firstMs === latestMs).map(({ status }) => status)
  const isKnown =
    atMs < latestMs + validMs && !rests.some(({ fromMs }) => latestMs <= fromMs && fromMs <= atMs)
  const isOpen = incidents.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < Math.max(toMs, fromMs + 1))
  if (isOpen && (isKnown || isHeartbeat)) return 'downMs'
  if (!isKnown || statuses.includes('down') || statuses.includes('maintenance')) return 'unknownMs'
  return statuses.includes('degraded') ? 'degradedMs' : 'upMs'
}

function inSeconds({ upMs, degradedMs, downMs, maintenanceMs, unknownMs }: StateTimes) {
  return {
    up: upMs / 1_000,
    degraded: degradedMs / 1_000,
    down: downMs / 1_000,
    maintenance: maintenanceMs / 1_000,
    unknown: unknownMs / 1_000,
  }
}

function total({ upMs, degradedMs, downMs, maintenanceMs, unknownMs }: StateTimes): number {
  return upMs + degradedMs + downMs + maintenanceMs + unknownMs
}
