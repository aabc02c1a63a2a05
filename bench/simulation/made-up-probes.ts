import { type CheckResult, type Phases, resultWithout } from '../../src/core/monitors/check.ts'
import { failingAnswer } from '../../src/core/probing/failing-answer.ts'
import { phaseMs } from '../../src/core/probing/schedule.ts'
import type { Probes } from '../../src/probes/run.ts'

/** The share of monitors that fail at any time, from 0 to 1. */
export const FAILING_SHARE = 'UPBEAT_BENCH_FAILING_SHARE'
const OUTAGE_MINUTES = 3
const MINUTE_MS = 60_000
const PARTS = 1_000_000_000

const failingParts = Number(process.env[FAILING_SHARE] ?? 0) * PARTS
const PHASES: Phases = { dnsMs: null, connectMs: 1, tlsMs: null, firstByteMs: 7, transferMs: 0 }
const PASSED = {
  status: 'up',
  httpStatusCode: 200,
  errorMessage: null,
  phases: PHASES,
  certificate: null,
  address: '127.0.0.2',
} satisfies Partial<CheckResult>
const FAILED = {
  ...PASSED,
  status: 'down',
  httpStatusCode: 503,
  errorMessage: 'HTTP 503 Service Unavailable',
  answer: failingAnswer({
    statusLine: 'HTTP/1.1 503 Service Unavailable',
    headers: [{ name: 'content-type', value: 'text/plain' }],
    body: { kind: 'text', text: 'Service Unavailable', isCut: false },
  }),
} satisfies Partial<CheckResult>

/** In the place of those of src/probes/run.ts: each monitor, by the number that its URL ends in, has results of its own. */
export function createProbes(): Probes {
  const none = async () => resultWithout('pending', 'only HTTP checks are simulated')
  return {
    ...{
      http: probe,
      keyword: none,
      ssl: none,
      tcp: none,
      icmp: none,
      dns: none,
      domain: none,
      websocket: none,
      steps: none,
      browser: none,
    },
    ...{ smtp: none, imap: none, pop3: none, ssh: none, ftp: none, udp: none },
    ...{ ntp: none, snmp: none, radius: none, sip: none, game: none, grpc: none, ldap: none, docker: none },
    ...{ postgresql: none, mysql: none, redis: none, mongodb: none, sqlserver: none },
    ...{ mqtt: none, amqp: none, nats: none, kafka: none },
  }
}

async function probe({ url }: { url: string }): Promise<CheckResult> {
  const number = Number(url.slice(url.lastIndexOf('/') + 1))
  const found = isFailing(number, Date.now()) ? FAILED : PASSED
  return { ...found, responseTimeMs: 8 + (number % 90) }
}

/** Fails for some minutes at a time, with others in each of them, so that incidents open and resolve all the time. */
function isFailing(number: number, nowMs: number): boolean {
  const span = Math.floor((nowMs / MINUTE_MS + number) / OUTAGE_MINUTES)
  return phaseMs(Math.imul(number, 0x9e3779b1) + span, PARTS) < failingParts
}
