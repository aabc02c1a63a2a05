import * as alerting from './alerting/operations.ts'
import type { Implementations } from './implementation.ts'
import { incidentResponse } from './incidents/incident-response.ts'
import * as incidents from './incidents/operations.ts'
import * as maintenance from './maintenance/operations.ts'
import { subjectMaintenance } from './maintenance/subject-maintenance.ts'
import * as monitors from './monitors/operations.ts'
import * as movingIn from './moving-in/read-export.ts'
import * as onCall from './on-call/operations.ts'
import { subjectPolicies } from './on-call/subject-policies.ts'
import * as overview from './overview/operations.ts'
import * as reports from './reports/operations.ts'
import { restoreRecord } from './restore-record.ts'
import * as servers from './servers/operations.ts'
import * as sites from './sites/operations.ts'
import { incidentPages } from './status-pages/incident-pages.ts'
import * as statusPages from './status-pages/operations.ts'
import * as tags from './tags/operations.ts'
import { subjectTags } from './tags/tags.ts'
import * as teams from './teams/operations.ts'

/** Exactly one function per operation of the contract: each room exports those of its subject by their ids. Those that every kind of
 * subject has are made for each. */
export const implementations = {
  ...alerting,
  ...incidents,
  ...maintenance,
  ...monitors,
  ...movingIn,
  ...onCall,
  ...overview,
  ...reports,
  ...servers,
  ...sites,
  ...statusPages,
  ...tags,
  ...teams,
  ...incidentPages,
  ...incidentResponse,
  ...subjectMaintenance,
  ...subjectPolicies,
  ...subjectTags,
  restoreRecord,
  replaceMonitor: monitors.updateMonitor,
  replaceContact: alerting.updateContact,
} satisfies Implementations
