import type { Access } from '../../src/core/teams/access.ts'

const ACTIONS = [
  { label: 'Add monitor', to: '/teams/$team/monitors/new', access: 'write' },
  { label: 'Add server', to: '/teams/$team/servers/new', access: 'write' },
  { label: 'Add site', to: '/teams/$team/sites/new', access: 'write' },
  { label: 'Add contact', to: '/teams/$team/contacts/new', access: 'write' },
  { label: 'New maintenance window', to: '/teams/$team/maintenance/new', access: 'write' },
  { label: 'New status page', to: '/teams/$team/status-pages/new', access: 'write' },
  { label: 'Overview', to: '/teams/$team', access: 'read' },
  { label: 'Wallboard', to: '/teams/$team/wallboard', access: 'read' },
  { label: 'All monitors', to: '/teams/$team/monitors', access: 'read' },
  { label: 'Deleted monitors', to: '/teams/$team/monitors/deleted', access: 'read' },
  { label: 'All servers', to: '/teams/$team/servers', access: 'read' },
  { label: 'All sites', to: '/teams/$team/sites', access: 'read' },
  { label: 'Expiry dates', to: '/teams/$team/expiries', access: 'read' },
  { label: 'Incidents', to: '/teams/$team/incidents', access: 'read' },
  { label: 'Maintenance', to: '/teams/$team/maintenance', access: 'read' },
  { label: 'Status pages', to: '/teams/$team/status-pages', access: 'read' },
  { label: 'Post templates', to: '/teams/$team/status-pages/templates', access: 'read' },
  { label: 'Reports', to: '/teams/$team/reports', access: 'read' },
  { label: 'New report', to: '/teams/$team/reports/view', access: 'read' },
  { label: 'Contacts', to: '/teams/$team/contacts', access: 'read' },
  { label: 'Delivery log', to: '/teams/$team/deliveries', access: 'read' },
  { label: 'Team and plan', to: '/teams/$team/settings', access: 'read' },
  { label: 'Members and invitations', to: '/teams/$team/settings/members', access: 'read' },
  { label: 'API tokens', to: '/teams/$team/settings/api-tokens', access: 'write' },
  { label: 'Audit log', to: '/teams/$team/settings/audit-log', access: 'write' },
  { label: 'Your account', to: '/account', access: 'read' },
] as const satisfies readonly { label: string; to: string; access: Access }[]

/** The actions that are available from every screen, by permission. */
export function actionsFor(may: (access: Access) => boolean) {
  return ACTIONS.filter(({ access }) => may(access))
}
