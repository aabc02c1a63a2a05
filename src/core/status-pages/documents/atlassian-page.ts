import type { ComponentState } from '../component-state.ts'
import type { PageComponent, PageGroup, PageModel } from '../page-model.ts'
import { atlassianId } from './atlassian-ids.ts'

/** Statuspage has no word for a component of which nothing is known; the description of the page says so. */
export const ATLASSIAN_STATES = {
  operational: 'operational',
  unknown: 'operational',
  maintenance: 'under_maintenance',
  degraded: 'degraded_performance',
  partial_outage: 'partial_outage',
  major_outage: 'major_outage',
} as const satisfies Record<ComponentState, string>

/**
 * The indicator is one of the four documented ones, so that a reader that knows no other does not refuse the page under
 * maintenance. Descriptions are Statuspage's own, always in English: readers look for words in them.
 */
const STATUSES = {
  operational: { indicator: 'none', description: 'All Systems Operational' },
  unknown: { indicator: 'none', description: 'Status Partly Unknown' },
  maintenance: { indicator: 'none', description: 'Service Under Maintenance' },
  degraded: { indicator: 'minor', description: 'Partially Degraded Service' },
  partial_outage: { indicator: 'major', description: 'Partial System Outage' },
  major_outage: { indicator: 'critical', description: 'Major Service Outage' },
} as const satisfies Record<ComponentState, object>

export function statusOf(state: ComponentState) {
  return STATUSES[state]
}

export function pageOf({ id, settings, url, updatedAt }: PageModel) {
  return {
    id: atlassianId.page(id),
    name: settings.name,
    url,
    time_zone: 'Etc/UTC',
    updated_at: updatedAt.toISOString(),
  }
}

export type AtlassianComponent = ReturnType<typeof componentOf> | ReturnType<typeof groupOf>

/** From top to bottom, a group before its components. Positions count within a group. */
export function componentsOf(model: PageModel): AtlassianComponent[] {
  return model.items.flatMap((item, index): AtlassianComponent[] => {
    if ('component' in item) return [componentOf(model, item.component, index + 1, null)]
    const members = item.group.components.map((component, place) =>
      componentOf(model, component, place + 1, atlassianId.group(item.group.id)),
    )
    return [groupOf(model, item.group, index + 1), ...members]
  })
}

function componentOf(model: PageModel, component: PageComponent, position: number, groupId: string | null) {
  const { id, name, description, state, createdAt, updatedAt, history } = component
  return {
    id: atlassianId.component(id),
    name,
    status: ATLASSIAN_STATES[state],
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    position,
    description: description === '' ? null : description,
    showcase: history !== null,
    start_date: createdAt.toISOString().slice(0, 10),
    group_id: groupId,
    page_id: atlassianId.page(model.id),
    group: false as const,
    only_show_if_degraded: false,
  }
}

function groupOf(model: PageModel, group: PageGroup, position: number) {
  const { id, name, state, createdAt, components } = group
  const updated = Math.max(createdAt.getTime(), ...components.map(({ updatedAt }) => updatedAt.getTime()))
  return {
    id: atlassianId.group(id),
    name,
    status: ATLASSIAN_STATES[state],
    created_at: createdAt.toISOString(),
    updated_at: new Date(updated).toISOString(),
    position,
    description: null,
    showcase: false,
    start_date: null,
    group_id: null,
    page_id: atlassianId.page(model.id),
    group: true as const,
    only_show_if_degraded: false,
    components: components.map((component) => atlassianId.component(component.id)),
  }
}
