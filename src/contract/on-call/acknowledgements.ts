import { Acknowledged, AcknowledgementNote, IncidentNote } from '../../core/on-call/acknowledgement.ts'
import { IncidentResponse } from '../../core/on-call/response.ts'
import { one } from '../envelope.ts'
import type { Operation } from '../operation.ts'
import { INCIDENTS, onEach } from '../subjects.ts'

const BODY_ERRORS = ['contentTooLarge', 'unsupportedMediaType', 'validationFailed'] as const

const acknowledges = {
  internal: true,
  method: 'POST',
  access: 'write',
  body: AcknowledgementNote,
  status: 200,
  output: one(Acknowledged),
  errors: ['notFound', 'conflict', ...BODY_ERRORS],
} as const
const withdraws = {
  internal: true,
  method: 'DELETE',
  access: 'write',
  status: 200,
  output: one(IncidentResponse),
  errors: ['notFound', 'conflict'],
} as const
const notes = {
  internal: true,
  method: 'POST',
  access: 'write',
  body: IncidentNote,
  status: 201,
  output: one(IncidentResponse),
  errors: ['notFound', ...BODY_ERRORS],
} as const

/** Actions of people on an incident, whatever kind of subject it is of. */
export const acknowledgementOperations = {
  ...onEach(
    INCIDENTS,
    'acknowledge*',
    '/acknowledgement',
    (words) => `Acknowledge ${words}: reminders and escalation stop`,
    acknowledges,
  ),
  ...onEach(
    INCIDENTS,
    'unacknowledge*',
    '/acknowledgement',
    (words) => `Take back the acknowledgement of ${words}: reminders and escalation go on`,
    withdraws,
  ),
  ...onEach(INCIDENTS, 'add*Note', '/notes', (words) => `Add a note to ${words}`, notes),
} as const satisfies Record<string, Operation>
