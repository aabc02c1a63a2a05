import { describeAlerted } from '../../core/alerting/alerted.ts'
import { listAlerted } from '../../store/alerting/alerted.ts'
import type { Actor } from '../implementation.ts'
import type { Services } from '../services.ts'

/** A note that says whom the monitor alerts; for AI clients, which cannot see the warnings of the dashboard. */
export async function noteOfAlerted(
  { db, hasMail, opensSignUp }: Services,
  { door, teamId }: Actor,
  monitorId: number,
): Promise<{ note?: string }> {
  if (door !== 'mcp') return {}
  const contacts = await listAlerted(db.query, teamId, monitorId)
  // A service that only its operator opens asks no address to agree.
  const judged = contacts.map((contact) => ({
    ...contact,
    awaitsAgreement: opensSignUp && contact.awaitsAgreement,
  }))
  return { note: describeAlerted(judged, hasMail) }
}
