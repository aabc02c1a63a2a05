import * as z from 'zod'

export const ReportRange = z.enum(['24h', '7d', '30d', '90d'])
export type ReportRange = z.infer<typeof ReportRange>
