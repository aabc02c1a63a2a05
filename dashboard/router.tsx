import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { AUDIT_LIST } from '../src/core/lists/audit-list.ts'
import { DELIVERY_LIST } from '../src/core/lists/delivery-list.ts'
import { EXPIRY_LIST } from '../src/core/lists/expiry-list.ts'
import { INCIDENT_LIST } from '../src/core/lists/incident-list.ts'
import type { List } from '../src/core/lists/list.ts'
import { MONITOR_LIST } from '../src/core/lists/monitor-list.ts'
import { readSearch } from '../src/core/lists/search.ts'
import { SERVER_LIST } from '../src/core/lists/server-list.ts'
import { SITE_LIST } from '../src/core/lists/site-list.ts'
import { useArrival } from './app/arrival.ts'
import { Outside } from './app/outside.tsx'
import { Shell } from './app/shell.tsx'
import { SignInAgain } from './app/sign-in-again.tsx'
import { waysInQuestion } from './data/account.ts'
import { forgetLastSeen, isOffline } from './data/device/last-seen.ts'
import { followLanguage } from './data/device/own-language.ts'
import { readReportSearch } from './data/history-search.ts'
import { readMaintenanceSearch, readNewWindowSearch } from './data/maintenance-search.ts'
import { readNewMonitorSearch } from './data/monitor-search.ts'
import { readScheduleSearch } from './data/on-call/schedule-search.ts'
import { Problem } from './data/problem.ts'
import { readTeamReportSearch } from './data/reports/report-search.ts'
import { readServerPageSearch } from './data/servers/server-search.ts'
import { sessionQuestion } from './data/session.ts'
import { forgetSession, sessionEndedAt } from './data/sign-in/session-end.ts'
import { readNewPostSearch } from './data/status-pages/post-search.ts'
import { readSignInSearch, wayBack } from './data/way-back.ts'
import { explainFailedLoad } from './parts/feedback/not-loaded.tsx'
import { Trouble } from './parts/feedback/trouble.tsx'
import { Overview, preloadOverview } from './screens/overview/overview.tsx'
import { readWelcomeSearch } from './screens/welcome/welcome-search.ts'

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Root,
  errorComponent: ({ error }) => (
    <Outside>
      <Trouble error={error} />
    </Outside>
  ),
  notFoundComponent: () => (
    <Outside>
      <Nothing />
    </Outside>
  ),
})

function Root() {
  useArrival()
  return (
    <>
      <Outlet />
      <SignInAgain />
    </>
  )
}

function Nothing() {
  return <Trouble error={new Problem(404, 'Not Found', undefined)} />
}

type Load = Parameters<typeof lazyRouteComponent>[0]

const searchOf =
  <L extends List>(list: L) =>
  (given: Record<string, unknown>) =>
    readSearch(list, given)

/** Loads the file of a screen on its first visit. */
function loading<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return () => load().catch(explainFailedLoad)
}

/** Everyone may open it, signed in or not. */
const open = <Path extends string>(path: Path, load: Load) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(loading(load)) })

/** Sends people without a session to the sign-in page, and from there back to the screen they wanted. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    // Many screens show what the service offers: fetched here, it does not arrive late and shift the layout.
    const waysIn = context.queries.prefetchQuery(waysInQuestion)
    const session = await context.queries.ensureQueryData(sessionQuestion)
    if (!isOffline(context.queries)) await waysIn
    if (!session)
      throw redirect({
        to: '/sign-in',
        search: { to: wayBack(location.href), ended: sessionEndedAt() ?? undefined },
      })
    followLanguage(session)
    return { session }
  },
})

const inside = <Path extends string>(path: Path, load: Load) =>
  createRoute({ getParentRoute: () => signedIn, path, component: lazyRouteComponent(loading(load)) })

/** Redirects to the team that was opened last. */
const start = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: ({ context: { session } }) => {
    const team = session.team_id ?? session.teams[0]?.id
    throw team === undefined
      ? redirect({ to: '/new-team' })
      : redirect({ to: '/teams/$team', params: { team: String(team) } })
  },
})

const team = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team',
  component: () => <Shell loadFirst={preloadOverview} />,
  errorComponent: ({ error }) => (
    <Outside>
      <Trouble error={error} />
    </Outside>
  ),
  notFoundComponent: Nothing,
})

const at = <Path extends string>(path: Path, load: Load) =>
  createRoute({ getParentRoute: () => team, path, component: lazyRouteComponent(loading(load)) })

const teamScreens = [
  createRoute({ getParentRoute: () => team, path: '/', component: Overview }),
  createRoute({
    getParentRoute: () => team,
    path: '/welcome',
    validateSearch: readWelcomeSearch,
    component: lazyRouteComponent(loading(() => import('./screens/welcome/welcome.tsx'))),
  }),
  createRoute({
    getParentRoute: () => team,
    path: '/monitors',
    validateSearch: searchOf(MONITOR_LIST),
    component: lazyRouteComponent(loading(() => import('./screens/monitors/monitors.tsx'))),
  }),
  createRoute({
    getParentRoute: () => team,
    path: '/monitors/new',
    validateSearch: readNewMonitorSearch,
    component: lazyRouteComponent(loading(() => import('./screens/monitors/monitor-new.tsx'))),
  }),
  at('/monitors/many', () => import('./screens/moving-in/add-many.tsx')),
  at('/monitors/import', () => import('./screens/moving-in/import.tsx')),
  at('/monitors/deleted', () => import('./screens/monitors/deleted-monitors.tsx')),
  createRoute({
    getParentRoute: () => team,
    path: '/monitors/$monitor',
    validateSearch: readReportSearch,
    component: lazyRouteComponent(loading(() => import('./screens/monitors/monitor.tsx'))),
  }),
  at('/monitors/$monitor/edit', () => import('./screens/monitors/monitor-edit.tsx')),
  createRoute({
    getParentRoute: () => team,
    path: '/servers',
    validateSearch: searchOf(SERVER_LIST),
    component: lazyRouteComponent(loading(() => import('./screens/servers/servers.tsx'))),
  }),
  at('/servers/new', () => import('./screens/servers/server-new.tsx')),
  createRoute({
    getParentRoute: () => team,
    path: '/servers/$server',
    validateSearch: readServerPageSearch,
    component: lazyRouteComponent(loading(() => import('./screens/servers/server.tsx'))),
  }),
  at('/servers/$server/edit', () => import('./screens/servers/server-edit.tsx')),
  createRoute({
    getParentRoute: () => team,
    path: '/sites',
    validateSearch: searchOf(SITE_LIST),
    component: lazyRouteComponent(loading(() => import('./screens/sites/sites.tsx'))),
  }),
  at('/sites/new', () => import('./screens/sites/site-new.tsx')),
  at('/sites/$site', () => import('./screens/sites/site.tsx')),
  at('/sites/$site/edit', () => import('./screens/sites/site-edit.tsx')),
  createRoute({
    getParentRoute: () => team,
    path: '/expiries',
    validateSearch: searchOf(EXPIRY_LIST),
    component: lazyRouteComponent(loading(() => import('./screens/sites/expiries.tsx'))),
  }),
  createRoute({
    getParentRoute: () => team,
    path: '/incidents',
    validateSearch: searchOf(INCIDENT_LIST),
    component: lazyRouteComponent(loading(() => import('./screens/incidents/incidents.tsx'))),
  }),
  at('/incidents/$incident', () => import('./screens/incidents/incident.tsx')),
  at('/incidents/servers/$incident', () => import('./screens/incidents/server-incident.tsx')),
  at('/incidents/sites/$incident', () => import('./screens/incidents/site-incident.tsx')),
  createRoute({
    getParentRoute: () => team,
    path: '/maintenance',
    validateSearch: readMaintenanceSearch,
    component: lazyRouteComponent(loading(() => import('./screens/maintenance/maintenance.tsx'))),
  }),
  createRoute({
    getParentRoute: () => team,
    path: '/maintenance/new',
    validateSearch: readNewWindowSearch,
    component: lazyRouteComponent(loading(() => import('./screens/maintenance/window-new.tsx'))),
  }),
  at('/maintenance/$window', () => import('./screens/maintenance/window.tsx')),
  at('/maintenance/$window/edit', () => import('./screens/maintenance/window-edit.tsx')),
  at('/on-call', () => import('./screens/on-call/on-call.tsx')),
  at('/on-call/policies/new', () => import('./screens/on-call/policy-new.tsx')),
  at('/on-call/policies/$policy', () => import('./screens/on-call/policy.tsx')),
  at('/on-call/policies/$policy/edit', () => import('./screens/on-call/policy-edit.tsx')),
  at('/on-call/drills/$drill', () => import('./screens/on-call/drill.tsx')),
  at('/on-call/schedules/new', () => import('./screens/on-call/schedule-new.tsx')),
  createRoute({
    getParentRoute: () => team,
    path: '/on-call/schedules/$schedule',
    validateSearch: readScheduleSearch,
    component: lazyRouteComponent(loading(() => import('./screens/on-call/schedule.tsx'))),
  }),
  at('/on-call/schedules/$schedule/edit', () => import('./screens/on-call/schedule-edit.tsx')),
  at('/reports', () => import('./screens/reports/reports.tsx')),
  createRoute({
    getParentRoute: () => team,
    path: '/reports/view',
    validateSearch: readTeamReportSearch,
    component: lazyRouteComponent(loading(() => import('./screens/reports/report.tsx'))),
  }),
  at('/status-pages', () => import('./screens/status-pages/status-pages.tsx')),
  at('/status-pages/new', () => import('./screens/status-pages/status-page-new.tsx')),
  at('/status-pages/$page', () => import('./screens/status-pages/status-page.tsx')),
  at('/status-pages/templates', () => import('./screens/status-pages/templates.tsx')),
  at('/status-pages/$page/posts', () => import('./screens/status-pages/posts.tsx')),
  createRoute({
    getParentRoute: () => team,
    path: '/status-pages/$page/posts/new',
    validateSearch: readNewPostSearch,
    component: lazyRouteComponent(loading(() => import('./screens/status-pages/post-new.tsx'))),
  }),
  at('/status-pages/$page/posts/$post', () => import('./screens/status-pages/post.tsx')),
  at('/status-pages/$page/subscribers', () => import('./screens/status-pages/subscribers.tsx')),
  at('/status-pages/$page/settings', () => import('./screens/status-pages/status-page-settings.tsx')),
  at('/contacts', () => import('./screens/alerting/contacts.tsx')),
  createRoute({
    getParentRoute: () => team,
    path: '/contacts/new',
    validateSearch: ({ type }: { type?: unknown }): { type?: string | undefined } =>
      typeof type === 'string' ? { type } : {},
    component: lazyRouteComponent(loading(() => import('./screens/alerting/contact-new.tsx'))),
  }),
  at('/contacts/$contact', () => import('./screens/alerting/contact.tsx')),
  createRoute({
    getParentRoute: () => team,
    path: '/deliveries',
    validateSearch: searchOf(DELIVERY_LIST),
    component: lazyRouteComponent(loading(() => import('./screens/alerting/deliveries.tsx'))),
  }),
  at('/settings', () => import('./screens/teams/settings.tsx')),
  at('/settings/members', () => import('./screens/teams/members.tsx')),
  at('/settings/api-tokens', () => import('./screens/teams/api-tokens.tsx')),
  createRoute({
    getParentRoute: () => team,
    path: '/settings/audit-log',
    validateSearch: searchOf(AUDIT_LIST),
    component: lazyRouteComponent(loading(() => import('./screens/teams/audit-log.tsx'))),
  }),
] as const

/** Outside the tree's list: the expected type of an entry would take the place of the types of its address. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  beforeLoad() {
    forgetSession()
    forgetLastSeen()
  },
  validateSearch: readSignInSearch,
  component: lazyRouteComponent(loading(() => import('./screens/sign-in/sign-in.tsx'))),
})

const routeTree = root.addChildren([
  signIn,
  open('/sign-up', () => import('./screens/sign-in/sign-up.tsx')),
  open('/forgotten-password', () => import('./screens/sign-in/forgotten-password.tsx')),
  open('/invitations', () => import('./screens/teams/invitation.tsx')),
  signedIn.addChildren([
    start,
    inside('/new-team', () => import('./screens/teams/new-team.tsx')),
    inside('/signed-in', () => import('./screens/sign-in/signed-in.tsx')),
    inside('/account', () => import('./screens/accounts/account.tsx')),
    inside('/accounts', () => import('./screens/accounts/accounts.tsx')),
    inside('/service-settings', () => import('./screens/accounts/service-settings.tsx')),
    // It stands outside the frame of the team's other screens.
    inside('/teams/$team/wallboard', () => import('./screens/overview/wallboard.tsx')),
    team.addChildren([...teamScreens]),
  ]),
])

export function createDashboardRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: ({ error }) => <Trouble error={error} />,
  })
}
