import type { AccountsTables } from './tables/accounts.ts'
import type { AlertingTables } from './tables/alerting.ts'
import type { EscalationTables } from './tables/escalation.ts'
import type { HistoryTables } from './tables/history.ts'
import type { MaintenanceTables } from './tables/maintenance.ts'
import type { MonitorsTables } from './tables/monitors.ts'
import type { OnCallTables } from './tables/on-call.ts'
import type { ProbingTables } from './tables/probing.ts'
import type { ReportsTables } from './tables/reports.ts'
import type { ServersTables } from './tables/servers.ts'
import type { SignInTables } from './tables/sign-in.ts'
import type { SitesTables } from './tables/sites.ts'
import type { StatusPagesTables } from './tables/status-pages.ts'
import type { SubjectsTables } from './tables/subjects.ts'
import type { TeamsTables } from './tables/teams.ts'

/** The schema after all migrations, for the query builder. Encrypted columns hold sealed text. */
export type Tables = AccountsTables &
  AlertingTables &
  EscalationTables &
  HistoryTables &
  MaintenanceTables &
  MonitorsTables &
  OnCallTables &
  ProbingTables &
  ReportsTables &
  ServersTables &
  SignInTables &
  SitesTables &
  StatusPagesTables &
  SubjectsTables &
  TeamsTables
