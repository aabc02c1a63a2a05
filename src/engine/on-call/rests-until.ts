import type { SubjectRef } from '../../core/maintenance/subject-kind.ts'
import { holdsOthers } from '../../core/monitors/options/dependencies.ts'
import type { Connection } from '../../postgres/database.ts'
import { readAncestors } from '../../store/monitors/dependencies.ts'
import type { KnownWindows } from '../maintenance/known-windows.ts'

/** A window may be ended early, and a monitor recover at any time: what rests is looked at again this often. */
export const LOOK_AGAIN_MS = 10_000

/** Null where no maintenance applies, and no monitor that the failing one depends on is down. */
export async function restsUntil(
  client: Connection,
  { subject, now }: { subject: SubjectRef | null; now: Date },
  windows: KnownWindows,
): Promise<Date | null> {
  if (!subject) return null
  const coverOf = await windows.read(client, subject.kind, [subject.id], now)
  const cover = coverOf(subject.id)
  const again = new Date(now.getTime() + LOOK_AGAIN_MS)
  if (!cover?.applies(subject.id, now)) return (await isHeld(client, subject)) ? again : null
  const [span] = cover.spansOf(subject.id, now, again)
  return span && span.toMs < again.getTime() ? new Date(span.toMs) : again
}

async function isHeld(client: Connection, { kind, id }: SubjectRef): Promise<boolean> {
  if (kind !== 'monitor') return false
  const ancestors = (await readAncestors(client, [id])).get(id) ?? []
  return ancestors.some(({ status }) => holdsOthers(status))
}
