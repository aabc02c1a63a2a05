import * as z from 'zod'
import { IncidentRow, IncidentState, IncidentStory } from '../core/monitors/incident-story.ts'
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '../core/pagination.ts'
import { KeptAnswer } from '../core/probing/failing-answer.ts'
import { many, one, page } from './envelope.ts'
import type { Operation } from './operation.ts'
import { integerParameter } from './query.ts'

export const IncidentQuery = z.object({
  page: integerParameter(1).default(1),
  per_page: integerParameter(1, MAX_PER_PAGE).default(DEFAULT_PER_PAGE),
  state: IncidentState.optional(),
  monitor: integerParameter(1).optional(),
})

export const incidentOperations = {
  listIncidentRows: {
    internal: true,
    method: 'GET',
    path: '/incident-rows',
    summary: 'List incidents with their monitors, newest first',
    access: 'read',
    query: IncidentQuery,
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
} as const satisfies Record<string, Operation>
