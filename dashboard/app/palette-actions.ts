import { MONITOR_TYPES, TYPES_BY_PLACE } from '../../src/core/monitors/monitor-types.ts'
import type { Access } from '../../src/core/teams/access.ts'
import { SHOWN_KINDS } from '../data/subjects/shown-kinds.ts'
import { t } from '../language/language.ts'

const SHOWN = Object.values(SHOWN_KINDS)

const ACTIONS = [
  ...SHOWN.map(({ words, adds }) => ({ label: t(words.addOne), to: adds, access: 'write' as const })),
  { label: t('Add many monitors'), to: '/teams/$team/monitors/many', access: 'write' },
  { label: t('Import from another tool'), to: '/teams/$team/monitors/import', access: 'write' },
  { label: t('Add contact'), to: '/teams/$team/contacts/new', access: 'write' },
  { label: t('New maintenance window'), to: '/teams/$team/maintenance/new', access: 'write' },
  { label: t('New escalation policy'), to: '/teams/$team/on-call/policies/new', access: 'write' },
  { label: t('New on-call schedule'), to: '/teams/$team/on-call/schedules/new', access: 'write' },
  { label: t('New status page'), to: '/teams/$team/status-pages/new', access: 'write' },
  { label: t('Overview'), to: '/teams/$team', access: 'read' },
  { label: t('Wallboard'), to: '/teams/$team/wallboard', access: 'read' },
  ...SHOWN.map(({ words, list }) => ({ label: t(words.all), to: list, access: 'read' as const })),
  { label: t('Deleted monitors'), to: '/teams/$team/monitors/deleted', access: 'read' },
  { label: t('Expiry dates'), to: '/teams/$team/expiries', access: 'read' },
  { label: t('Incidents'), to: '/teams/$team/incidents', access: 'read' },
  { label: t('On-call'), to: '/teams/$team/on-call', access: 'read' },
  { label: t('Maintenance'), to: '/teams/$team/maintenance', access: 'read' },
  { label: t('Status pages'), to: '/teams/$team/status-pages', access: 'read' },
  { label: t('Post templates'), to: '/teams/$team/status-pages/templates', access: 'read' },
  { label: t('Reports'), to: '/teams/$team/reports', access: 'read' },
  { label: t('New report'), to: '/teams/$team/reports/view', access: 'read' },
  { label: t('Contacts'), to: '/teams/$team/contacts', access: 'read' },
  { label: t('Delivery log'), to: '/teams/$team/deliveries', access: 'read' },
  { label: t('Team and plan'), to: '/teams/$team/settings', access: 'read' },
  { label: t('Members and invitations'), to: '/teams/$team/settings/members', access: 'read' },
  { label: t('API tokens'), to: '/teams/$team/settings/api-tokens', access: 'write' },
  { label: t('Audit log'), to: '/teams/$team/settings/audit-log', access: 'write' },
  { label: t('Webhook signing secret'), to: '/teams/$team/settings', access: 'manage' },
  { label: t('Confirmation before alerts'), to: '/teams/$team/settings', access: 'write' },
  { label: t('Reminders'), to: '/teams/$team/on-call', access: 'read' },
  { label: t('Your account'), to: '/account', access: 'read' },
  { label: t('Passkeys and two-factor sign-in'), to: '/account', access: 'read' },
  { label: t('Sessions'), to: '/account', access: 'read' },
] as const satisfies readonly { label: string; to: string; access: Access }[]

/** A new monitor of each type, which are too many to show before anything is typed. */
const TYPES = TYPES_BY_PLACE.map((type) => ({
  label: t('Add monitor: {type}', { type: t(MONITOR_TYPES[type].title) }),
  to: `/teams/$team/monitors/new?type=${type}`,
}))

export function typesFor(may: (access: Access) => boolean) {
  return may('write') ? TYPES : []
}

/** The actions that are available from every screen, by permission. */
export function actionsFor(may: (access: Access) => boolean) {
  return ACTIONS.filter(({ access }) => may(access))
}
