import * as z from 'zod'
import { Instant } from '../instant.ts'
import { phrase } from '../language/phrase.ts'
import { KIND_ENTRIES, ofEachKind } from '../maintenance/subject-kind.ts'
import { MAX_RECORD_ID } from '../record-id.ts'
import { prose } from '../text.ts'

/** The bound of the note of an acknowledgement, and of notes on an incident, in code points. */
export const MAX_INCIDENT_NOTE_LENGTH = 2_000

const Words = prose(MAX_INCIDENT_NOTE_LENGTH)

/** An optional note: empty becomes null. */
export const AcknowledgementNote = z.object({
  note: Words.nullable()
    .transform((note) => note?.trim() || null)
    .default(null)
    .describe('What others should know.'),
})
export type AcknowledgementNote = z.infer<typeof AcknowledgementNote>

export const IncidentNote = z.object({
  text: Words.transform((note) => note.trim())
    .refine((note) => note !== '', phrase('must not be empty'))
    .describe('The note.'),
})
export type IncidentNote = z.infer<typeof IncidentNote>

/** The one who has an incident: a member in the dashboard, or a contact by its link. `by` is null once they are deleted. */
export const Acknowledgement = z.object({
  by: z.string().nullable(),
  via: z.enum(['dashboard', 'link']),
  at: Instant,
  note: z.string().nullable(),
})
export type Acknowledgement = z.infer<typeof Acknowledgement>

/** The one who has an incident, in lists. */
export const Holder = Acknowledgement.pick({ by: true })
export type Holder = z.infer<typeof Holder>

/** A step or reminder that an acknowledgement came too late for. */
export const SentBefore = z.object({ kind: z.enum(['step', 'reminder']), number: z.int(), at: Instant })
export type SentBefore = z.infer<typeof SentBefore>

/** The answer to whoever acknowledges: what holds now, whether it is theirs, and what had been sent just before. */
export const Acknowledged = z.object({
  acknowledgement: Acknowledgement,
  is_new: z.boolean(),
  already_sent: z.array(SentBefore),
})
export type Acknowledged = z.infer<typeof Acknowledged>

/** The kinds of what a link acknowledges, each with its letter. */
const LETTERS = { ...ofEachKind((kind) => KIND_ENTRIES[kind].letter), drill: 'd', group: 'g' } as const
export type AcknowledgedKind = keyof typeof LETTERS

/** The content of a link in an alert: an incident, or the delivery that leads a group; and the contact that it went to. */
export type AcknowledgementLink = { kind: AcknowledgedKind; incidentId: number; contactId: number }
/** A link that names one incident, or a drill. */
export type IncidentLink = AcknowledgementLink & { kind: Exclude<AcknowledgedKind, 'group'> }

export function isIncidentLink(link: AcknowledgementLink): link is IncidentLink {
  return link.kind !== 'group'
}

const LINK = new RegExp(
  `^([${Object.values(LETTERS).join('')}])([1-9]\\d{0,15})-([1-9]\\d{0,9})-([0-9a-f]{32})$`,
)

/** The part of a link that is signed, without any character that a channel could read as markup. */
export function linkText({ kind, incidentId, contactId }: AcknowledgementLink): string {
  return `${LETTERS[kind]}${incidentId}-${contactId}`
}

/** Null for what cannot have been signed here. */
export function readLink(token: string): { link: AcknowledgementLink; signature: string } | null {
  const [, letter, incident, contact, signature] = LINK.exec(token) ?? []
  const kind = (Object.keys(LETTERS) as AcknowledgedKind[]).find((one) => LETTERS[one] === letter)
  const link = kind && { kind, incidentId: Number(incident), contactId: Number(contact) }
  if (!link || signature === undefined) return null
  if (!Number.isSafeInteger(link.incidentId) || link.contactId > MAX_RECORD_ID) return null
  return { link, signature }
}
