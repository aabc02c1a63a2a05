import * as z from 'zod'
import { DeliveryState } from '../../core/alerting/delivery-state.ts'
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '../../core/pagination.ts'
import { integerParameter } from '../query.ts'

/** In a file of its own: the dashboard reads addresses by it before its first screen, which needs no answer's schema. */
export const DeliveryQuery = z.object({
  page: integerParameter(1).default(1),
  per_page: integerParameter(1, MAX_PER_PAGE).default(DEFAULT_PER_PAGE),
  contact: integerParameter(1).optional(),
  monitor: integerParameter(1).optional(),
  server: integerParameter(1).optional(),
  server_incident: integerParameter(1).optional(),
  site: integerParameter(1).optional(),
  site_incident: integerParameter(1).optional(),
  state: DeliveryState.optional(),
})
