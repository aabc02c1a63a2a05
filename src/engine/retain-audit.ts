import { auditEdge } from '../core/audit.ts'
import { removeSomeAudit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'

/** Removes what the audit log keeps no more, in short steps. */
export async function* retainAudit({ db, now }: { db: Database; now: () => Date }): AsyncGenerator<void> {
  const edge = auditEdge(now())
  while (await removeSomeAudit(db, edge)) yield
  yield
}
