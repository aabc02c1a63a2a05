import { type Excused, judgeSuite, NOTHING_HAPPENED, recordedCheck, type Wrong } from '../judge-suite.ts'
import type { Evidence } from '../logs.ts'
import type { EscalatedIncident, StepRow } from './truth.ts'

const MONITOR = 7
const RULE = 'a step of an escalation lost, doubled or early' as const

/** A target failed from second 20 to 40: two steps came, and the third had no time to. */
function cleanRun(): Evidence {
  const told = (messageId: string, contact: number, event = 'monitor.down') => ({
    ...{ messageId, event, state: 'sent', contact },
  })
  const done = (number: number, dueMs: number, sent: StepRow['sent']) => ({
    ...{ number, dueMs, state: 'done', doneMs: dueMs + 15, sent },
  })
  const sent = [told('one', 1), told('two', 2)]
  const recoveries = [told('one over', 1, 'monitor.recovery'), told('two over', 2, 'monitor.recovery')]
  const check = (atMs: number, status: 'up' | 'down') => recordedCheck(MONITOR, atMs, status)
  const checks = [check(20_090, 'down'), check(30_090, 'down'), check(40_090, 'up')]
  const about = { incident: 1, monitor: MONITOR, state: 'sent', attempts: 1 }
  const deliveries = [
    { ...about, messageId: 'a', event: 'monitor.down' },
    { ...about, messageId: 'b', event: 'monitor.recovery' },
  ]
  const received = (messageId: string, event: string, atMs: number) => ({
    ...{ messageId, event, atMs, monitor: MONITOR, body: messageId },
  })
  return {
    ...structuredClone(NOTHING_HAPPENED),
    intervalMs: 30_000,
    outages: [{ monitor: MONITOR, fromMs: 20_000, toMs: 40_000 }],
    answers: checks.map(({ atMs, ...answer }) => ({ ...answer, atMs: atMs + 10 })),
    checks: checks.map((one, turn) => ({ ...one, turn })),
    incidents: [{ id: 1, monitor: MONITOR, startedMs: 20_090, resolvedMs: 40_090 }],
    deliveries,
    received: deliveries.map(({ messageId, event }, i) => received(messageId, event, 20_200 + i * 20_000)),
    escalations: {
      isOn: true,
      incidents: [
        {
          ...{ incident: 1, monitor: MONITOR, resolvedMs: 40_090, recoveries },
          steps: [
            done(1, 22_100, sent.slice(0, 1)),
            done(2, 25_100, sent.slice(1)),
            { number: 3, dueMs: 39_500, state: 'ended', doneMs: null, sent: [] },
          ],
        },
      ],
      received: [...sent, ...recoveries].map(({ messageId, event }) => received(messageId, event, 41_000)),
      unable: [],
    },
  }
}

type Steps = [StepRow, StepRow, StepRow]
const wrong = (
  what: string,
  spoil: (steps: Steps, incident: EscalatedIncident, run: Evidence) => void,
): Wrong => [
  what,
  (run) => {
    const incident = run.escalations.incidents[0] as EscalatedIncident
    spoil(incident.steps as Steps, incident, run)
  },
  [RULE],
]

const lose = ([, second]: Steps, incident: EscalatedIncident, run: Evidence) => {
  Object.assign(second, { state: 'ended', doneMs: null, sent: [] })
  incident.recoveries.pop()
  run.escalations.received = run.escalations.received.filter(({ messageId }) => !messageId.startsWith('two'))
}

const WRONGS: Wrong[] = [
  wrong('an incident has no steps', (_, __, run) => {
    run.escalations.incidents = []
    run.escalations.received = []
  }),
  wrong('a step was lost', lose),
  wrong('a step came twice', ([first, second]) => first.sent.push(...second.sent)),
  wrong('a step was marked and alerted nobody', ([first], incident) => {
    first.sent = []
    incident.recoveries.shift()
  }),
  wrong('a step came early', ([first]) => Object.assign(first, { doneMs: 21_000 })),
  wrong('a step waits although the incident is over', ([, , third]) =>
    Object.assign(third, { state: 'waiting' }),
  ),
  wrong('somebody who was alerted was not told of the recovery', (_, incident, run) => {
    incident.recoveries.pop()
    run.escalations.received.pop()
  }),
  wrong('a message of a step never arrived', (_, __, run) => run.escalations.received.shift()),
  wrong('a message came that no step meant to send', (_, __, run) => {
    const [first] = run.escalations.received
    if (first) run.escalations.received.push({ ...first, messageId: 'x' })
  }),
]

const EXCUSED: Excused[] = [
  [
    'a step did not come while nobody could send it',
    (run) => {
      const incident = run.escalations.incidents[0] as EscalatedIncident
      lose(incident.steps as Steps, incident, run)
      run.escalations.unable.push({ fromMs: 25_000, toMs: 40_000 })
    },
  ],
  [
    'a message of a step came twice under one id',
    (run) => {
      const [first] = run.escalations.received
      if (first) run.escalations.received.push(first)
    },
  ],
]

judgeSuite('the judge of escalations', cleanRun, { wrongs: WRONGS, excused: EXCUSED })
