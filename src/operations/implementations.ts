import * as alerting from './alerting/operations.ts'
import type { Implementations } from './implementation.ts'
import * as maintenance from './maintenance/operations.ts'
import * as monitors from './monitors/operations.ts'
import * as onCall from './on-call/operations.ts'
import * as overview from './overview/operations.ts'
import * as reports from './reports/operations.ts'
import * as servers from './servers/operations.ts'
import * as sites from './sites/operations.ts'
import * as statusPages from './status-pages/operations.ts'
import * as tags from './tags/operations.ts'
import * as teams from './teams/operations.ts'

/** Exactly one function per operation of the contract: each room exports those of its subject by their ids. */
export const implementations = {
  ...alerting,
  ...maintenance,
  ...monitors,
  ...onCall,
  ...overview,
  ...reports,
  ...servers,
  ...sites,
  ...statusPages,
  ...tags,
  ...teams,
  replaceMonitor: monitors.updateMonitor,
  replaceContact: alerting.updateContact,
} satisfies Implementations
