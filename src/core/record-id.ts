import * as z from 'zod'

/** The largest `integer` of PostgreSQL and `int32` of OpenAPI. */
export const MAX_INT32 = 2_147_483_647

/** Ids of monitors, contacts, people and teams. Ids of incidents and deliveries can be larger. */
export const MAX_RECORD_ID = MAX_INT32

export const RecordId = z.int().min(1).max(MAX_RECORD_ID).describe('ID')
