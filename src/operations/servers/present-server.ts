import { Refusal } from '../../core/errors.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { type Reading, readingsOf, thresholdsOf } from '../../core/servers/condition.ts'
import { reading } from '../../core/servers/condition-causes.ts'
import { fullTimes } from '../../core/servers/disk-trend.ts'
import { hostedReadings } from '../../core/servers/hosted-readings.ts'
import type { NotUnderstood } from '../../core/servers/not-understood.ts'
import { fullestFileSystem, loadPerCpu, memoryUsedPercent } from '../../core/servers/series.ts'
import { ServerSettings } from '../../core/servers/server.ts'
import type { ServerDetail, ServerRow } from '../../core/servers/shown-server.ts'
import { keysOf, pick } from '../../core/shape.ts'
import type { Query } from '../../postgres/database.ts'
import { findServer, type ServerRecord, type ServerRowRecord } from '../../store/servers/servers.ts'

export function presentRow(server: ServerRowRecord): ServerRow {
  const { latest } = server
  return {
    id: server.id,
    name: server.name,
    host_name: server.hostName,
    status: server.status,
    is_active: server.is_active,
    status_since: formatInstant(server.statusSince),
    flapping_since: formatInstantOrNull(server.flappingSince),
    last_report_at: formatInstantOrNull(server.lastReportAt),
    cpu_percent: latest.cpu_percent ?? null,
    memory_used_percent: memoryUsedPercent(latest),
    fullest: fullestFileSystem(latest),
    load_per_cpu: loadPerCpu(latest, server.cpus),
    causes: server.causes,
    tags: server.tags,
  }
}

export function presentServer(server: ServerRecord): ServerDetail {
  const { machine, thresholds, latest, trends, lastReportAt } = server
  return {
    ...presentRow({ ...server, hostName: machine?.host_name ?? null, cpus: machine?.cpus ?? null }),
    settings: settingsOf(server),
    thresholds: thresholdsOf(thresholds),
    machine,
    other_machine: server.otherMachine,
    not_understood: isNewsOf(server.notUnderstood, lastReportAt) ? server.notUnderstood : null,
    latest,
    conditions: server.conditions,
    hosted: server.hosted,
    now: readingsNow(server),
    full_at: lastReportAt
      ? fullTimes(trends, latest, lastReportAt).map(({ mount, at }) => ({
          mount,
          at: formatInstantOrNull(at),
        }))
      : [],
    created_at: formatInstant(server.createdAt),
  }
}

/** Kinds whose value the latest figures do not hold say how they began alone. */
function readingsNow(server: ServerRecord): string[] {
  const { latest, machine, conditions, causes, hosted, lastReportAt } = server
  const cpus = machine?.cpus ?? null
  const isOn = (one: Reading) =>
    conditions.some(
      ({ kind, part, phase }) => phase !== 'beginning' && kind === one.kind && part === one.part,
    )
  const ofHosted =
    lastReportAt && hosted ? hostedReadings(hosted, thresholdsOf(server.thresholds), lastReportAt) : []
  return [...readingsOf(latest, cpus, () => null), ...ofHosted]
    .filter((one) => one.kind !== 'failed_units' && isOn(one))
    .map((one) => reading(one, { sample: latest, cpus, failedUnits: [], hosted }))
    .filter((sentence) => !causes.includes(sentence))
}

/** Requests before the last report are over. */
function isNewsOf(noted: NotUnderstood | null, lastReportAt: Date | null): boolean {
  return noted !== null && (lastReportAt === null || Date.parse(noted.at) > lastReportAt.getTime())
}

export function settingsOf(server: ServerRecord): ServerSettings {
  return pick(server, keysOf(ServerSettings.shape))
}

/** Refuses a server that is gone. */
export async function readServer(query: Query, teamId: number, serverId: number): Promise<ServerRecord> {
  const server = await findServer(query, teamId, serverId)
  if (!server) throw new Refusal('notFound')
  return server
}
