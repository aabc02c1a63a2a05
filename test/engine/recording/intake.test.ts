import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Refusal } from '../../../src/core/errors.ts'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import { patienceOf } from '../../../src/core/monitors/options/patience.ts'
import type { ReportFate } from '../../../src/core/servers/verdict.ts'
import { NotRecorded } from '../../../src/engine/recording/batches.ts'
import type { Finding, Recorded } from '../../../src/engine/recording/finding.ts'
import { answerInTime, createIntake, GATHER_PINGS_MS } from '../../../src/engine/recording/intake.ts'
import { machineReport } from '../../support/records/machine-reports.ts'

const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')
const RECEIVED_AT = new Date('2026-03-01T12:00:00Z')
const PING = {
  monitorId: 7,
  receivedAt: RECEIVED_AT,
  kind: 'fail',
  exitStatus: 1,
  runId: null,
  body: null,
}
const REMOTE = {
  membership: 3,
  monitorId: 7,
  type: 'http' as const,
  revision: 2,
  checkedAt: RECEIVED_AT,
  region: 'nyc',
  result: DOWN,
  patience: patienceOf(null, { confirmations: 0, recovery_checks: 2 }),
  tick: { from: RECEIVED_AT, until: RECEIVED_AT, region: 'nyc', hasTurn: true, askedAtMs: 0 },
}
const REPORT = [Buffer.alloc(32), machineReport(), RECEIVED_AT] as const
const recorded = async () => ({ kind: 'recorded' }) as const

function intakeWith(
  record: () => Promise<Pick<Recorded, 'kind' | 'why'>>,
  recordReport = async (): Promise<ReportFate> => ({ kind: 'recorded', wantsTop: true }),
) {
  const findings: Finding[] = []
  const counted: string[] = []
  const intake = createIntake({
    recorders: {
      monitors: {
        async record(finding) {
          findings.push(finding)
          return { heartbeatDueAt: null, ...(await record()) }
        },
      },
      servers: { recordReport },
    },
    region: 'lon',
    countPing: ({ kind }) => void counted.push(kind),
    countReport: ({ machine }, { kind }) => void counted.push(`${machine.source} ${kind}`),
    countRemote: ({ type, result }) => void counted.push(`${type} ${result.status}`),
  })
  return { intake, findings, counted }
}

describe('the intake', () => {
  it('records a ping at the time it came, by any settings, and counts it', async () => {
    const { intake, findings, counted } = intakeWith(recorded)
    assert.equal(await intake.recordPing(PING, DOWN), 'recorded')
    assert.deepEqual(findings, [
      {
        monitorId: 7,
        revision: null,
        checkedAt: RECEIVED_AT,
        region: 'lon',
        result: DOWN,
        heartbeat: 'ping',
        ping: PING,
        waitsMs: GATHER_PINGS_MS,
      },
    ])
    assert.deepEqual(counted, ['fail'])
  })

  it('counts no ping of a monitor that is gone', async () => {
    const { intake, counted } = intakeWith(async () => ({ kind: 'stale' }))
    assert.equal(await intake.recordPing(PING, null), 'stale')
    assert.deepEqual(counted, [])
  })

  it('records the finding of a remote probe with its tick and membership, and counts it', async () => {
    const { intake, findings, counted } = intakeWith(recorded)
    assert.equal(await intake.recordRemote(REMOTE), null)
    const { type, ...finding } = REMOTE
    assert.deepEqual(findings, [{ ...finding, heartbeat: null, ping: null }])
    assert.deepEqual(counted, ['http down'])
  })

  it('counts a report by what became of it', async () => {
    const taken = intakeWith(recorded)
    assert.deepEqual(await taken.intake.recordReport(...REPORT), { kind: 'recorded', wantsTop: true })
    const replay = intakeWith(recorded, async () => ({ kind: 'replay', wantsTop: false }))
    await replay.intake.recordReport(...REPORT)
    assert.deepEqual([...taken.counted, ...replay.counted], ['agent recorded', 'agent replay'])
  })

  it('names why a finding of a remote probe is refused, and counts none that is not recorded', async () => {
    const surplus = intakeWith(async () => ({ kind: 'surplus', why: 'its tick was checked already' }))
    assert.equal(await surplus.intake.recordRemote(REMOTE), 'its tick was checked already')
    const stale = intakeWith(async () => ({ kind: 'stale' }))
    assert.equal(await stale.intake.recordRemote(REMOTE), null)
    const unstorable = intakeWith(async () => {
      throw Object.assign(new Error('invalid byte sequence'), { code: '22021' })
    })
    assert.equal(await unstorable.intake.recordRemote(REMOTE), 'it cannot be stored')
    assert.deepEqual([...surplus.counted, ...stale.counted, ...unstorable.counted], [])
  })

  it('refuses with 503 what is given up, so that jobs, servers and probes send it again', async () => {
    const giveUp = async () => {
      throw new NotRecorded(new Error('column "kind" does not exist'))
    }
    const { intake, counted } = intakeWith(giveUp, giveUp)
    const refused = (error: unknown) => error instanceof Refusal && error.code === 'unavailable'
    await assert.rejects(intake.recordPing(PING, DOWN), refused)
    await assert.rejects(intake.recordReport(...REPORT), refused)
    await assert.rejects(intake.recordRemote(REMOTE), refused)
    assert.deepEqual(counted, [])
    await assert.rejects(answerInTime(new Promise<never>(() => {}), 1), refused)
    assert.equal(await answerInTime(Promise.resolve(7), 60_000), 7)
  })

  it('passes on what has nothing to do with the data', async () => {
    const { intake } = intakeWith(async () => {
      throw Object.assign(new Error('the database shuts down'), { code: '57P01' })
    })
    await assert.rejects(intake.recordRemote(REMOTE), /shuts down/)
  })
})
