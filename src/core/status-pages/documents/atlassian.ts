import type { PageModel } from '../page-model.ts'
import { isOver } from '../post.ts'
import { componentsOf, pageOf, statusOf } from './atlassian-page.ts'
import { type AtlassianPost, MAX_POSTS, postsIn } from './atlassian-posts.ts'

/** The documents of Atlassian Statuspage's status API, below the page. */
export const ATLASSIAN_PATHS = [
  'api/v2/summary.json',
  'api/v2/status.json',
  'api/v2/components.json',
  'api/v2/incidents.json',
  'api/v2/incidents/unresolved.json',
  'api/v2/scheduled-maintenances.json',
  'api/v2/scheduled-maintenances/upcoming.json',
  'api/v2/scheduled-maintenances/active.json',
] as const
export type AtlassianPath = (typeof ATLASSIAN_PATHS)[number]

/** All of them: programs written for Statuspage read them when they are given this page's address. */
export function atlassianDocuments(model: PageModel): Record<AtlassianPath, object> {
  const page = pageOf(model)
  const status = statusOf(model.state)
  const components = componentsOf(model)
  const { incidents, maintenances } = postsIn(model, components)
  const unresolved = incidents.filter(isOpen)
  const coming = maintenances.filter(isOpen)
  return {
    'api/v2/summary.json': {
      page,
      components,
      incidents: unresolved,
      scheduled_maintenances: coming,
      status,
    },
    'api/v2/status.json': { page, status },
    'api/v2/components.json': { page, components },
    'api/v2/incidents.json': { page, incidents: newest(incidents) },
    'api/v2/incidents/unresolved.json': { page, incidents: unresolved },
    'api/v2/scheduled-maintenances.json': { page, scheduled_maintenances: newest(maintenances) },
    'api/v2/scheduled-maintenances/upcoming.json': {
      page,
      scheduled_maintenances: coming.filter(({ status }) => status === 'scheduled'),
    },
    'api/v2/scheduled-maintenances/active.json': {
      page,
      scheduled_maintenances: coming.filter(({ status }) => status !== 'scheduled'),
    },
  }
}

function isOpen({ status }: AtlassianPost): boolean {
  return !isOver(status)
}

/** All that are not over, and of the others as many as fit. */
function newest<P extends AtlassianPost>(posts: readonly P[]): P[] {
  let room = MAX_POSTS - posts.filter(isOpen).length
  return posts.filter((post) => isOpen(post) || room-- > 0)
}
