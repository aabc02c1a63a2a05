import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { type Excused, judgeSuite, NOTHING_HAPPENED, recordedCheck, type Wrong } from './judge-suite.ts'
import { failuresOf } from './judge-windows.ts'
import type { Evidence } from './logs.ts'
import { appliedSpans, type OccurrenceRow, type WindowRow } from './windows/truth.ts'

const PAGE = 7
const JOB = 8
const WINDOW = 3
const FAR = Number.POSITIVE_INFINITY

/**
 * Two minutes. The page fails from second 20 to 100 under a window from 10 to 60; the job falls silent at 20 and is under
 * it, too. Both are told when it is over.
 */
function cleanRun(): Evidence {
  const times = Array.from({ length: 120 }, (_, i) => i * 1_000 + 100)
  const fails = (ms: number) => ms > 20_000 && ms < 100_000
  const statusAt = (ms: number) => (!fails(ms) ? 'up' : ms < 60_000 ? 'maintenance' : 'down')
  const delivery = { state: 'sent', attempts: 1 }
  const told = (messageId: string, incident: number, monitor: number, event: string, atMs: number) => ({
    delivery: { ...delivery, messageId, incident, monitor, event },
    message: { messageId, monitor, event, body: messageId, atMs },
  })
  const messages = [
    told('a', 1, PAGE, 'monitor.down', 60_200),
    told('b', 1, PAGE, 'monitor.recovery', 100_200),
    told('c', 2, JOB, 'monitor.down', 62_300),
    told('d', 2, JOB, 'monitor.recovery', 100_300),
  ]
  const ping = (atMs: number) => ({
    monitor: JOB,
    sentMs: atMs,
    doneMs: atMs,
    isFailure: false,
    isTaken: true,
  })
  const pings = times.filter((ms) => !(ms > 6_000 && ms < 100_000)).map((ms) => ping(ms - 50))
  const noticedAfterMs = 6_000
  const page = times.map((atMs) => recordedCheck(PAGE, atMs, statusAt(atMs)))
  const job = [
    ...pings.map(({ sentMs }) => recordedCheck(JOB, sentMs, 'up')),
    recordedCheck(JOB, 62_050, 'down'),
  ].toSorted((a, b) => a.atMs - b.atMs)
  return {
    ...structuredClone(NOTHING_HAPPENED),
    toMs: 120_000,
    outages: [
      { monitor: PAGE, fromMs: 20_000, toMs: 100_000 },
      { monitor: JOB, fromMs: 6_050, toMs: 100_050, noticedAfterMs },
    ],
    answers: page.map((answer) => ({ ...answer, status: answer.status === 'up' ? 'up' : 'down' })),
    checks: [...page, ...job].map((check, turn) => ({ ...check, turn })),
    incidents: [
      { id: 1, monitor: PAGE, startedMs: 60_000, resolvedMs: 100_100 },
      { id: 2, monitor: JOB, startedMs: 62_050, resolvedMs: 100_050 },
    ],
    deliveries: messages.map((one) => one.delivery),
    received: messages.map((one) => one.message),
    pings,
    jobs: { monitors: [JOB], intervalMs: 6_000 },
    applied: [{ window: WINDOW, whom: [PAGE, JOB], fromMs: 10_000, toMs: 60_000 }],
    promised: [{ window: WINDOW, what: 'create one_off', isApplying: true, fromMs: 10_000, toMs: 60_000 }],
  }
}

/** Takes everything about an incident away. */
function forget(run: Evidence, incident: number): void {
  const ids = run.deliveries.filter((one) => one.incident === incident).map(({ messageId }) => messageId)
  run.incidents = run.incidents.filter(({ id }) => id !== incident)
  run.deliveries = run.deliveries.filter((one) => one.incident !== incident)
  run.received = run.received.filter(({ messageId }) => !ids.includes(messageId))
}

const incidentOf = (run: Evidence, id: number) =>
  run.incidents.find((one) => one.id === id) as { startedMs: number }

const WRONGS: Wrong[] = [
  [
    'a failure was told within a window',
    (run) => {
      for (const check of run.checks) if (check.status === 'maintenance') check.status = 'down'
      incidentOf(run, 1).startedMs = 20_100
    },
    ['a check judged against its window'],
  ],
  [
    'a failure was kept quiet outside of a window',
    (run) => {
      for (const check of run.checks)
        if (check.monitor === PAGE && check.status === 'down') check.status = 'maintenance'
      forget(run, 1)
    },
    ['an outage without an incident', 'a check judged against its window'],
  ],
  [
    'what failed when the window ended was never told',
    (run) => forget(run, 1),
    ['an outage without an incident', 'checks and incidents differ'],
  ],
  [
    'what failed when the window ended was told as if it had failed later',
    (run) => {
      incidentOf(run, 1).startedMs = 60_100
    },
    ['checks and incidents differ'],
  ],
  [
    'what failed when the window ended was told as if it had failed before',
    (run) => {
      incidentOf(run, 1).startedMs = 20_100
    },
    ['checks and incidents differ'],
  ],
  [
    'a recovery was told of what was never told down',
    (run) => {
      run.deliveries = run.deliveries.filter(({ messageId }) => messageId !== 'a')
      run.received = run.received.filter(({ messageId }) => messageId !== 'a')
    },
    ['an alert lost or doubled'],
  ],
  [
    'a window did not begin',
    (run) => {
      for (const one of run.promised) one.toMs = 80_000
    },
    ['a promise of a window broken'],
  ],
  [
    'a window did not end',
    (run) => {
      run.promised.push({ window: WINDOW, what: 'end', isApplying: false, fromMs: 50_000, toMs: FAR })
    },
    ['a promise of a window broken'],
  ],
  [
    'the time in a window counted against a job',
    (run) => {
      incidentOf(run, 2).startedMs = 60_050
      for (const check of run.checks) if (check.atMs === 62_050) check.atMs = 60_050
    },
    ['a job told silent too early'],
  ],
  [
    'a job was told silent that pinged all the time',
    (run) => {
      run.outages = run.outages.filter(({ monitor }) => monitor === PAGE)
    },
    ['an incident without an outage'],
  ],
  [
    'a job that was silent when a window ended was never told',
    (run) => {
      forget(run, 2)
      run.checks = run.checks.filter(({ monitor, status }) => monitor !== JOB || status === 'up')
    },
    ['an outage without an incident'],
  ],
]

const EXCUSED: Excused[] = [
  [
    'a job was told silent that nobody could hear',
    (run) => {
      run.outages = run.outages.filter(({ monitor }) => monitor === PAGE)
      run.unheard.push({ fromMs: 6_100, toMs: 61_000 })
    },
  ],
  [
    'a check found a window applying while somebody ended it',
    (run) => {
      const change = { window: WINDOW, what: 'end', whom: [PAGE], isTaken: true }
      run.changes.push({ ...change, fromMs: 59_900, toMs: 60_300 })
      for (const check of run.checks)
        if (check.monitor === PAGE && check.atMs === 60_100) check.status = 'maintenance'
    },
  ],
  [
    'what was told down before a window is told recovered after it, once',
    (run) => {
      for (const one of run.applied) one.fromMs = 30_000
      for (const one of run.promised) one.fromMs = 30_000
      for (const check of run.checks)
        if (check.monitor === PAGE && check.status === 'maintenance' && check.atMs < 30_000)
          check.status = 'down'
      incidentOf(run, 1).startedMs = 20_100
      forget(run, 2)
      run.outages = run.outages.filter(({ monitor }) => monitor === PAGE)
      run.checks = run.checks.filter(({ monitor }) => monitor === PAGE)
    },
  ],
  [
    'an outage came and went within a window',
    (run) => {
      for (const one of [...run.applied, ...run.promised]) one.toMs = 110_000
      for (const check of run.checks) if (check.status === 'down') check.status = 'maintenance'
      run.checks = run.checks.filter(({ atMs, monitor }) => monitor === PAGE || atMs !== 62_050)
      forget(run, 1)
      forget(run, 2)
    },
  ],
]

judgeSuite('the judge of hostile runs with windows', cleanRun, { wrongs: WRONGS, excused: EXCUSED })

test('an incident ends no earlier than it begins, however old the ping is that ends it', () => {
  const checks = [
    { ...recordedCheck(JOB, 7_000, 'down'), turn: 0 },
    { ...recordedCheck(JOB, 6_900, 'up'), turn: 1 },
  ]
  assert.deepEqual(failuresOf({ ...NOTHING_HAPPENED, checks }), [
    { monitor: JOB, beginnings: [7_000], resolvedMs: 7_000 },
  ])
})

const window = (row: Partial<WindowRow>): WindowRow => ({
  id: WINDOW,
  isDeleted: false,
  sinceMs: 0,
  plan: { fromMs: 100, toMs: 200 },
  whom: [PAGE],
  ...row,
})
const row = (fromMs: number, toMs: number, whom = [JOB]): OccurrenceRow => ({
  window: WINDOW,
  fromMs,
  toMs,
  whom,
})

/** Rows, and when the window applied, to whom. */
const READINGS: [string, WindowRow, OccurrenceRow[], [number, number, number][]][] = [
  ['a plan', window({}), [], [[100, 200, PAGE]]],
  [
    'a plan that changed while it ran',
    window({ sinceMs: 150 }),
    [row(100, 150)],
    [
      [100, 150, JOB],
      [150, 200, PAGE],
    ],
  ],
  ['a plan that changed when it was over', window({ sinceMs: 250 }), [row(100, 200)], [[100, 200, JOB]]],
  ['an occurrence that was ended early', window({}), [row(100, 150)], [[100, 150, PAGE]]],
  ['an occurrence that was prolonged', window({}), [row(100, 250)], [[100, 250, PAGE]]],
  ['an occurrence that was called off', window({}), [row(100, 100)], []],
  ['a window that was deleted', window({ isDeleted: true }), [row(100, 150)], [[100, 150, JOB]]],
  [
    'the turns of a switch',
    window({ plan: null }),
    [row(1, 2), row(3, 4)],
    [
      [1, 2, PAGE],
      [3, 4, PAGE],
    ],
  ],
]

describe('the rows of a window', () => {
  for (const [what, one, occurrences, expected] of READINGS) {
    it(`are read as ${what}`, () => {
      const applied = appliedSpans([one], occurrences)
      assert.deepEqual(
        applied.map(({ fromMs, toMs, whom }) => [fromMs, toMs, whom[0]]),
        expected,
      )
    })
  }
})
