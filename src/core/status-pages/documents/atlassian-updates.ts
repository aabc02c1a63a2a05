import type { ComponentState } from '../component-state.ts'
import type { PageModel, PagePostUpdate } from '../page-model.ts'
import { atlassianId } from './atlassian-ids.ts'
import { ATLASSIAN_STATES } from './atlassian-page.ts'
import type { Room } from './room.ts'

type UpdateText = Pick<PagePostUpdate, 'phase' | 'body' | 'at' | 'createdAt' | 'impacts'> & { id: string }

/** `before`: the impacts of the update before it. A component no longer among them is as its monitor says. */
export function updateOf(
  { page, room }: { page: PageModel; room: Room },
  incidentId: string,
  { id, phase, body, at, createdAt, impacts }: UpdateText,
  before: PagePostUpdate['impacts'],
) {
  const affected = room.listOf(changesOf(impacts, before))
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
        : affected.map(({ componentId, name, from, to }) => ({
            code: atlassianId.component(componentId),
            name,
            old_status: ATLASSIAN_STATES[from],
            new_status: ATLASSIAN_STATES[to],
          })),
    deliver_notifications: page.settings.allows_subscribers,
    custom_tweet: null,
    tweet_id: null,
  }
}

type Change = { componentId: number; name: string; from: ComponentState; to: ComponentState }

function changesOf(impacts: PagePostUpdate['impacts'], before: PagePostUpdate['impacts']): Change[] {
  const old = new Map(before.map(({ componentId, state }) => [componentId, state]))
  const own = new Set(impacts.map(({ componentId }) => componentId))
  const ended = before.filter(({ componentId }) => !own.has(componentId))
  return [
    ...impacts.map(({ componentId, name, state }) => ({
      componentId,
      name,
      from: old.get(componentId) ?? ('operational' as const),
      to: state,
    })),
    ...ended.map(({ componentId, name, state }) => ({
      componentId,
      name,
      from: state,
      to: 'operational' as const,
    })),
  ]
}
