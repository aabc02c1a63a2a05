import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { useArrival } from './app/arrival.ts'
import { explainFailedLoad } from './app/not-loaded.tsx'
import { Outside } from './app/outside.tsx'
import { Shell } from './app/shell.tsx'
import { Trouble } from './app/trouble.tsx'
import { waysInQuestion } from './data/account.ts'
import { readDeliverySearch } from './data/delivery-search.ts'
import { readIncidentSearch, readReportSearch } from './data/history-search.ts'
import { readMonitorSearch } from './data/monitor-search.ts'
import { Problem } from './data/problem.ts'
import { sessionQuestion } from './data/session.ts'
import { wayBack } from './data/way-back.ts'
import { Overview } from './screens/overview.tsx'

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
  return <Outlet />
}

function Nothing() {
  return <Trouble error={new Problem(404, 'Not Found', undefined)} />
}

type Load = Parameters<typeof lazyRouteComponent>[0]

/** Loads the file of a screen when it is first wanted. */
function loading<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return () => load().catch(explainFailedLoad)
}

/** For anybody. */
const open = <Path extends string>(path: Path, load: Load) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(loading(load)) })

/** Whoever is not signed in is asked to, and comes back to where they wanted to go. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const [session] = await Promise.all([
      context.queries.ensureQueryData(sessionQuestion),
      // Many screens say what the service offers: asked here, it does not come late and push what is there.
      context.queries.prefetchQuery(waysInQuestion),
    ])
    if (!session) throw redirect({ to: '/sign-in', search: { to: wayBack(location.href) } })
    return { session }
  },
})

const inside = <Path extends string>(path: Path, load: Load) =>
  createRoute({ getParentRoute: () => signedIn, path, component: lazyRouteComponent(loading(load)) })

/** To the team that was looked at last. */
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
  component: Shell,
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
  at('/welcome', () => import('./screens/welcome.tsx')),
  createRoute({
    getParentRoute: () => team,
    path: '/monitors',
    validateSearch: readMonitorSearch,
    component: lazyRouteComponent(loading(() => import('./screens/monitors.tsx'))),
  }),
  at('/monitors/new', () => import('./screens/monitor-new.tsx')),
  at('/monitors/deleted', () => import('./screens/deleted-monitors.tsx')),
  createRoute({
    getParentRoute: () => team,
    path: '/monitors/$monitor',
    validateSearch: readReportSearch,
    component: lazyRouteComponent(loading(() => import('./screens/monitor.tsx'))),
  }),
  at('/monitors/$monitor/edit', () => import('./screens/monitor-edit.tsx')),
  createRoute({
    getParentRoute: () => team,
    path: '/incidents',
    validateSearch: readIncidentSearch,
    component: lazyRouteComponent(loading(() => import('./screens/incidents.tsx'))),
  }),
  at('/incidents/$incident', () => import('./screens/incident.tsx')),
  at('/contacts', () => import('./screens/contacts.tsx')),
  at('/contacts/new', () => import('./screens/contact-new.tsx')),
  at('/contacts/$contact', () => import('./screens/contact.tsx')),
  createRoute({
    getParentRoute: () => team,
    path: '/deliveries',
    validateSearch: readDeliverySearch,
    component: lazyRouteComponent(loading(() => import('./screens/deliveries.tsx'))),
  }),
  at('/settings', () => import('./screens/settings.tsx')),
  at('/settings/members', () => import('./screens/members.tsx')),
  at('/settings/api-tokens', () => import('./screens/api-tokens.tsx')),
  at('/settings/audit-log', () => import('./screens/audit-log.tsx')),
] as const

/** Outside the tree's list: the expected type of an entry would take the place of the types of its address. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ to }: { to?: unknown }): { to?: string | undefined } => ({
    to: typeof to === 'string' ? wayBack(to) : undefined,
  }),
  component: lazyRouteComponent(loading(() => import('./screens/sign-in.tsx'))),
})

const routeTree = root.addChildren([
  signIn,
  open('/sign-up', () => import('./screens/sign-up.tsx')),
  open('/forgotten-password', () => import('./screens/forgotten-password.tsx')),
  open('/invitations', () => import('./screens/invitation.tsx')),
  signedIn.addChildren([
    start,
    inside('/new-team', () => import('./screens/new-team.tsx')),
    inside('/account', () => import('./screens/account.tsx')),
    inside('/accounts', () => import('./screens/accounts.tsx')),
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
