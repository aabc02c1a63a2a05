import { type Excused, judgeSuite, NOTHING_HAPPENED, recordedCheck, type Wrong } from './judge-suite.ts'
import type { Evidence } from './logs.ts'

const MONITOR = 7
const JOB = 8
/** A minute in which the target failed from second 20 to 40; it was checked each second, 100 ms after the full one. */
function cleanRun(): Evidence {
  const outage = { monitor: MONITOR, fromMs: 20_000, toMs: 40_000 }
  const times = Array.from({ length: 60 }, (_, i) => i * 1_000 + 100)
  const statusAt = (ms: number) => (ms > outage.fromMs && ms < outage.toMs ? 'down' : 'up')
  const delivery = { incident: 1, monitor: MONITOR, state: 'sent', attempts: 1 }
  const recorded = times.map((atMs) => checkAt(atMs - 10, statusAt(atMs)))
  return {
    ...structuredClone(NOTHING_HAPPENED),
    outages: [outage],
    answers: times.map((atMs) => ({ monitor: MONITOR, atMs, status: statusAt(atMs) })),
    checks: recorded.map((check, turn) => ({ ...check, turn })),
    recorded,
    phases: [{ monitor: MONITOR, phaseMs: 50 }],
    incidents: [{ id: 1, monitor: MONITOR, startedMs: 20_090, resolvedMs: 40_090 }],
    deliveries: [
      { ...delivery, messageId: 'a', event: 'monitor.down' },
      { ...delivery, messageId: 'b', event: 'monitor.recovery' },
    ],
    received: [
      { messageId: 'a', monitor: MONITOR, event: 'monitor.down', body: 'it is down', atMs: 20_200 },
      { messageId: 'b', monitor: MONITOR, event: 'monitor.recovery', body: 'it is up', atMs: 40_200 },
    ],
  }
}

const checkAt = (atMs: number, status = 'up') => recordedCheck(MONITOR, atMs, status)

const isBetween = (ms: number, from: number, to: number) => ms >= from && ms < to

const WRONGS: Wrong[] = [
  [
    'nothing came of an outage',
    (run) => {
      run.incidents = []
      run.deliveries = []
      run.received = []
    },
    ['an outage without an incident', 'checks and incidents differ'],
  ],
  [
    'an outage became two incidents, each with its alerts',
    (run) => {
      const again = { id: 2, monitor: MONITOR, startedMs: 30_090, resolvedMs: 40_090 }
      run.incidents = [{ id: 1, monitor: MONITOR, startedMs: 20_090, resolvedMs: 29_090 }, again]
      run.checks = run.checks.map((check) => (check.atMs === 29_090 ? { ...check, status: 'up' } : check))
      for (const delivery of [...run.deliveries]) {
        const messageId = `${delivery.messageId}2`
        run.deliveries.push({ ...delivery, incident: 2, messageId })
        run.received.push({ ...delivery, messageId, body: messageId, atMs: 45_000 })
      }
      run.received.sort((a, b) => a.messageId.length - b.messageId.length)
    },
    ['an outage with two incidents', 'a check that the target contradicts'],
  ],
  [
    'an incident began although the target was well',
    (run) => {
      run.outages = []
      for (const answer of run.answers) answer.status = 'up'
    },
    ['an incident without an outage', 'a check that the target contradicts'],
  ],
  [
    'an incident was dated wrongly',
    (run) => {
      for (const incident of run.incidents) incident.startedMs += 1_000
    },
    ['checks and incidents differ'],
  ],
  [
    'an incident did not end',
    (run) => {
      for (const incident of run.incidents) incident.resolvedMs = null
      run.deliveries.pop()
      run.received.pop()
    },
    ['checks and incidents differ'],
  ],
  [
    'an alert was never made',
    (run) => {
      run.deliveries.shift()
      run.received.shift()
    },
    ['an alert lost or doubled'],
  ],
  [
    'an alert was made twice',
    (run) => {
      const [first] = run.deliveries
      if (first) run.deliveries.push({ ...first, messageId: 'c' })
      run.received.push({ messageId: 'c', monitor: MONITOR, event: 'monitor.down', body: 'c', atMs: 20_300 })
    },
    ['an alert lost or doubled'],
  ],
  [
    'an alert is still waiting',
    (run) => {
      for (const delivery of run.deliveries.slice(1)) delivery.state = 'pending'
      run.received.pop()
    },
    ['an alert lost or doubled'],
  ],
  [
    'a message is marked as sent and never came',
    (run) => run.received.pop(),
    ['a message lost, invented or changed'],
  ],
  [
    'a message came under two ids',
    (run) => run.received.push({ ...(run.received[0] as (typeof run.received)[0]), messageId: 'c' }),
    ['a message lost, invented or changed'],
  ],
  [
    'a message came again in other words',
    (run) => run.received.push({ ...(run.received[0] as (typeof run.received)[0]), body: 'it is up?' }),
    ['a message lost, invented or changed'],
  ],
  [
    'a message is about another monitor',
    (run) => {
      for (const message of run.received.slice(1)) message.monitor = 8
    },
    ['a message lost, invented or changed'],
  ],
  [
    'the end was told before the beginning',
    (run) => {
      for (const message of run.received.slice(1)) message.atMs = 20_100
    },
    ['the end told before the beginning'],
  ],
  [
    'nobody checked for longer than it takes to take over',
    (run) => {
      run.answers = run.answers.filter(({ atMs }) => !isBetween(atMs, 41_000, 56_000))
      run.checks = run.checks.filter(({ atMs }) => !isBetween(atMs, 41_000, 56_000))
    },
    ['a check missed'],
  ],
  [
    'nobody checks any more',
    (run) => {
      run.toMs = 90_000
    },
    ['a check missed'],
  ],
  [
    'two checked at the same time, and nobody was taking over',
    (run) => void run.recorded.push(checkAt(50_150)),
    ['a check doubled'],
  ],
  [
    'a check at the end of a window was made twice',
    (run) => {
      run.applied.push({ window: 3, whom: [MONITOR], fromMs: 48_000, toMs: 50_300 })
      run.recorded.push(checkAt(50_310), checkAt(50_320))
    },
    ['a check doubled'],
  ],
  [
    'a check was judged by what the target answered after it was on record',
    (run) => {
      for (const check of run.checks) if (check.atMs === 50_090) check.status = 'down'
      run.answers.push({ monitor: MONITOR, atMs: 50_700, status: 'down' })
      run.incidents.push({ id: 2, monitor: MONITOR, startedMs: 50_090, resolvedMs: 51_090 })
      run.outages.push({ monitor: MONITOR, fromMs: 50_650, toMs: 50_750 })
      tellAgain(run)
    },
    ['a check that the target contradicts'],
  ],
]

const EXCUSED: Excused[] = [
  [
    'a job was heard again, learnt of it too late to go on in time, and was late once more',
    (run) => {
      run.jobs.monitors.push(JOB)
      run.outages.push({
        ...{ monitor: JOB, fromMs: 10_000, toMs: 30_000 },
        ...{ noticedAfterMs: 6_000, mayEndMs: 20_000 },
      })
      const incident = (id: number, startedMs: number, resolvedMs: number) => ({
        ...{ id, monitor: JOB, startedMs, resolvedMs },
      })
      run.incidents.push(incident(3, 16_000, 20_500), incident(4, 26_500, 30_000))
      const statuses = { 16000: 'down', 20500: 'up', 26500: 'down', 30000: 'up' }
      for (const [atMs, status] of Object.entries(statuses))
        run.checks.push({ ...recordedCheck(JOB, Number(atMs), status), turn: run.checks.length })
      for (const id of [3, 4])
        for (const event of ['monitor.down', 'monitor.recovery']) {
          const messageId = `${event} ${id}`
          run.deliveries.push({ messageId, incident: id, monitor: JOB, event, state: 'sent', attempts: 1 })
          run.received.push({ messageId, monitor: JOB, event, body: messageId, atMs: 40_000 + id })
        }
    },
  ],
  [
    'a message came twice under the same id',
    (run) => run.received.push({ ...(run.received[0] as (typeof run.received)[0]), atMs: 26_000 }),
  ],
  [
    'the end overtook a beginning that had to be tried again',
    (run) => {
      for (const delivery of run.deliveries.slice(0, 1)) delivery.attempts = 2
      for (const message of run.received.slice(0, 1)) message.atMs = 41_000
    },
  ],
  [
    'two checked at the same time while one took over',
    (run) => {
      run.faults.push({ fromMs: 45_000, toMs: 46_000 })
      run.recorded.push(checkAt(50_150))
    },
  ],
  [
    'two checked at the same time after a process was taken for dead, whatever kept it',
    (run) => {
      run.takeovers.push({ fromMs: 45_000, toMs: 46_000 })
      run.recorded.push(checkAt(50_150))
    },
  ],
  [
    'nobody checked while the database was gone',
    (run) => {
      run.blind.push({ fromMs: 41_000, toMs: 50_000 })
      run.answers = run.answers.filter(({ atMs }) => !isBetween(atMs, 41_000, 58_000))
      run.checks = run.checks.filter(({ atMs }) => !isBetween(atMs, 41_000, 58_000))
    },
  ],
  [
    'an outage came and went while nobody could check',
    (run) => {
      run.outages.push({ monitor: MONITOR, fromMs: 5_000, toMs: 18_000 })
      run.blind.push({ fromMs: 4_000, toMs: 18_000 })
      run.answers = run.answers.filter(({ atMs }) => !isBetween(atMs, 4_000, 18_000))
      run.checks = run.checks.filter(({ atMs }) => !isBetween(atMs, 4_000, 18_000))
    },
  ],
  [
    'a region that could not reach the targets saw them fail',
    (run) => {
      run.unreachable.push({ fromMs: 49_000, toMs: 51_000 })
      for (const check of run.checks) if (check.atMs === 50_090) check.status = 'down'
      run.incidents.push({ id: 2, monitor: MONITOR, startedMs: 50_090, resolvedMs: 51_090 })
      tellAgain(run)
    },
  ],
  [
    'a late check began right before the next one in time',
    (run) => {
      for (const check of run.recorded) if (check.atMs === 50_090) check.atMs = 50_980
    },
  ],
  [
    'a check was made at the end of a window',
    (run) => {
      run.applied.push({ window: 3, whom: [MONITOR], fromMs: 48_000, toMs: 50_300 })
      run.recorded.push(checkAt(50_310))
    },
  ],
  [
    'a check that could not be judged was made again at once',
    (run) => {
      for (const check of run.recorded) if (check.atMs === 50_090) check.status = 'pending'
      run.recorded.push(checkAt(50_600))
    },
  ],
  [
    'a busy machine took ten seconds for a check, which no other was made beside',
    (run) => {
      const isOther = ({ atMs }: { atMs: number }) => !isBetween(atMs, 33_500, 44_000)
      run.checks = run.checks.filter(isOther)
      run.recorded = run.recorded.filter(isOther)
      const slow = { ...checkAt(33_090), committedMs: 43_200, turn: 34 }
      run.checks = [...run.checks.filter(({ atMs }) => atMs !== 33_090), slow]
      for (const incident of run.incidents) incident.resolvedMs = 33_090
    },
  ],
]

/** The alerts of an incident more. */
function tellAgain(run: Evidence): void {
  for (const delivery of [...run.deliveries]) {
    const messageId = `${delivery.messageId}2`
    run.deliveries.push({ ...delivery, incident: 2, messageId })
    run.received.push({ ...delivery, messageId, body: messageId, atMs: 52_000 })
  }
}

judgeSuite('the judge of hostile runs', cleanRun, { wrongs: WRONGS, excused: EXCUSED })
