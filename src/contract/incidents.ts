import { INCIDENT_LIST } from '../core/lists/incident-list.ts'
import { IncidentRow, IncidentStory, SubjectIncidentStory } from '../core/monitors/incident-story.ts'
import { ShownDiagnosis } from '../core/monitors/incidents/diagnosis.ts'
import { KeptAnswer } from '../core/probing/failing-answer.ts'
import { many, one, page } from './envelope.ts'
import type { Operation } from './operation.ts'

export const incidentOperations = {
  listIncidentRows: {
    internal: true,
    method: 'GET',
    path: '/incident-rows',
    summary: 'List incidents of monitors, servers and sites, newest first',
    access: 'read',
    query: INCIDENT_LIST.query,
    status: 200,
    output: page(IncidentRow),
    errors: ['validationFailed'],
  },
  getIncidentStory: {
    internal: true,
    method: 'GET',
    path: '/incidents/{incident}',
    summary: 'Show an incident with its checks and alerts',
    access: 'read',
    status: 200,
    output: one(IncidentStory),
    errors: ['notFound'],
  },
  getIncidentAnswers: {
    internal: true,
    method: 'GET',
    path: '/incidents/{incident}/answers',
    summary: 'Show the answer that opened an incident, and the last one if it is another',
    access: 'read',
    status: 200,
    output: many(KeptAnswer),
    errors: ['notFound'],
  },
  getIncidentDiagnosis: {
    internal: true,
    method: 'GET',
    path: '/incidents/{incident}/diagnosis',
    summary: 'Show why the monitor of an incident is down',
    access: 'read',
    status: 200,
    output: one(ShownDiagnosis),
    errors: ['notFound'],
  },
  diagnoseIncident: {
    internal: true,
    method: 'POST',
    path: '/incidents/{incident}/diagnosis',
    summary: 'Collect anew why the monitor of an incident is down',
    access: 'write',
    status: 200,
    output: one(ShownDiagnosis),
    errors: ['conflict', 'notFound'],
  },
  getServerIncidentStory: {
    internal: true,
    method: 'GET',
    path: '/server-incidents/{serverIncident}',
    summary: 'Show an incident of a server with its alerts',
    access: 'read',
    status: 200,
    output: one(SubjectIncidentStory),
    errors: ['notFound'],
  },
  getSiteIncidentStory: {
    internal: true,
    method: 'GET',
    path: '/site-incidents/{siteIncident}',
    summary: 'Show an incident of a site with its alerts',
    access: 'read',
    status: 200,
    output: one(SubjectIncidentStory),
    errors: ['notFound'],
  },
} as const satisfies Record<string, Operation>
