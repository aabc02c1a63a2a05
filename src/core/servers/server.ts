import * as z from 'zod'
import { RecordId } from '../record-id.ts'
import { label, MAX_NAME_LENGTH } from '../text.ts'
import { ThresholdChanges } from './condition.ts'

/** Contacts of one server. */
export const MAX_SERVER_CONTACTS = 100

/** A server, as a form sends it. */
export const ServerSettings = z.object({
  name: label(MAX_NAME_LENGTH).describe('Name of the server. Alerts and the dashboard show it.'),
  is_active: z.boolean().describe('False: reports are refused, and nothing is judged.').default(true),
  thresholds: ThresholdChanges.describe('Conditions that differ from the defaults.').default({}),
  contact_ids: z
    .array(RecordId)
    .max(MAX_SERVER_CONTACTS)
    .describe('Contacts that alerts go to; none: to every contact of the team.')
    .default([]),
})
export type ServerSettings = z.infer<typeof ServerSettings>

/** The path of everything that a server sends to us, and of its install script. Below: `install`, `v1/metrics`, `write`, … */
export const SERVER_PATH = '/server'
/** The bound of one report. */
export const MAX_REPORT_BYTES = 65_536
/**
 * The bound of one request of a standard input after it is unpacked. Senders put what they know into one, most of which is of no
 * known series: two thousand samples of node_exporter take about 250 kB.
 */
export const MAX_INPUT_BYTES = 1_048_576
export const REPORT_INTERVAL_SECONDS = 60
