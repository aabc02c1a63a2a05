import type { ComponentState } from '../component-state.ts'
import type { PageModel, PagePost, PagePostUpdate, PlannedMaintenance } from '../page-model.ts'
import type { PostPhase } from '../post.ts'
import { atlassianId } from './atlassian-ids.ts'
import { ATLASSIAN_STATES, type AtlassianComponent } from './atlassian-page.ts'

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

type Known = { page: PageModel; components: ReadonlyMap<string, AtlassianComponent> }

/** Incidents and maintenance, newest first. An occurrence of a window is a maintenance without a post. */
export function postsIn(
  page: PageModel,
  components: readonly AtlassianComponent[],
): { incidents: AtlassianPost[]; maintenances: Maintenance[] } {
  const known: Known = { page, components: new Map(components.map((one) => [one.id, one])) }
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

function postOf({ page, components }: Known, post: PagePost) {
  const id = atlassianId.post(post.id)
  const named = new Set([
    ...post.components.map((component) => component.id),
    ...post.updates.flatMap(({ impacts }) => impacts.map(({ componentId }) => componentId)),
  ])
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
    incident_updates: post.updates.map((update, index) =>
      updateOf(
        page,
        id,
        { ...update, id: atlassianId.update(update.id) },
        post.updates[index + 1]?.impacts ?? [],
      ),
    ),
    components: [...named].flatMap((component) => components.get(atlassianId.component(component)) ?? []),
  }
}

type UpdateText = Pick<PagePostUpdate, 'phase' | 'body' | 'at' | 'createdAt' | 'impacts'> & { id: string }

/** `before`: the impacts of the update before it. What is no longer among them is as its monitor says. */
function updateOf(
  { settings }: PageModel,
  incidentId: string,
  { id, phase, body, at, createdAt, impacts }: UpdateText,
  before: PagePostUpdate['impacts'],
) {
  const old = new Map(before.map((impact) => [impact.componentId, impact.state]))
  const ended = before.filter(({ componentId }) => !impacts.some((own) => own.componentId === componentId))
  const affected = [...impacts, ...ended.map((impact) => ({ ...impact, state: 'operational' as const }))]
  return {
    id,
    status: phase,
    body,
    incident_id: incidentId,
    created_at: createdAt.toISOString(),
    updated_at: createdAt.toISOString(),
    display_at: at.toISOString(),
    affected_components:
      affected.length === 0
        ? null
        : affected.map(({ componentId, name, state }) => ({
            code: atlassianId.component(componentId),
            name,
            old_status: ATLASSIAN_STATES[old.get(componentId) ?? 'operational'],
            new_status: ATLASSIAN_STATES[state],
          })),
    deliver_notifications: settings.allows_subscribers,
    custom_tweet: null,
    tweet_id: null,
  }
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
function plannedOf({ page, components }: Known, planned: PlannedMaintenance): Maintenance {
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
      updateOf(page, id, { id: `${key}-${phase}`, phase, body: note, at: changedAt, createdAt, impacts }, []),
    ],
    components: planned.components.flatMap(
      (component) => components.get(atlassianId.component(component.id)) ?? [],
    ),
    scheduled_for: startsAt.toISOString(),
    scheduled_until: endsAt.toISOString(),
  }
}

/** Work that does as planned is `maintenance`; a planned outage says how bad it is. */
function impactOf({ kind, impact }: PagePost): (typeof IMPACTS)[ComponentState] | 'maintenance' {
  return kind === 'maintenance' && IMPACTS[impact] === 'none' ? 'maintenance' : IMPACTS[impact]
}

function isoOf(at: Date | null | undefined): string | null {
  return at?.toISOString() ?? null
}
