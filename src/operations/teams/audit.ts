import { formatInstant } from '../../core/instant.ts'
import type { AuditEntry, Door } from '../../core/teams/audit.ts'
import { idsIn, type NamedTable, type Names, withNames } from '../../core/teams/audit-names.ts'
import type { AuditChange } from '../../core/teams/audit-values.ts'
import type { Query } from '../../postgres/database.ts'
import { readNames } from '../../store/records.ts'
import { type AuditRow, countAudit, listActors, listAudit } from '../../store/teams/audit.ts'
import { answerPage } from '../answer-page.ts'
import type { Implementation } from '../implementation.ts'
import { dashboardUrl } from '../services.ts'

/** Names of actors who are no members. */
const OTHERS: Partial<Record<Door, string>> = {
  address: 'A program with the secret address',
  receiver: 'The service that takes its alerts',
}

export const listAuditActors: Implementation<'listAuditActors'> = {
  async perform({ db }, { actor: { teamId } }) {
    return { body: { data: await listActors(db.query, teamId) } }
  },
}

export const listAuditEntries: Implementation<'listAuditEntries'> = {
  async perform(services, { actor: { teamId }, query }) {
    const { db } = services
    const total = await countAudit(db.query, teamId, query)
    return answerPage(
      `${dashboardUrl(services, teamId)}/audit-log`,
      query,
      total,
      async (place) => {
        const rows = (await listAudit(db.query, teamId, query, place)).map(present)
        const names = await namesIn(db.query, teamId, rows)
        return rows.map((row) => ({ ...row, changes: withNames(row.changes, names) }))
      },
      (row) => row,
    )
  },
}

/** Names as they are now: those of contacts may be about people, so the log keeps ids only. */
async function namesIn(
  query: Query,
  teamId: number,
  rows: readonly AuditEntry[],
): Promise<Map<NamedTable, Names>> {
  const wanted = new Map<NamedTable, Set<number>>()
  for (const { changes } of rows)
    for (const [table, ids] of idsIn(changes)) wanted.set(table, ids.union(wanted.get(table) ?? new Set()))
  const names = new Map<NamedTable, Names>()
  for (const [table, ids] of wanted) names.set(table, await readNames(query, table, teamId, [...ids]))
  return names
}

function present(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: formatInstant(row.at),
    actor: OTHERS[row.door] ?? row.actor_name,
    door: row.door,
    action: row.action,
    subject: row.subject,
    subject_id: row.subject_id,
    fields: row.fields,
    changes: (row.changes as AuditChange[] | null) ?? [],
  }
}
