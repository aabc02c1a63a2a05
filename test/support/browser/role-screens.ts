import { TYPES_BY_PLACE } from '../../../src/core/monitors/monitor-types.ts'
import type { Access } from '../../../src/core/teams/access.ts'

/** The controls in the main part of a screen, by the permission that they require. */
export type Screen = {
  /** Words that stand there for every role, once the screen has what it asked for. */
  says: string
  /** Whom it is for: no link leads others there. Those who come all the same are told, and can do nothing. */
  access: Access
  /** All buttons by their names; of other controls those that a viewer has, or that change something at once. */
  read?: string[]
  write?: string[]
  manage?: string[]
}

/** The types that a new monitor may have at once. */
const SHOWN_TYPES = 6
const PAGES = ['Previous', 'Next']
/** The menu of a list. */
const LIST_MENU = 'More for this list'
const RUNNING = ['Extend by 30 minutes (Rack move)', 'End now (Rack move)']
const PAGE_PREVIEW = ['Desktop', 'Phone']
const SWITCH_EXAMPLES = [
  'Turn on',
  'Turn off',
  'With curl, for 15 minutes',
  'MAINTENANCE_URL',
  'Shell script',
  'GitHub Actions',
  'GitLab CI',
  'Ansible',
].map((title) => `Copy ${title}`)
const MONTH = ['Previous month', 'Today', 'Next month']
const SCHEDULE_FORM = [
  'Remove …',
  'Add participant',
  'Move layer 1 up',
  'Move layer 1 down',
  'Move turn 1 up',
  'Move turn 1 down',
  'Add layer',
]
const DRY_RUN = ['Subject Any', 'Fails at']
const POLICY_FORM = ['Remove …', 'Add step', ...DRY_RUN]
const SIGN_IN = ['E-mail', 'Password', 'Sign in', 'Sign in with a passkey']

/** Every address of dashboard/router.tsx. */
export const SCREENS: Record<string, Screen> = {
  '/': { says: '2 down', access: 'read', write: RUNNING },
  '/sign-in': { says: 'Forgot your password?', access: 'read', read: SIGN_IN },
  '/sign-up': { says: 'Invitation only', access: 'read' },
  '/forgotten-password': {
    says: 'We will send you a link',
    access: 'read',
    read: ['E-mail', 'Send me a link'],
  },
  '/invitations': { says: 'This invitation does not work', access: 'read' },
  // The operator makes teams, whatever the role in one.
  '/new-team': { says: 'New team', access: 'read' },
  '/signed-in': { says: 'Close this tab', access: 'read' },
  '/account': {
    says: 'Your account',
    access: 'read',
    read: [
      'Current password',
      'New password',
      'Change password',
      'Set up an authenticator app',
      'Add a passkey',
      'Change your name',
      'Add your phone number',
      'Change your e-mail address',
      'Send confirmation e-mail',
      'Sign out all other sessions',
      'Sign out the session …',
      'Delete…',
    ],
  },
  // For operators, whatever their role in a team.
  '/accounts': { says: 'Operators only', access: 'read' },
  '/service-settings': { says: 'Operators only', access: 'read' },
  '/teams/$team': { says: 'Shop went down', access: 'read', write: RUNNING },
  '/teams/$team/wallboard': { says: '2 down', access: 'read' },
  '/teams/$team/welcome': { says: 'Welcome to', access: 'write', write: ['Skip', 'URL', 'Add monitor'] },
  '/teams/$team/monitors': {
    says: 'Shop',
    access: 'read',
    read: ['Search', 'Status', 'Type', 'Sort by', 'Name', 'Last check', LIST_MENU, ...PAGES],
    write: ['Select …'],
  },
  '/teams/$team/monitors/new': {
    says: 'Add a monitor',
    access: 'write',
    write: [
      'Save and add another',
      'Test',
      'Add monitor',
      `Show ${TYPES_BY_PLACE.length - SHOWN_TYPES} more`,
    ],
  },
  '/teams/$team/monitors/many': {
    says: 'Add many monitors',
    access: 'write',
    write: ['Choose a file', 'Add monitors'],
  },
  '/teams/$team/monitors/import': {
    says: 'Import from another tool',
    access: 'write',
    write: ['Choose files'],
  },
  '/teams/$team/monitors/deleted': { says: 'Old', access: 'read', write: ['Restore …'] },
  '/teams/$team/monitors/$monitor': {
    says: 'X-Key',
    access: 'read',
    read: [
      '24 h',
      '7 d',
      '30 d',
      '90 d',
      'Custom',
      'Compare with the week before',
      'All',
      'Failed',
      'More for these checks',
      'A check',
    ],
    write: ['Check now', 'Pause', 'Maintenance', 'More actions'],
  },
  '/teams/$team/monitors/$monitor/edit': {
    says: 'Edit Shop',
    access: 'write',
    write: ['Test', 'Save changes'],
  },
  '/teams/$team/servers': {
    says: 'Rack one',
    access: 'read',
    read: [
      'Search',
      'Status',
      'Sort by',
      'Name',
      'CPU',
      'Memory',
      'Fullest disk',
      'Load per CPU',
      'Last report',
      LIST_MENU,
      ...PAGES,
    ],
    write: ['Select …'],
  },
  '/teams/$team/servers/new': { says: 'Add a server', access: 'write', write: ['Add server'] },
  '/teams/$team/servers/$server': {
    says: 'rack-one.example.com',
    access: 'read',
    read: ['1 h', '6 h', '24 h', '7 d', '30 d', '90 d'],
    write: ['Pause', 'Maintenance', 'More actions'],
  },
  '/teams/$team/servers/$server/edit': {
    says: 'Edit Rack one',
    access: 'write',
    write: ['Save changes', 'Reset to defaults'],
  },
  '/teams/$team/sites': {
    says: 'Rack site',
    access: 'read',
    read: ['Search', 'Status', LIST_MENU, ...PAGES],
    write: ['Select …'],
  },
  '/teams/$team/sites/new': { says: 'Add a site', access: 'write', write: ['Add site'] },
  '/teams/$team/sites/$site': {
    says: 'https://rack-site.example.com/gone',
    access: 'read',
    read: ['Broken 1', 'Not judged 0', 'Hints 0', 'Ignored 0', 'Fixed 0', 'Export CSV'],
    write: ['Resume', 'Maintenance', 'Delete…', 'Ignore https://rack-site.example.com/gone'],
  },
  '/teams/$team/sites/$site/edit': { says: 'Edit Rack site', access: 'write', write: ['Save changes'] },
  '/teams/$team/expiries': { says: 'Expiry dates', access: 'read', read: [LIST_MENU] },
  '/teams/$team/incidents': {
    says: 'HTTP 503',
    access: 'read',
    read: [
      'Search',
      'Kind',
      'Subject Any',
      'Period',
      'All',
      'Ongoing',
      'Not acknowledged',
      'Resolved',
      LIST_MENU,
      ...PAGES,
    ],
    write: ['Select …'],
  },
  '/teams/$team/incidents/$incident': {
    says: 'Timeline',
    access: 'read',
    read: ['Copy as Markdown', 'Copy Diagnosis'],
    write: ['Acknowledge', 'Check now', 'Maintenance', 'Diagnose now', 'Add note'],
  },
  '/teams/$team/incidents/servers/$incident': {
    says: 'no report for 3 min',
    access: 'read',
    read: ['Copy as Markdown'],
    write: ['Maintenance', 'Add note'],
  },
  '/teams/$team/incidents/sites/$incident': {
    says: 'no such host',
    access: 'read',
    read: ['Copy as Markdown'],
    write: ['Maintenance', 'Add note'],
  },
  '/teams/$team/maintenance': {
    says: 'Rack move',
    access: 'read',
    read: ['List', 'Calendar', LIST_MENU, 'Show older'],
    write: [...RUNNING, 'Turn on (Deploys)', 'Copy calendar address', 'Replace address…', 'Remove …'],
  },
  '/teams/$team/maintenance/new': {
    says: 'New maintenance window',
    access: 'write',
    write: ['Create window', 'Add all 6', 'Add all servers', 'Add all sites'],
  },
  '/teams/$team/maintenance/$window': {
    says: 'When switched on',
    access: 'read',
    write: ['Turn on (Deploys)', 'Delete…', 'New addresses…', ...SWITCH_EXAMPLES],
  },
  '/teams/$team/maintenance/$window/edit': {
    says: 'Edit Deploys',
    access: 'write',
    write: ['Save changes', 'Add all 6', 'Add all servers', 'Add all sites', 'Remove …'],
  },
  '/teams/$team/on-call': {
    says: 'Night shift',
    access: 'read',
    write: ['Remind while an incident is open and not acknowledged', 'Save'],
  },
  '/teams/$team/on-call/drills/$drill': {
    says: 'Drill of Production',
    access: 'read',
    write: ['Acknowledge'],
  },
  '/teams/$team/on-call/policies/new': {
    says: 'New escalation policy',
    access: 'write',
    write: ['Create policy', ...POLICY_FORM],
  },
  '/teams/$team/on-call/policies/$policy': {
    says: 'On call: Night shift',
    access: 'read',
    read: DRY_RUN,
    write: ['Start drill…', 'Delete…'],
  },
  '/teams/$team/on-call/policies/$policy/edit': {
    says: 'Edit Production',
    access: 'write',
    write: ['Save changes', ...POLICY_FORM],
  },
  '/teams/$team/on-call/schedules/new': {
    says: 'New on-call schedule',
    access: 'write',
    write: ['Create schedule', ...SCHEDULE_FORM],
  },
  '/teams/$team/on-call/schedules/$schedule': {
    says: 'Night shift',
    access: 'read',
    read: [...MONTH, 'Night watch, …'],
    write: ['Override…', 'Delete…', 'Copy calendar address', 'Replace address…', 'Remove …'],
  },
  '/teams/$team/on-call/schedules/$schedule/edit': {
    says: 'Edit Night shift',
    access: 'write',
    write: ['Save changes', ...SCHEDULE_FORM, ...MONTH, 'Night watch, …'],
  },
  '/teams/$team/reports': { says: 'Last month', access: 'read' },
  '/teams/$team/reports/view': {
    says: 'days in',
    access: 'read',
    read: ['Print or save as PDF', 'Period', 'All subjects'],
    write: ['Save report'],
  },
  '/teams/$team/status-pages': { says: 'Shop status', access: 'read' },
  '/teams/$team/status-pages/new': {
    says: 'New status page',
    access: 'write',
    write: ['Create page', 'Add all 6', 'Add all servers', 'Add all sites'],
  },
  '/teams/$team/status-pages/$page': {
    says: 'Public host',
    access: 'read',
    read: PAGE_PREVIEW,
    write: [
      ...[
        'Publish',
        'Add group',
        'Add component by hand',
        'Save page',
        'Add all 6',
        'Add all servers',
        'Add all sites',
        'Remove …',
      ],
      ...['Hosts', 'Public host'].flatMap((row) => [`Move ${row} up`, `Move ${row} down`, `Edit ${row}`]),
    ],
  },
  '/teams/$team/status-pages/templates': {
    says: 'Outage words',
    access: 'read',
    write: ['New template', 'Edit Outage words', 'Remove …'],
  },
  '/teams/$team/status-pages/$page/posts': { says: 'Late orders', access: 'read', write: ['Publish'] },
  '/teams/$team/status-pages/$page/posts/new': {
    says: 'Shop status',
    access: 'write',
    write: ['Publish', 'Write', 'Preview', 'Publish post'],
  },
  '/teams/$team/status-pages/$page/posts/$post': {
    says: 'Orders leave an hour late.',
    access: 'read',
    write: ['Publish', 'Edit title', 'Delete…', 'Add update', 'Edit Investigating'],
  },
  '/teams/$team/status-pages/$page/subscribers': {
    says: 'No subscribers yet',
    access: 'read',
    write: ['Publish', 'Export CSV'],
  },
  '/teams/$team/status-pages/$page/settings': {
    says: 'status.watched.example.com',
    access: 'read',
    write: [
      ...PAGE_PREVIEW,
      ...['Publish', 'Save changes', 'Choose image…', 'Logo', 'Replace password', 'Remove …'],
      ...['Verify status.watched.example.com', 'Add domain', 'Replace address', 'Delete page…'],
      'Copy name of the record of status.watched.example.com',
      'Copy value of the record of status.watched.example.com',
      'Copy address of the private feed',
    ],
  },
  '/teams/$team/contacts': { says: 'Phone', access: 'read', write: ['Test all'] },
  '/teams/$team/contacts/new': { says: 'Add a contact', access: 'write', write: ['Add contact'] },
  '/teams/$team/contacts/$contact': {
    says: 'Delivery log',
    access: 'read',
    write: ['Delete…', 'Save changes', 'Send test', 'Save quiet hours', 'Save time zone'],
  },
  '/teams/$team/deliveries': {
    says: 'Down: Shop to Ops',
    access: 'read',
    read: ['Contact', 'Status', 'Subject Any', 'Period', LIST_MENU, ...PAGES],
  },
  '/teams/$team/settings': {
    says: 'unlimited',
    access: 'read',
    read: ['Leave…'],
    write: [
      ...['Extra failed attempts before alerting', 'Successful checks before recovery', 'Save'],
      ...['Save time zone', 'Show'],
    ],
    manage: ['Team name', 'Replace…'],
  },
  '/teams/$team/settings/members': {
    says: 'vera@example.com',
    access: 'read',
    manage: ['Role of …', 'Remove …', 'E-mail', 'Role', 'Invite'],
  },
  // Viewers are told there whom to ask for one. The only token is the owner's, which admins do not see.
  '/teams/$team/settings/api-tokens': {
    says: 'API tokens',
    access: 'read',
    write: ['Name', 'Access', 'Expires', 'Create token'],
    manage: ['Revoke …', 'Rotate …'],
  },
  '/teams/$team/settings/audit-log': { says: 'Members', access: 'write', write: [LIST_MENU, ...PAGES] },
}

/** The key in `SCREENS` of an address such as `/teams/1/monitors/new`, which is no monitor. */
export function routeOf(path: string): string | undefined {
  const routes = Object.keys(SCREENS).filter((route) => patternOf(route).test(path))
  return routes.sort((a, b) => a.split('$').length - b.split('$').length)[0]
}

function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}/?$`)
}
