import { type ComponentState, worstState } from '../component-state.ts'
import type { PageModel, PagePost, PlannedMaintenance } from '../page-model.ts'
import type { PostPhase } from '../post.ts'
import { atlassianId } from './atlassian-ids.ts'
import type { AtlassianComponent } from './atlassian-page.ts'
import { updateOf } from './atlassian-updates.ts'
import { createRoom, type Room } from './room.ts'

/** Statuspage tells of so many. */
export const MAX_POSTS = 50

const IMPACTS = {
  operational: 'none',
  unknown: 'none',
  maintenance: 'none',
  degraded: 'minor',
  partial_outage: 'major',
  major_outage: 'critical',
} as const satisfies Record<ComponentState, string>

export type AtlassianPost = ReturnType<typeof postOf>
type Maintenance = AtlassianPost & { scheduled_for: string; scheduled_until: string }

type Known = { page: PageModel; components: ReadonlyMap<string, AtlassianComponent>; room: Room }

/** Incidents and maintenance, newest first. An occurrence of a window is a maintenance without a post. */
export function postsIn(
  page: PageModel,
  components: readonly AtlassianComponent[],
): { incidents: AtlassianPost[]; maintenances: Maintenance[] } {
  const known: Known = {
    page,
    components: new Map(components.map((one) => [one.id, one])),
    room: createRoom(),
  }
  const posts = [...page.active, ...page.recent]
  const running = new Set(page.planned.filter(({ isRunning }) => isRunning).map(({ postId }) => postId))
  const told = new Set(posts.map(({ id }) => id))
  return {
    incidents: posts
      .filter(({ kind }) => kind === 'incident')
      .map((post) => postOf(known, post))
      .sort((one, other) => newestFirst(one.started_at, other.started_at)),
    maintenances: [
      ...posts
        .filter(({ kind }) => kind === 'maintenance')
        .map((post) => maintenanceOf(known, post, running.has(post.id))),
      ...page.planned
        .filter(({ postId }) => postId === null || !told.has(postId))
        .map((planned) => plannedOf(known, planned)),
    ].sort((one, other) => newestFirst(one.scheduled_for, other.scheduled_for)),
  }
}

function newestFirst(one: string, other: string): number {
  return one < other ? 1 : one > other ? -1 : 0
}

function postOf(known: Known, post: PagePost) {
  const { page, room } = known
  const id = atlassianId.post(post.id)
  const named = new Set([
    ...post.components.map((component) => component.id),
    ...post.updates.flatMap(({ impacts }) => impacts.map(({ componentId }) => componentId)),
  ])
  const components = namedIn(known, named)
  return {
    id,
    name: post.title,
    status: post.phase,
    impact: impactOf(post),
    created_at: post.createdAt.toISOString(),
    updated_at: post.updatedAt.toISOString(),
    started_at: post.startedAt.toISOString(),
    monitoring_at: isoOf(post.updates.findLast(({ phase }) => phase === 'monitoring')?.at),
    resolved_at: isoOf(post.resolvedAt),
    shortlink: `${page.url}/posts/${post.id}`,
    page_id: atlassianId.page(page.id),
    reminder_intervals: null,
    incident_updates: post.updates
      // The newest one is told in any case: a post has one at least.
      .map((update, index) => ({
        update,
        before: post.updates[index + 1]?.impacts ?? [],
        isNewest: index === 0,
      }))
      .filter(({ update, isNewest }) => room.takesText(update.body) || isNewest)
      .map(({ update, before }) =>
        updateOf(known, id, { ...update, id: atlassianId.update(update.id) }, before),
      ),
    components,
  }
}

function namedIn({ components, room }: Known, ids: Iterable<number>): AtlassianComponent[] {
  return [...room.listOf([...ids])].flatMap((id) => components.get(atlassianId.component(id)) ?? [])
}

function maintenanceOf(known: Known, post: PagePost, isRunning: boolean): Maintenance {
  const scheduledFor = post.scheduledFor ?? post.startedAt
  return {
    ...postOf(known, post),
    status: isRunning && post.phase === 'scheduled' ? 'in_progress' : post.phase,
    started_at: scheduledFor.toISOString(),
    scheduled_for: scheduledFor.toISOString(),
    scheduled_until: (post.scheduledUntil ?? post.resolvedAt ?? scheduledFor).toISOString(),
  }
}

/** A window has no updates: its note is the one. Its times of change are the page's, which stay as they are. */
function plannedOf(known: Known, planned: PlannedMaintenance): Maintenance {
  const { page } = known
  const { postId, key, title, note, startsAt, endsAt, isRunning } = planned
  const id = postId === null ? key : atlassianId.post(postId)
  const phase: PostPhase = isRunning ? 'in_progress' : 'scheduled'
  const createdAt = page.createdAt
  const changedAt = isRunning ? startsAt : createdAt
  const impacts = planned.components.map((component) => ({
    componentId: component.id,
    name: component.name,
    state: isRunning ? ('maintenance' as const) : ('operational' as const),
  }))
  return {
    id,
    name: title,
    status: phase,
    impact: 'maintenance',
    created_at: createdAt.toISOString(),
    updated_at: changedAt.toISOString(),
    started_at: startsAt.toISOString(),
    monitoring_at: null,
    resolved_at: null,
    shortlink: postId === null ? page.url : `${page.url}/posts/${postId}`,
    page_id: atlassianId.page(page.id),
    reminder_intervals: null,
    incident_updates: [
      updateOf(
        known,
        id,
        { id: `${key}-${phase}`, phase, body: note, at: changedAt, createdAt, impacts },
        [],
      ),
    ],
    components: namedIn(
      known,
      planned.components.map((component) => component.id),
    ),
    scheduled_for: startsAt.toISOString(),
    scheduled_until: endsAt.toISOString(),
  }
}

/**
 * Work that does as planned is `maintenance`; a planned outage says how bad it is. An incident is at least `minor`, though it
 * names no component: readers color it by its impact, and `none` is the color of a page that is well.
 */
function impactOf({ kind, impact }: PagePost): (typeof IMPACTS)[ComponentState] | 'maintenance' {
  if (kind === 'incident') return IMPACTS[worstState([impact, 'degraded'])]
  return IMPACTS[impact] === 'none' ? 'maintenance' : IMPACTS[impact]
}

function isoOf(at: Date | null | undefined): string | null {
  return at?.toISOString() ?? null
}
