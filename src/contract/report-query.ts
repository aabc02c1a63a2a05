import * as z from 'zod'
import { ReportRange } from '../core/history/report-range.ts'
import { text } from '../core/text.ts'

/** In a file of its own, as what the dashboard reads addresses by before its first screen. */
export const ReportQuery = z.object({ range: ReportRange.default('24h'), region: text(16).optional() })
