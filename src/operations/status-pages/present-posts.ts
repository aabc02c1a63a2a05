import { type ComponentState, worstState } from '../../core/status-pages/component-state.ts'
import type { PagePost, PagePostUpdate } from '../../core/status-pages/page-model.ts'
import type { PublishedPost, PublishedUpdate } from '../../store/status-pages/published-posts.ts'

/** Names of the components on a page, by id. Others were removed since a post named them, and are left out of it. */
export type ComponentNames = ReadonlyMap<number, string>

export function presentPost(post: PublishedPost, names: ComponentNames): PagePost {
  const { updates, publishedAt, windowId, occurrenceAt, ...rest } = post
  const shown = updates.map((update) => presentUpdate(update, names))
  const latest = new Map(shown.at(-1)?.impacts.map(({ componentId, state }) => [componentId, state]))
  const named = new Map(
    shown.flatMap(({ impacts }) => impacts.map((impact) => [impact.componentId, impact.name])),
  )
  return {
    ...rest,
    impact: worstState(updates.flatMap(({ impacts }) => impacts.map(({ state }) => state))),
    createdAt: publishedAt,
    updates: shown.reverse(),
    components: [...named].map(([id, name]) => ({ id, name, state: latest.get(id) ?? 'operational' })),
  }
}

function presentUpdate({ impacts, ...update }: PublishedUpdate, names: ComponentNames): PagePostUpdate {
  return {
    ...update,
    impacts: impacts.flatMap(({ component_id: componentId, state }) => {
      const name = names.get(componentId)
      return name === undefined ? [] : [{ componentId, name, state: state satisfies ComponentState }]
    }),
  }
}
