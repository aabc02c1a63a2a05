import * as z from 'zod'

/** What 32 bits hold: PostgreSQL's `integer`, `int32` of OpenAPI. */
export const MAX_INT32 = 2_147_483_647

/** Ids of monitors, contacts, people and teams; those of incidents and deliveries may be larger. */
export const MAX_RECORD_ID = MAX_INT32

/** The id of a record, as answers show it. */
export const RecordId = z.int().min(1).max(MAX_RECORD_ID).describe('ID')
