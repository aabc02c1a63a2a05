import { Acknowledged, AcknowledgementNote, IncidentNote } from '../../core/on-call/acknowledgement.ts'
import { IncidentResponse } from '../../core/on-call/response.ts'
import { one } from '../envelope.ts'
import type { Operation } from '../operation.ts'

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

/** Actions of people on an incident: of a monitor, a server or a site alike. */
export const acknowledgementOperations = {
  acknowledgeIncident: {
    ...acknowledges,
    path: '/incidents/{incident}/acknowledgement',
    summary: 'Acknowledge an incident: reminders and escalation stop',
  },
  acknowledgeServerIncident: {
    ...acknowledges,
    path: '/server-incidents/{serverIncident}/acknowledgement',
    summary: 'Acknowledge an incident of a server',
  },
  acknowledgeSiteIncident: {
    ...acknowledges,
    path: '/site-incidents/{siteIncident}/acknowledgement',
    summary: 'Acknowledge an incident of a site',
  },
  unacknowledgeIncident: {
    ...withdraws,
    path: '/incidents/{incident}/acknowledgement',
    summary: 'Take back the acknowledgement of an incident: reminders and escalation go on',
  },
  unacknowledgeServerIncident: {
    ...withdraws,
    path: '/server-incidents/{serverIncident}/acknowledgement',
    summary: 'Take back the acknowledgement of an incident of a server',
  },
  unacknowledgeSiteIncident: {
    ...withdraws,
    path: '/site-incidents/{siteIncident}/acknowledgement',
    summary: 'Take back the acknowledgement of an incident of a site',
  },
  addIncidentNote: {
    ...notes,
    path: '/incidents/{incident}/notes',
    summary: 'Add a note to an incident',
  },
  addServerIncidentNote: {
    ...notes,
    path: '/server-incidents/{serverIncident}/notes',
    summary: 'Add a note to an incident of a server',
  },
  addSiteIncidentNote: {
    ...notes,
    path: '/site-incidents/{siteIncident}/notes',
    summary: 'Add a note to an incident of a site',
  },
} as const satisfies Record<string, Operation>
