import { randomUUID } from 'node:crypto'
import { nameInMail } from '../../core/accounts/letter.ts'
import { Refusal } from '../../core/errors.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { said } from '../../core/language/said.ts'
import {
  MAX_REPORT_RECIPIENTS,
  type RecipientAction,
  type ReportRecipient,
} from '../../core/reports/recipient.ts'
import { seesSecrets } from '../../core/teams/access.ts'
import type { Query } from '../../postgres/database.ts'
import { confirmAddress } from '../../store/accounts/asked-addresses.ts'
import { isMembersAddress } from '../../store/alerting/agreements.ts'
import { deleteRecord } from '../../store/records.ts'
import {
  findRecipient,
  findRecipientByAddress,
  findRecipientByToken,
  insertRecipient,
  listRecipients,
  lockReportForRecipients,
  type RecipientRecord,
} from '../../store/reports/recipients.ts'
import { countQuestion, mailTeamQuestion } from '../accounts/ask-address.ts'
import type { LetterPermit } from '../accounts/letter-permit.ts'
import { deletionFrom } from '../delete-record.ts'
import type { Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'

export const listReportRecipients: Implementation<'listReportRecipients'> = {
  async perform({ db, vault }, { actor, record }) {
    const found = await listRecipients(db.query, vault, actor.teamId, record.id)
    return { body: { data: found.map((one) => presentRecipient(one, seesSecrets(actor.role))) } }
  },
}

/**
 * Adds an address and asks it to confirm, unless it is the confirmed one of a member. An address that has not confirmed yet, or
 * that refused mail, is asked once more.
 */
export const addReportRecipient: Implementation<'addReportRecipient'> = {
  async perform(services, { actor: { teamId, userId }, record, body: { email } }) {
    const { db, vault, hasMail } = services
    if (!hasMail) throw Refusal.invalid({ email: [said('cannot be added: this service sends no mail yet')] })
    const isProved = await isMembersAddress(db.query, teamId, email)
    const add = async (query: Query, permit: LetterPermit | null) => {
      const count = await lockReportForRecipients(query, teamId, record.id)
      if (count === null) throw new Refusal('notFound')
      const known = await findRecipientByAddress(query, vault, record.id, email)
      if (known?.state === 'confirmed')
        throw Refusal.invalid({ email: [said('is among the recipients already')] })
      if (!known && count >= MAX_REPORT_RECIPIENTS) {
        throw Refusal.invalid({
          email: [said('must wait: a report has at most {max} addresses', { max: MAX_REPORT_RECIPIENTS })],
        })
      }
      const token = known?.token ?? randomUUID()
      const at = services.databaseNow()
      const added = { reportId: record.id, teamId, address: email, token, confirmedAt: isProved ? at : null }
      const recipient = known?.id ?? (await insertRecipient(query, vault, added))
      if (permit) await mailRequest(services, query, permit, { teamId, email, token, name: record.name })
      else if (known) await confirmAddress(query, 'report_recipients', { teamId, id: known.id }, at)
      return recipient
    }
    const addWith = (permit: LetterPermit | null) =>
      db.query.transaction().execute((query) => add(query, permit))
    const id = isProved
      ? await addWith(null)
      : await countQuestion(services, 'report', { teamId, userId }, email, addWith)
    const recipient = await findRecipient(db.query, vault, teamId, id)
    if (!recipient) throw new Refusal('notFound')
    return { body: { data: presentRecipient(recipient, true) } }
  },
}

export const removeReportRecipient: Implementation<'removeReportRecipient'> =
  deletionFrom('report_recipients')

async function mailRequest(
  services: Services,
  query: Query,
  permit: LetterPermit,
  { teamId, email, token, name }: { teamId: number; email: string; token: string; name: string },
): Promise<void> {
  const about = { to: email, token, teamId }
  await mailTeamQuestion(services, query, permit, 'report', about, ({ t }, team) => ({
    title: t('A monthly report for your address?'),
    text: t(
      'The team {team} of this Upbeat service wants to send you its report {name} on the first of each month. You get nothing more from it unless you confirm behind this link, which works for 7 days. If you know nothing of it, do nothing.',
      { team, name: nameInMail(name, t('without a name')) },
    ),
  }))
}

/** The recipient that the page of a mailed link shows; null once it was ended. */
export async function readRecipient({ db, vault }: Services, token: string) {
  const found = await findRecipientByToken(db.query, vault, token)
  return found && { ...found, team: nameInMail(found.team), name: nameInMail(found.name) }
}

/** Does what the button of a mailed link says; null as above. */
export async function changeRecipient(services: Services, token: string, action: RecipientAction) {
  const found = await readRecipient(services, token)
  if (!found) return null
  const { query } = services.db
  if (action === 'confirm') await confirmAddress(query, 'report_recipients', found, services.databaseNow())
  else await deleteRecord(query, 'report_recipients', found.teamId, found.id)
  return found
}

function presentRecipient(recipient: RecipientRecord, seesAddress: boolean): ReportRecipient {
  return {
    id: recipient.id,
    address: seesAddress ? recipient.address : null,
    state: recipient.state,
    created_at: formatInstant(recipient.createdAt),
    last_sent_at: formatInstantOrNull(recipient.lastSentAt),
  }
}
