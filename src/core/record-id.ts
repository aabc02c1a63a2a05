import * as z from 'zod'

/** What PostgreSQL's `integer` holds: ids of monitors, contacts and teams. */
export const LARGEST_RECORD_ID = 2_147_483_647

/** The id of a record, as answers show it. */
export const RecordId = z.int().min(1).max(LARGEST_RECORD_ID).describe('ID')
