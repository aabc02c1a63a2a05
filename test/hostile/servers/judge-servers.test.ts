import { type Excused, judgeSuite, NOTHING_HAPPENED, type Wrong } from '../judge-suite.ts'
import type { Evidence } from '../logs.ts'
import { FULL, SILENT } from './truth.ts'

const SERVER = 9
const TELLS: [number, string][] = [
  [-1, 'full'],
  [-2, 'silent'],
]

/** A minute in which a server reported each second; its disk was full from second 5 to 25, and it said nothing from 30 to 55. */
function cleanRun(): Evidence {
  const times = Array.from({ length: 60 }, (_, i) => i * 1_000).filter((ms) => ms <= 30_000 || ms >= 55_000)
  const usedAt = (ms: number) => (ms < 5_000 || ms >= 25_000 ? 40 : ms < 7_000 ? 95 : 87)
  const reports = times.map((ms, i) => ({ server: SERVER, report: i + 1, used: usedAt(ms), ms }))
  const subject = { monitor: SERVER, state: 'sent', attempts: 1 }
  const deliveries = TELLS.flatMap(([incident, id]) => [
    { ...subject, incident, messageId: `${id} begins`, event: 'server.down' },
    { ...subject, incident, messageId: `${id} ends`, event: 'server.recovery' },
  ])
  return {
    ...structuredClone(NOTHING_HAPPENED),
    outages: [
      { monitor: SERVER, condition: FULL, fromMs: 4_900, toMs: 25_200, noticedAfterMs: 1_500 },
      { monitor: SERVER, condition: SILENT, fromMs: 30_500, toMs: 55_200, noticedAfterMs: 6_000 },
    ],
    reports: {
      servers: [SERVER],
      sent: reports.map(({ ms, ...report }) => ({ ...report, fromMs: ms, toMs: ms + 200, isTaken: true })),
      kept: reports.map(({ ms, ...report }, turn) => ({ ...report, atMs: ms + 100, turn })),
    },
    incidents: [
      { id: -1, monitor: SERVER, condition: FULL, startedMs: 5_100, resolvedMs: 25_100 },
      { id: -2, monitor: SERVER, condition: SILENT, startedMs: 36_200, resolvedMs: 55_100 },
    ],
    deliveries,
    received: deliveries.map(({ messageId, event }, i) => ({
      messageId,
      monitor: SERVER,
      event,
      body: messageId,
      atMs: i * 10_000,
    })),
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
  run.incidents.find((one) => one.id === id) as Evidence['incidents'][number]

const UNTOLD = 'an outage without an incident'
const INVENTED = 'an incident without an outage'
const REPORTS = 'a report lost, doubled or invented'
const DIFFER = 'reports and incidents differ'

const WRONGS: Wrong[] = [
  ['a full disk was never told', (run) => forget(run, -1), [UNTOLD, DIFFER]],
  ['a silence was never told', (run) => forget(run, -2), [UNTOLD]],
  [
    'a server that reported was told silent',
    (run) => {
      run.outages = run.outages.filter(({ condition }) => condition !== SILENT)
    },
    [INVENTED],
  ],
  [
    'a disk that had room was told full',
    (run) => {
      run.outages = run.outages.filter(({ condition }) => condition !== FULL)
    },
    [INVENTED],
  ],
  [
    'a full disk was taken for a silence',
    (run) => {
      incidentOf(run, -1).condition = SILENT
    },
    [UNTOLD, INVENTED, DIFFER],
  ],
  [
    'an incident ended between the levels',
    (run) => {
      incidentOf(run, -1).resolvedMs = 7_100
    },
    [DIFFER],
  ],
  [
    'a silence went on after a report',
    (run) => {
      incidentOf(run, -2).resolvedMs = 57_100
    },
    [DIFFER],
  ],
  [
    'a full disk was told twice',
    (run) => {
      incidentOf(run, -1).resolvedMs = 7_100
      run.incidents.push({ ...incidentOf(run, -1), id: -3, startedMs: 8_100, resolvedMs: 25_100 })
      for (const one of run.deliveries.filter(({ incident }) => incident === -1)) {
        const messageId = `${one.messageId} again`
        run.deliveries.push({ ...one, messageId, incident: -3 })
        run.received.push({ ...one, messageId, body: messageId, atMs: 50_000 })
      }
    },
    ['an outage with two incidents', DIFFER],
  ],
  [
    'an alert of a server is one of a monitor',
    (run) => {
      for (const one of [...run.deliveries, ...run.received])
        one.event = one.event.replace('server.', 'monitor.')
    },
    ['an alert lost or doubled'],
  ],
  [
    'the recovery of a server was told first',
    (run) => {
      for (const one of run.received) if (one.messageId === 'full ends') one.atMs = -1
    },
    ['the end told before the beginning'],
  ],
  ['a report that was taken is gone', (run) => void run.reports.kept.splice(2, 1), [REPORTS]],
  [
    'a report was kept twice',
    (run) => {
      const [first] = run.reports.kept
      if (first) run.reports.kept.unshift({ ...first })
    },
    [REPORTS],
  ],
  ['a report was made up', (run) => void run.reports.sent.splice(2, 1), [REPORTS]],
]

const EXCUSED: Excused[] = [
  [
    'a report that was not answered is kept',
    (run) => {
      for (const one of run.reports.sent.slice(0, 3)) one.isTaken = false
    },
  ],
  [
    'a report that was not answered is not kept',
    (run) => {
      for (const one of run.reports.sent.slice(2, 3)) one.isTaken = false
      run.reports.kept.splice(2, 1)
    },
  ],
  [
    'a full disk was not told while nobody could hear of it',
    (run) => {
      forget(run, -1)
      run.unheard.push({ fromMs: 4_000, toMs: 16_000 })
      run.reports.kept = run.reports.kept.filter(({ used }) => used === 40)
      for (const one of run.reports.sent) if (one.used !== 40) one.isTaken = false
    },
  ],
  [
    'a disk that was full under maintenance was told when that ended',
    (run) => {
      run.applied.push({ window: 3, whom: 'everything', fromMs: 4_000, toMs: 9_000 })
      incidentOf(run, -1).startedMs = 9_000
    },
  ],
  [
    'a disk that was full under maintenance alone was not told',
    (run) => {
      run.applied.push({ window: 3, whom: 'everything', fromMs: 4_000, toMs: 26_000 })
      forget(run, -1)
    },
  ],
]

judgeSuite('the judge of hostile runs with servers', cleanRun, { wrongs: WRONGS, excused: EXCUSED })
