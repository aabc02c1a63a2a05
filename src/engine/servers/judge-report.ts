import { formatInstant } from '../../core/instant.ts'
import { maintenanceAt } from '../../core/maintenance/maintenance-at.ts'
import { packCounters, unpackCounters } from '../../core/servers/counter-code.ts'
import { packSample } from '../../core/servers/history/sample-code.ts'
import { type Counters, type MachineReport, withFactsBefore } from '../../core/servers/machine-report.ts'
import { measure } from '../../core/servers/measure.ts'
import { placeReport } from '../../core/servers/placing.ts'
import type { Sample } from '../../core/servers/series.ts'
import { judgeReport } from '../../core/servers/verdict.ts'
import type { Connection } from '../../postgres/database.ts'
import type { ServerStateRow, ServerSubject } from '../../store/servers/recording.ts'
import type { CoverOf } from '../maintenance/known-windows.ts'
import { changeOfState, changeTo, judgedState, NOTHING, type ServerOutcome, thresholdsNow } from './change.ts'
import { writeJudgement } from './write-judgement.ts'

/** Parts of one round of a standard input come within this time of each other, by the machine's clock. */
const ROUND_SECONDS = 30

/** Judges a report by the state before it; incidents and their deliveries are written at once, the rest is returned. */
export async function reportOutcome(
  client: Connection,
  { report, receivedAt }: { report: MachineReport; receivedAt: Date },
  server: ServerSubject,
  before: ServerStateRow,
  coverOf: CoverOf,
): Promise<ServerOutcome> {
  const counters = before.counters && unpackCounters(before.counters)
  const placement = placeReport(report, { ...before, counters }, receivedAt)
  if (placement === 'replay') return { ...NOTHING, kind: 'replay' }
  if (placement === 'other') {
    const otherMachine = { host_name: report.machine.host_name, at: formatInstant(receivedAt) }
    return { ...NOTHING, kind: 'other', change: changeOfState({ ...before, otherMachine }) }
  }
  const { failedUnits, top } = report
  const machine = withFactsBefore(report.machine, before.machine)
  const { sample, counters: counted } = measure(report, counters, receivedAt)
  const thresholds = thresholdsNow(server.thresholds)
  const judged = { sample, cpus: machine.cpus, receivedAt, failedUnits }
  const planned = maintenanceAt(coverOf(server.serverId), server.serverId, receivedAt, before)
  const judgement = judgeReport(before, judged, thresholds, planned)
  await writeJudgement(client, judgement, { server, hostName: machine.host_name, top, at: receivedAt })
  const silentAt = new Date(receivedAt.getTime() + thresholds.silent.seconds * 1_000)
  const state: ServerStateRow = {
    ...judgedState(before, judgement, receivedAt),
    lastReportAt: laterOf(before.lastReportAt, receivedAt),
    silentAt: laterOf(before.silentAt, silentAt),
    machine: isSame(machine, before.machine) ? before.machine : machine,
    counters: packCounters(counted),
    latest: withPartsBefore(sample, before.latest, counters, counted),
  }
  const content = packSample(sample)
  return {
    ...NOTHING,
    kind: 'recorded',
    wantsTop: judgement.wantsTop,
    change: {
      ...changeTo(before, state, server, receivedAt),
      sample: { serverId: server.serverId, at: receivedAt, content },
    },
  }
}

function laterOf(one: Date | null, other: Date): Date {
  return one && one > other ? one : other
}

/** Figures that a standard input sent in another part of the same round hold as well. */
function withPartsBefore(
  sample: Sample,
  latest: Sample | null,
  before: Counters | null,
  now: Counters,
): Sample {
  const isOfRound = before?.clock === 'wall' && now.clock === 'wall' && now.at - before.at < ROUND_SECONDS
  return latest && isOfRound ? { ...latest, ...sample } : sample
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
