import { deadlineOutside } from '../../core/maintenance/deadline.ts'
import { maintenanceAt } from '../../core/maintenance/maintenance-at.ts'
import type { SubjectCover } from '../../core/maintenance/team-cover.ts'
import { wasSilent } from '../../core/probing/placing.ts'
import { judgeSilence } from '../../core/servers/verdict.ts'
import type { Connection } from '../../postgres/database.ts'
import type { ServerStateRow, ServerSubject } from '../../store/servers/recording.ts'
import type { CoverOf } from '../maintenance/known-windows.ts'
import { changeOfState, changeTo, judgedState, NOTHING, type ServerOutcome, thresholdsNow } from './change.ts'
import { writeJudgement } from './write-judgement.ts'

/** Judges that no report came, by the database's clock, and only where one could have reached us. */
export async function silenceOutcome(
  client: Connection,
  server: ServerSubject,
  before: ServerStateRow,
  coverOf: CoverOf,
): Promise<ServerOutcome> {
  const { serverId, readAt, heardUntil } = server
  const { lastReportAt, machine } = before
  if (!before.silentAt || !lastReportAt) return { ...NOTHING, kind: 'stale' }
  const thresholds = thresholdsNow(server.thresholds)
  const limitAt = new Date(lastReportAt.getTime() + thresholds.silent.seconds * 1_000)
  // The limit may have been raised meanwhile; our own downtime has moved the time of the state.
  const silentAt = before.silentAt > limitAt ? before.silentAt : limitAt
  const cover = coverOf(serverId)
  const dueAt = dueOutside(cover, { serverId, lastReportAt, silentAt, now: readAt })
  if (!wasSilent(dueAt, { now: readAt, reachableUntil: heardUntil })) {
    const isMoved = silentAt > before.silentAt
    const change = isMoved ? changeOfState({ ...before, silentAt }) : null
    return { ...NOTHING, kind: 'stale', dueAt, change }
  }
  const planned = maintenanceAt(cover, serverId, readAt, before)
  const judgement = judgeSilence(before, readAt, thresholds, planned)
  const hostName = machine?.host_name ?? null
  await writeJudgement(client, judgement, { server, hostName, top: [], at: readAt })
  const state: ServerStateRow = {
    ...judgedState(before, judgement, readAt),
    // Looked at again until the window ends, since what still holds is told then.
    silentAt: planned.applies ? before.silentAt : null,
  }
  return {
    ...NOTHING,
    kind: planned.applies ? 'covered' : 'recorded',
    change: changeTo(before, state, server, readAt),
  }
}

/** Time in windows does not count against a server. */
function dueOutside(
  cover: SubjectCover | null,
  {
    serverId,
    lastReportAt,
    silentAt,
    now,
  }: { serverId: number; lastReportAt: Date; silentAt: Date; now: Date },
): Date {
  if (!cover) return silentAt
  const intervalMs = silentAt.getTime() - lastReportAt.getTime()
  const spansOf = (from: Date, to: Date) => cover.spansOf(serverId, from, to)
  return deadlineOutside({ since: lastReportAt, intervalMs, now }, spansOf)
}
