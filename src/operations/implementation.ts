import type * as z from 'zod'
import type { Contract, OperationId } from '../contract/contract.ts'
import type { ContactRecord } from '../core/alerting/contact.ts'
import type { Said } from '../core/language/said.ts'
import type { WindowRecord } from '../core/maintenance/window-record.ts'
import type { Role } from '../core/teams/access.ts'
import type { Door } from '../core/teams/audit.ts'
import type { PlanName } from '../core/teams/plan.ts'
import type { Faults, Parsed } from '../core/validation.ts'
import type { DeliveryRecord } from '../store/alerting/delivery-log.ts'
import type { DeletedSubject } from '../store/history/subjects.ts'
import type { IncidentOf } from '../store/incidents/incident-rows.ts'
import type { DeletedMonitorRecord } from '../store/monitors/deleted-monitors.ts'
import type { IncidentOfMonitor } from '../store/monitors/incidents.ts'
import type { MonitorRecord } from '../store/monitors/monitors.ts'
import type { DrillRecord } from '../store/on-call/drills.ts'
import type { NamedOverride } from '../store/on-call/overrides.ts'
import type { PolicyRecord } from '../store/on-call/policies.ts'
import type { ScheduleRecord } from '../store/on-call/schedules.ts'
import type { RecipientRecord } from '../store/reports/recipients.ts'
import type { ReportRecord } from '../store/reports/saved-reports.ts'
import type { ServerRecord } from '../store/servers/servers.ts'
import type { FindingRecord } from '../store/sites/findings.ts'
import type { SiteRecord } from '../store/sites/sites.ts'
import type { PageRecord } from '../store/status-pages/pages.ts'
import type { PostRecord } from '../store/status-pages/posts.ts'
import type { SubscriberRecord } from '../store/status-pages/subscriber-list.ts'
import type { TemplateRecord } from '../store/status-pages/templates.ts'
import type { UpdateRecord } from '../store/status-pages/updates.ts'
import type { InvitationRecord } from '../store/teams/invitations.ts'
import type { MemberRecord } from '../store/teams/members.ts'
import type { TeamToken } from '../store/teams/tokens.ts'
import type { Services } from './services.ts'

/** The caller: a member of a team, identified by a token or a session. */
export type Actor = {
  userId: number
  teamId: number
  role: Role
  plan: PlanName
  door: Door
  /** Set when a session identified the caller. */
  sessionId?: number
}

type NameIn<Path> = Path extends `${string}{${infer Name}}${string}` ? Name : never
type Complete<All extends Record<NameIn<Contract[OperationId]['path']>, unknown>> = All

/** The record that the path identifies, by the name of the path parameter. */
export type Records = Complete<{
  monitor: MonitorRecord
  notificationContact: ContactRecord
  incident: IncidentOfMonitor
  serverIncident: IncidentOf<'server'>
  siteIncident: IncidentOf<'site'>
  delivery: DeliveryRecord
  deletedMonitor: DeletedMonitorRecord
  member: MemberRecord
  invitation: InvitationRecord
  apiToken: TeamToken
  maintenanceWindow: WindowRecord
  statusPage: PageRecord
  statusPost: PostRecord
  statusUpdate: UpdateRecord
  statusTemplate: TemplateRecord
  statusSubscriber: SubscriberRecord
  server: ServerRecord
  deletedServer: DeletedSubject
  site: SiteRecord
  deletedSite: DeletedSubject
  siteFinding: FindingRecord
  report: ReportRecord
  reportRecipient: RecipientRecord
  schedule: ScheduleRecord
  scheduleOverride: NamedOverride
  escalationPolicy: PolicyRecord
  drill: DrillRecord
}>

type RecordOf<Id extends OperationId> = Records[NameIn<Contract[Id]['path']>]
type QueryOf<Id extends OperationId> = Contract[Id] extends { query: infer Q extends z.ZodType }
  ? z.output<Q>
  : undefined
type BodyOf<Id extends OperationId> = Contract[Id] extends { body: infer B extends z.ZodType }
  ? z.output<B>
  : undefined

/** The bytes of files that a request brings. */
export type Upload = {
  content: AsyncIterable<Uint8Array>
  /** Aborted once the client is gone. */
  signal: AbortSignal
}

export type OperationInput<Record, Query, Body> = {
  actor: Actor
  record: Record
  query: Query
  body: Body
  /** Only operations that take files have one. */
  upload?: Upload | undefined
}

/** An operation's answer; `body` is absent where there is none. */
export type Answer = {
  status: number
  body?: unknown
  /** A sentence beside the answer, for doors whose callers read (MCP). */
  note?: string
  headers: Record<string, string>
  /** The sentences of a refusal as data, for the dashboard. */
  refusal?: { said: Said | null; faults: Faults }
  /** Values of `Set-Cookie`, one header each. */
  cookies?: string[]
}

export type Implementations = { [Id in OperationId]: ImplementationOf<RecordOf<Id>, QueryOf<Id>, BodyOf<Id>> }
export type Implementation<Id extends OperationId> = Implementations[Id]

export type ImplementationOf<Record, Query, Body> = {
  /** Replaces the contract's schema where a schema alone cannot judge the body. */
  validate?: (
    services: Services,
    input: OperationInput<Record, Query, undefined>,
    body: unknown,
  ) => Parsed<Body>
  perform: (services: Services, input: OperationInput<Record, Query, Body>) => Promise<Partial<Answer>>
}
