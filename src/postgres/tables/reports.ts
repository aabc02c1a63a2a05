import type { ColumnType, Generated } from 'kysely'
import type { TeamReport } from '../../core/reports/report.ts'
import type { MailColumns } from './queued-mail.ts'

export type ReportsTables = {
  reports: {
    id: Generated<number>
    team_id: number
    name: string
    time_zone: string
    all_subjects: boolean
    monitor_ids: number[]
    server_ids: number[]
    site_ids: number[]
    tags: Generated<string[]>
    next_mail_at: Date
    created_at: Generated<Date>
  }
  report_recipients: {
    id: Generated<number>
    report_id: number
    team_id: number
    address: string
    address_hash: Buffer
    token: string
    token_hash: Buffer
    confirmed_at: Date | null
    refused_at: Date | null
    created_at: Generated<Date>
  }
  report_editions: {
    report_id: number
    month: string
    content: ColumnType<TeamReport, string, never>
    created_at: Generated<Date>
  }
  report_mails: MailColumns & { report_id: number; month: string; recipient_id: number }
}
