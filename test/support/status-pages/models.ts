import { DAY_MS } from '../../../src/core/history/history-span.ts'
import { type StateTimes, uptimeOf } from '../../../src/core/history/uptime.ts'
import { worstState } from '../../../src/core/status-pages/component-state.ts'
import type {
  ComponentHistory,
  PageComponent,
  PageGroup,
  PageItem,
  PageModel,
  PagePost,
  PagePostUpdate,
  PlannedMaintenance,
} from '../../../src/core/status-pages/page-model.ts'
import { pageState } from '../../../src/core/status-pages/post-tone.ts'

/** A quiet afternoon; every time of the samples is told from it. */
export const AS_OF = new Date('2026-11-22T14:02:00Z')
const TODAY_MS = Date.UTC(2026, 10, 22)
const HOUR_MS = 3_600_000

/** The time this many hours before (or, below zero, after) the samples' present. */
export function hoursAgo(hours: number): Date {
  return new Date(AS_OF.getTime() - hours * HOUR_MS)
}

const LONG_AGO = hoursAgo(24 * 400)

/** A public page with one component that is well, where nothing else is said. */
export function samplePage(own: Partial<PageModel> = {}): PageModel {
  const items = own.items ?? [{ component: sampleComponent() }]
  return {
    id: 7,
    settings: sampleSettings(),
    url: 'https://upbeat.example.com/status/acme',
    logoTag: null,
    createdAt: LONG_AGO,
    updatedAt: hoursAgo(3),
    asOf: AS_OF,
    state: pageState(items.map(stateOfItem), own.active ?? []),
    active: [],
    planned: [],
    recent: [],
    ...own,
    items,
  }
}

export function sampleSettings(own: Partial<PageModel['settings']> = {}): PageModel['settings'] {
  return {
    name: 'Acme',
    slug: 'acme',
    description: 'How the services of Acme are doing.',
    visibility: 'public',
    language: 'auto',
    theme: 'auto',
    accent_color: null,
    home_url: 'https://acme.example.com',
    support_url: 'https://acme.example.com/help',
    days: 90,
    allows_subscribers: true,
    ...own,
  }
}

export function sampleComponent(own: Partial<PageComponent> = {}): PageComponent {
  return {
    id: 1,
    name: 'API',
    description: '',
    state: 'operational',
    createdAt: LONG_AGO,
    updatedAt: hoursAgo(3),
    history: sampleHistory(),
    chart: null,
    ...own,
  }
}

export function sampleGroup(own: Partial<PageGroup> & Pick<PageGroup, 'components'>): PageGroup {
  return {
    id: 1,
    name: 'Website',
    isOpen: true,
    state: worstState(own.components.map(({ state }) => state)),
    createdAt: LONG_AGO,
    ...own,
  }
}

/** Up all the time but for what is told of a day, by how many days ago it was; `null`: the monitor did not exist. */
export function sampleHistory(
  told: Record<number, Partial<StateTimes> | null> = {},
  days = 90,
): ComponentHistory {
  const counted = Array.from({ length: days }, (_, index) => {
    const ago = days - 1 - index
    const day = new Date(TODAY_MS - ago * DAY_MS)
    const own = told[ago]
    return { day, times: own === null ? null : dayTimes(own ?? {}, ago === 0 ? 14 * HOUR_MS : DAY_MS) }
  })
  const sum: StateTimes = { upMs: 0, degradedMs: 0, downMs: 0, maintenanceMs: 0, unknownMs: 0 }
  for (const { times } of counted) {
    for (const key of Object.keys(sum) as (keyof StateTimes)[]) sum[key] += times?.[key] ?? 0
  }
  return {
    days: counted,
    uptime: uptimeOf(sum),
    maintenanceMs: sum.maintenanceMs,
    unknownMs: sum.unknownMs,
  }
}

function dayTimes(own: Partial<StateTimes>, lengthMs: number): StateTimes {
  const { degradedMs = 0, downMs = 0, maintenanceMs = 0, unknownMs = 0 } = own
  const upMs = Math.max(0, lengthMs - degradedMs - downMs - maintenanceMs - unknownMs)
  return { upMs, degradedMs, downMs, maintenanceMs, unknownMs }
}

export function samplePost(own: Partial<PagePost> = {}): PagePost {
  const updates = own.updates ?? [sampleUpdate()]
  return {
    id: 41,
    kind: 'incident',
    title: 'Errors in the API',
    phase: updates[0]?.phase ?? 'investigating',
    impact: 'partial_outage',
    startedAt: updates.at(-1)?.at ?? hoursAgo(1),
    resolvedAt: null,
    scheduledFor: null,
    scheduledUntil: null,
    createdAt: hoursAgo(1),
    updatedAt: updates[0]?.at ?? hoursAgo(1),
    components: [{ id: 1, name: 'API', state: 'partial_outage' }],
    ...own,
    updates,
  }
}

export function sampleUpdate(own: Partial<PagePostUpdate> = {}): PagePostUpdate {
  const at = own.at ?? hoursAgo(1)
  return {
    id: 501,
    phase: 'investigating',
    body: 'Some requests fail with **503**. We are looking into it.',
    at,
    createdAt: at,
    impacts: [{ componentId: 1, name: 'API', state: 'partial_outage' }],
    ...own,
  }
}

export function samplePlanned(own: Partial<PlannedMaintenance> = {}): PlannedMaintenance {
  return {
    postId: null,
    key: 'window-3-20261124T020000Z',
    title: 'Router upgrade',
    note: 'Short interruptions are possible.',
    startsAt: hoursAgo(-36),
    endsAt: hoursAgo(-38),
    isRunning: false,
    components: [{ id: 1, name: 'API' }],
    ...own,
  }
}

function stateOfItem(item: PageItem) {
  return 'group' in item ? item.group.state : item.component.state
}
