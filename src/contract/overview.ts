import { MONITOR_LIST } from '../core/lists/monitor-list.ts'
import { BulkChange, BulkOutcome, MonitorRow } from '../core/monitors/monitor-row.ts'
import { FirstSteps } from '../core/overview/first-steps.ts'
import { Overview } from '../core/overview/overview.ts'
import { TeamFigures } from '../core/overview/team-figures.ts'
import { one, subjectPage } from './envelope.ts'
import type { Operation } from './operation.ts'

export const overviewOperations = {
  getOverview: {
    internal: true,
    method: 'GET',
    path: '/overview',
    summary: 'Show the overview, problems first',
    access: 'read',
    status: 200,
    output: one(Overview),
    errors: [],
  },
  getFirstSteps: {
    internal: true,
    method: 'GET',
    path: '/first-steps',
    summary: 'Show what a new team has done, and what is left',
    access: 'write',
    status: 200,
    output: one(FirstSteps),
    errors: [],
  },
  hideFirstSteps: {
    internal: true,
    method: 'POST',
    path: '/first-steps/hide',
    summary: 'Do without the first steps of the team, for oneself',
    access: 'write',
    status: 204,
    errors: [],
  },
  getTeamFigures: {
    internal: true,
    method: 'GET',
    path: '/team-figures',
    summary: 'Show the uptime of all monitors together, the slowest and the flapping ones, and what expires',
    access: 'read',
    status: 200,
    output: one(TeamFigures),
    errors: [],
  },
  listMonitorRows: {
    internal: true,
    method: 'GET',
    path: '/monitor-rows',
    summary: 'List monitors with their recent uptime',
    access: 'read',
    query: MONITOR_LIST.query,
    status: 200,
    output: subjectPage(MonitorRow),
    errors: ['validationFailed'],
  },
  changeMonitors: {
    internal: true,
    method: 'POST',
    path: '/monitor-rows/change',
    summary: 'Pause, resume or delete many monitors, or attach or detach a contact',
    access: 'write',
    body: BulkChange,
    status: 200,
    output: one(BulkOutcome),
    errors: ['contentTooLarge', 'unsupportedMediaType', 'validationFailed'],
  },
} as const satisfies Record<string, Operation>
