import type { Alert, ServerEvent } from '../../core/alerting/alert.ts'
import { formatInstant } from '../../core/instant.ts'
import type { Language } from '../../core/language/language.ts'
import { secondsBetween } from '../../core/monitors/incident.ts'
import { type Condition, isOfProcesses } from '../../core/servers/condition.ts'
import { sayConditionOf } from '../../core/servers/condition-words.ts'
import { MAX_TOP_PROCESSES, type TopProcess } from '../../core/servers/machine-report.ts'
import type { ServerJudgement } from '../../core/servers/verdict.ts'

/** The server of an alert, whatever happened to it. */
export type AlertedServer = {
  serverId: number
  name: string
  hostName: string | null
  teamId: number
  teamName: string
  language?: Language
}

/** Conditions that the memory of processes explains, rather than their time. */
const OF_MEMORY: ReadonlySet<Condition['kind']> = new Set(['memory', 'swap'])

/** The processes that may explain a condition, those that use the most first. Empty where processes explain nothing. */
export function culpritsOf(condition: Condition, top: TopProcess[]): TopProcess[] {
  if (!isOfProcesses(condition)) return []
  const share = OF_MEMORY.has(condition.kind)
    ? (process: TopProcess) => process.memory_percent ?? 0
    : (process: TopProcess) => process.cpu_percent ?? 0
  return top.toSorted((a, b) => share(b) - share(a)).slice(0, MAX_TOP_PROCESSES)
}

export function serverEventOf({ warns_only }: Condition): ServerEvent {
  return warns_only ? 'server.degraded' : 'server.down'
}

/** The alert that a condition began. */
export function serverTrouble(
  server: AlertedServer,
  { condition, cause, startedAt }: ServerJudgement['begins'][number],
  top: TopProcess[],
): Alert {
  const names = new Set(culpritsOf(condition, top).map(({ name }) => name))
  return {
    ...about(server),
    event: serverEventOf(condition),
    occurredAt: formatInstant(startedAt),
    cause,
    downSeconds: null,
    ...(names.size > 0 && { processes: [...names] }),
  }
}

/** The alert that a condition ended; `resolved` is its incident, `judgement` what else goes on. */
export function serverRecovery(
  server: AlertedServer,
  { cause }: ServerJudgement['ends'][number],
  resolved: { startedAt: Date; resolvedAt: Date; cause: string },
  { conditions }: Pick<ServerJudgement, 'conditions'>,
): Alert {
  const still = conditions.filter(({ phase, incident_id }) => phase !== 'beginning' && incident_id !== null)
  return {
    ...about(server),
    event: 'server.recovery',
    occurredAt: formatInstant(resolved.resolvedAt),
    cause: resolved.cause,
    downSeconds: secondsBetween(resolved.startedAt, resolved.resolvedAt),
    ending: cause,
    ...(still.length > 0 && { still: still.map((condition) => sayConditionOf(condition)) }),
  }
}

function about({ serverId, name, hostName, teamName, teamId, language }: AlertedServer) {
  return {
    type: 'server',
    id: serverId,
    name,
    target: hostName,
    teamName,
    teamId,
    ...(language && { language }),
  } as const
}
