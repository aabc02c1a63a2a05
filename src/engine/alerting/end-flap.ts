import { Alert } from '../../core/alerting/alert.ts'
import { steadyAlert, steadyAt } from '../../core/alerting/flapping.ts'
import { formatInstant } from '../../core/instant.ts'
import type { SubjectKind } from '../../core/maintenance/subject-kind.ts'
import { type Connection, type Database, inTransaction } from '../../postgres/database.ts'
import {
  endFlap,
  type FlapKey,
  findDueFlap,
  type HeldFlap,
  noteHold,
  readFlap,
  restFlap,
} from '../../store/alerting/flaps.ts'
import { lockStates } from '../../store/monitors/recording.ts'
import { announceSubjectNews } from '../../store/news.ts'
import { readTold } from '../../store/on-call/new-escalations.ts'
import { lockServerStates } from '../../store/servers/recording.ts'
import { holdSites, lockAreas } from '../../store/sites/recording.ts'
import type { KnownWindows } from '../maintenance/known-windows.ts'
import { NOTHING_TOLD } from '../on-call/close-escalation.ts'
import { LOOK_AGAIN_MS, restsUntil } from '../on-call/rests-until.ts'
import { tell } from './tell.ts'

/** Each recorder holds these before it changes anything. */
const HOLD_STATE: Record<SubjectKind, (client: Connection, id: number) => Promise<unknown>> = {
  monitor: (client, id) => lockStates(client, [id]),
  server: (client, id) => lockServerStates(client, [id]),
  site: (client, id) => Promise.all([holdSites(client, [id]), lockAreas(client, [id])]),
}

/**
 * Looks at the flap that has been due for longest: tells that its subject is steady again, or has it looked at later. False if
 * none is due. The state of its subject is held, so that a recorder sees all of that or nothing.
 */
export function endNextFlap(db: Database, windows: KnownWindows): Promise<boolean> {
  return inTransaction(db.pool, async (client) => {
    const key = await findDueFlap(client)
    if (!key) return false
    await HOLD_STATE[key.subject.kind](client, key.subject.id)
    const flap = await readFlap(client, key)
    if (!flap) return true
    const until = await waitsUntil(client, key, flap, windows)
    if (until) await restFlap(client, key, until)
    else await tellSteady(client, key, flap)
    return true
  })
}

/** Null where it is steady, and can be told how it is. */
async function waitsUntil(
  client: Connection,
  { subject }: FlapKey,
  { rule, lastChangeAt, seenUntil, open, isPlanned, now }: HeldFlap,
  windows: KnownWindows,
): Promise<Date | null> {
  const dueAt = steadyAt(rule, lastChangeAt)
  if (dueAt && dueAt > now) return dueAt
  const again = new Date(now.getTime() + LOOK_AGAIN_MS)
  // Time in which nobody looked is not steady.
  if (dueAt && seenUntil && seenUntil < dueAt) return again
  if (!open && !isPlanned) return null
  // The first finding after a window says how it is.
  return (await restsUntil(client, { subject, now }, windows)) ?? (isPlanned ? again : null)
}

async function tellSteady(client: Connection, key: FlapKey, flap: HeldFlap): Promise<void> {
  const { teamId, open, rule, changes, since, lastChangeAt } = flap
  const { subject } = key
  const incidentId = open?.id ?? flap.incidentId
  await endFlap(client, key, open?.id ?? null)
  await announceSubjectNews(client, [{ team_id: teamId, event: `${subject.kind}s`, data: {} }])
  if (open?.isUntold) await noteHold(client, { kind: subject.kind, teamId, incidentId }, { isUntold: false })
  const alert = steadyAlert(Alert.parse(flap.alert), {
    isDown: open !== null,
    at: formatInstant(open?.startedAt ?? lastChangeAt),
    flapping: { since: formatInstant(since), changes, minutes: rule?.minutes ?? 0 },
    ...(incidentId !== flap.incidentId && { knownAs: flap.incidentId }),
  })
  const { escalatedTo } = await readTold(client, { kind: subject.kind, id: flap.incidentId })
  await tell(client, {
    ...{ teamId, subject, alert, incidentId },
    told: { ...NOTHING_TOLD, escalatedTo },
    opens: open?.isUntold === true && !open.warnsOnly,
  })
}
