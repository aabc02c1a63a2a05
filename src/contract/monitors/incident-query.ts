import * as z from 'zod'
import { IncidentFilterState, IncidentKind } from '../../core/monitors/incidents/incident-kind.ts'
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '../../core/pagination.ts'
import { text } from '../../core/text.ts'
import { instantParameter, integerParameter } from '../query.ts'

/** In a file of its own: the dashboard reads addresses by it before its first screen, which needs no answer's schema. */
export const IncidentQuery = z.object({
  page: integerParameter(1).default(1),
  per_page: integerParameter(1, MAX_PER_PAGE).default(DEFAULT_PER_PAGE),
  /** Part of the subject's name or of the cause, case-insensitive. */
  search: text(255).optional(),
  state: IncidentFilterState.optional(),
  kind: IncidentKind.optional(),
  monitor: integerParameter(1).optional(),
  server: integerParameter(1).optional(),
  site: integerParameter(1).optional(),
  /** Only those that lasted at this time, or began after it. */
  from: instantParameter().optional(),
  /** Only those that began before it. */
  to: instantParameter().optional(),
})
