import { formatInstant } from '../../core/instant.ts'
import { pageOf } from '../../core/pagination.ts'
import type { AuditEntry, Door } from '../../core/teams/audit.ts'
import { type AuditRow, countAudit, listAudit } from '../../store/teams/audit.ts'
import type { Implementation } from '../implementation.ts'

/** Names of actors who are no members. */
const OTHERS: Partial<Record<Door, string>> = {
  address: 'A program with the secret address',
  receiver: 'The service that takes its alerts',
}

export const listAuditEntries: Implementation<'listAuditEntries'> = {
  async perform({ db, siteUrl }, { actor, query }) {
    const { page, per_page: perPage } = query
    const total = await countAudit(db.query, actor.teamId)
    const offset = (page - 1) * perPage
    const rows = offset < total ? await listAudit(db.query, actor.teamId, { limit: perPage, offset }) : []
    const path = `${siteUrl}/app/teams/${actor.teamId}/audit-log`
    const carried = { per_page: String(perPage) }
    return {
      body: {
        data: rows.map(present),
        ...pageOf({ path, query: carried, page, perPage, total, count: rows.length }),
      },
    }
  },
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
  }
}
