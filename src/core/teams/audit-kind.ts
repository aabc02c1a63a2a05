import * as z from 'zod'
import { phrase } from '../language/phrase.ts'
import { SUBJECT_NAMES, type SubjectKind } from '../maintenance/subject-kind.ts'

/**
 * The kinds of what a line of the audit log is about, each with a pattern of the names of its operations, which the database
 * reads, too. At most one fits a name; what fits none is about the team itself.
 */
export const AUDIT_PATTERNS = {
  monitor: '(Monitors?|MonitorNotes|MonitorSettings|MonitorNow|MonitorTags)$',
  server: '(Server|ServerToken|ServerTags)$',
  site: '(Site|SiteArea|SiteFinding|SiteTags)$',
  incident: 'Incident',
  contact: 'Contact',
  on_call: '(OnCall|Schedule|Policy|Drill)',
  maintenance: '(Maintenance(Window|Address|Calendar)?|Occurrence)$',
  status_page: '(StatusPage|StatusPost|StatusUpdate|StatusTemplate|StatusSubscriber|MaintenancePost)',
  report: 'Report',
  person: '(Member|Invitation|Account|Operator|leaveTeam)',
  access: '(ApiToken|Program|Connection|SigningSecret)',
} as const satisfies Record<string, string> & Record<SubjectKind, string>

export const AuditKind = z.enum([...(Object.keys(AUDIT_PATTERNS) as (keyof typeof AUDIT_PATTERNS)[]), 'team'])
export type AuditKind = z.infer<typeof AuditKind>

export const AUDIT_KIND_WORDS: Record<AuditKind, string> = {
  ...SUBJECT_NAMES,
  incident: phrase('Incidents'),
  contact: phrase('Contacts'),
  on_call: phrase('On-call'),
  maintenance: phrase('Maintenance'),
  status_page: phrase('Status pages'),
  report: phrase('Reports'),
  person: phrase('People'),
  access: phrase('Tokens and programs'),
  team: phrase('Team'),
}
