import { type Alert, TROUBLE_EVENTS } from '../../core/alerting/alert.ts'
import type { ContactConfig, ContactType } from '../../core/alerting/contact.ts'
import type { DeliveryOutcome } from '../../core/alerting/delivery.ts'
import type { QuietHours } from '../../core/alerting/quiet-hours.ts'
import { type Connection, type Database, inTransaction } from '../../postgres/database.ts'
import { type Claim, claimable, settleClaimed } from '../claims.ts'
import { DELIVERIES_CHANNEL, DELIVERY_NOTIFICATION } from '../news.ts'
import type { Vault } from '../sealing/vault.ts'
import { openSigningSecret } from '../teams/teams.ts'
import { openConfig } from './contacts.ts'
import { openAlert } from './stored-alert.ts'

export type ClaimedDelivery = {
  id: number
  messageId: string
  /** The message id of the first alert that the contact got of the trouble, unless that failed. */
  inReplyTo: string | null
  /** The receiver's own name of that alert's message, if it gave one. */
  firstReceipt: string | null
  contactType: ContactType
  /** Null if the contact has been deleted. */
  config: ContactConfig | null
  signingSecret: string
  alert: Alert
  attempts: number
  createdAt: Date
  /** The database's clock at the claim. */
  claimedAt: Date
  /** Null if the contact gets alerts at any time. */
  quietHours: QuietHours | null
  /** The zone of its contact, or of the team; null for UTC. */
  timeZone: string | null
  /** The end of the quiet hours in which it was held; null if it was not. */
  heldUntil: Date | null
  teamId: number
  contactId: number | null
  /** The incident of its subject; null if it belongs to none. */
  incidentId: number | null
  /** Hash of the address that must agree before it is mailed; null if no agreement is needed. */
  unagreedHash: Buffer | null
  /** The mailbox whose digest the delivery waits for; null if it is sent on its own. */
  mailboxHash: Buffer | null
  /** The group in which the contact got that first alert; null if it went alone. */
  firstGroup: string | null
  /** Whether it is the recovery from what quiet hours never let its contact know. */
  isUntold: boolean
  /** The message of its group that told it already; null if none did. */
  part: number | null
  /** The messages of the group that it leads which the receiver has. */
  partsSent: number
}

export type ClaimedRow = {
  id: number
  message_id: string
  in_reply_to: string | null
  first_receipt: string | null
  first_group: string | null
  is_untold: boolean
  part: number | null
  parts_sent: number | null
  unagreed_hash: Buffer | null
  mailbox_hash: Buffer | null
  contact_type: ContactType
  config: string | null
  signing_secret: string
  alert: unknown
  attempts: number
  created_at: Date
  claimed_at: Date
  quiet_hours: QuietHours | null
  time_zone: string | null
  held_until: Date | null
  contact_id: number | null
  incident: number | null
  team_id: number
}

/** Whether a delivery waits for the end of its contact's quiet hours: later ones may be sent before it. */
function isHeld(delivery: string): string {
  return `coalesce(${delivery}.held_until > now(), false)`
}

/** Another delivery `o` to the contact of a delivery `d` about the same incident. */
const OF_SAME_INCIDENT =
  'o.kind = d.kind AND o.team_incident_id = d.team_incident_id AND o.contact_id = d.contact_id'

/** The events that tell of an incident first. */
const TROUBLE = TROUBLE_EVENTS.map((event) => `'${event}'`).join(', ')

/** A column of the first alert `o` to the contact about the incident of a delivery `d`. */
function ofFirstAlert(what: string): string {
  return `(SELECT ${what} FROM deliveries o
    WHERE ${OF_SAME_INCIDENT} AND o.event IN (${TROUBLE}) AND o.id < d.id
      AND o.state NOT IN ('failed', 'dropped') AND NOT ${isHeld('o')} ORDER BY o.id LIMIT 1)`
}

/** Whether quiet hours kept from its contact everything that was to be told of the incident of a recovery `d`. */
const IS_UNTOLD = `CASE WHEN d.event LIKE '%.recovery' THEN coalesce((SELECT bool_and(o.state = 'dropped') FROM deliveries o
  WHERE ${OF_SAME_INCIDENT} AND o.event NOT LIKE '%.recovery'), false) ELSE false END`

/** Columns of a delivery `d` and its team `t`. */
export const CLAIMED_COLUMNS = `d.id, d.message_id, d.contact_type, d.alert, d.attempts, d.created_at, d.team_id,
  d.contact_id, d.part, d.parts_sent, d.mailbox_hash, d.held_until, now() AS claimed_at, t.signing_secret,
  d.team_incident_id AS incident,
  (SELECT c.config FROM contacts c WHERE c.id = d.contact_id) AS config,
  (SELECT c.quiet_hours FROM contacts c WHERE c.id = d.contact_id) AS quiet_hours,
  coalesce((SELECT c.time_zone FROM contacts c WHERE c.id = d.contact_id), t.time_zone) AS time_zone,
  (SELECT c.unagreed_hash FROM contacts c WHERE c.id = d.contact_id) AS unagreed_hash,
  ${ofFirstAlert('coalesce(o.digest, o.message_id)')} AS in_reply_to,
  ${IS_UNTOLD} AS is_untold, ${ofFirstAlert('o.digest')} AS first_group,
  ${ofFirstAlert('o.receipt')} AS first_receipt`

/** Not part of a digest that another delivery leads. */
const GOES_ITSELF = `(d.digest IS NULL OR d.digest = d.message_id OR NOT EXISTS (
  SELECT FROM deliveries l WHERE l.message_id = d.digest AND l.state = 'pending'))`

const WAITS_FOR_EARLIER = `EXISTS (SELECT FROM deliveries earlier
  WHERE earlier.contact_id = d.contact_id AND earlier.kind = d.kind AND earlier.subject_id = d.subject_id
    AND earlier.id < d.id AND earlier.state = 'pending' AND earlier.attempts = 0
    AND earlier.mailbox_hash IS NULL AND NOT ${isHeld('earlier')})`

export const queuedDeliveries = claimable<ClaimedRow>({
  table: 'deliveries',
  waiting: "state = 'pending'",
  // A delivery waiting for a digest blocks none: later ones wait for a digest as well.
  free: `${GOES_ITSELF} AND NOT ${WAITS_FOR_EARLIER}`,
  awaited: GOES_ITSELF,
  read: `SELECT ${CLAIMED_COLUMNS} FROM claimed d JOIN teams t ON t.id = d.team_id`,
})

/**
 * Claims due deliveries. Alerts about one subject to one contact stay in order: a delivery waits until the
 * one before it was attempted.
 */
export async function claimDeliveries(db: Database, vault: Vault, claim: Claim): Promise<ClaimedDelivery[]> {
  const rows = await queuedDeliveries.claim(db, claim)
  return rows.map((row) => openDelivery(row, vault))
}

export function openDelivery(row: ClaimedRow, vault: Vault): ClaimedDelivery {
  return {
    id: row.id,
    messageId: row.message_id,
    inReplyTo: row.in_reply_to,
    firstReceipt: row.first_receipt,
    firstGroup: row.first_group,
    isUntold: row.is_untold,
    part: row.part,
    partsSent: row.parts_sent ?? 0,
    contactType: row.contact_type,
    config:
      row.config === null || row.contact_id === null ? null : openConfig(row.config, row.contact_id, vault),
    signingSecret: openSigningSecret(row.signing_secret, row.team_id, vault),
    alert: openAlert(row.alert, vault),
    attempts: row.attempts,
    createdAt: row.created_at,
    claimedAt: row.claimed_at,
    quietHours: row.quiet_hours,
    timeZone: row.time_zone,
    heldUntil: row.held_until,
    teamId: row.team_id,
    contactId: row.contact_id,
    incidentId: row.incident,
    unagreedHash: row.unagreed_hash,
    mailboxHash: row.mailbox_hash,
  }
}

export type SettledAttempt = {
  outcome: DeliveryOutcome
  attemptedAt: Date
  durationMs: number
  /** Seconds until the next attempt; null if there is none. */
  nextDelaySeconds: number | null
}

export function stateAfter({ outcome, nextDelaySeconds }: SettledAttempt): 'pending' | 'sent' | 'failed' {
  if ((outcome.kind === 'retry' || outcome.kind === 'moved') && nextDelaySeconds !== null) return 'pending'
  return outcome.kind === 'sent' ? 'sent' : 'failed'
}

/** Logs an attempt and updates the delivery, unless another process has claimed it. */
export async function settleDelivery(
  db: Database,
  holder: string,
  delivery: Pick<ClaimedDelivery, 'id' | 'attempts'>,
  attempt: SettledAttempt,
): Promise<void> {
  const { outcome } = attempt
  const receipt = (outcome.kind === 'sent' && outcome.receipt) || null
  await inTransaction(db.pool, async (client) => {
    const row = { table: 'deliveries', holder, id: delivery.id } as const
    const settled = { state: stateAfter(attempt), nextDelaySeconds: attempt.nextDelaySeconds }
    if (!(await settleClaimed(client, row, settled, { receipt }, DELIVERY_NOTIFICATION))) return
    await insertAttempts(client, [{ id: delivery.id, attempts: delivery.attempts + 1 }], attempt)
  })
}

/** Logs one attempt for each of these deliveries; `attempts` counts it. */
export async function insertAttempts(
  client: Connection,
  rows: { id: number; attempts: number }[],
  { outcome, attemptedAt, durationMs }: SettledAttempt,
): Promise<void> {
  await client.query({
    name: 'insert-attempts',
    text: `INSERT INTO delivery_attempts (delivery_id, attempt, attempted_at, duration_ms, outcome, status_code, detail)
           SELECT id, attempt, $3, $4, $5, $6, $7 FROM unnest($1::bigint[], $2::int[]) AS u (id, attempt)`,
    values: [
      rows.map(({ id }) => id),
      rows.map(({ attempts }) => attempts),
      attemptedAt,
      Math.round(durationMs),
      outcome.kind === 'moved' ? 'retry' : outcome.kind,
      outcome.statusCode,
      outcome.detail,
    ],
  })
}

/** Queues a test alert to one contact; null if the team has no such contact. */
export async function insertTestDelivery(
  { pool }: Database,
  teamId: number,
  contactId: number,
  alert: Alert,
): Promise<number | null> {
  const { rows } = await pool.query<{ id: number }>({
    name: 'insert-test-delivery',
    text: `INSERT INTO deliveries AS d (team_id, event, alert, contact_id, contact_name, contact_type)
           SELECT c.team_id, $3, $4::jsonb, c.id, c.name, c.type
           FROM contacts c WHERE c.team_id = $1 AND c.id = $2 FOR KEY SHARE
           RETURNING d.id, ${DELIVERY_NOTIFICATION}, pg_notify('${DELIVERIES_CHANNEL}', '')`,
    values: [teamId, contactId, alert.event, JSON.stringify(alert)],
  })
  return rows[0]?.id ?? null
}
