import { COMPONENT_STATES } from '../../../src/core/status-pages/component-state.ts'
import type { PageModel, PagePost } from '../../../src/core/status-pages/page-model.ts'
import { IncidentPhase, MaintenancePhase } from '../../../src/core/status-pages/post.ts'
import { hoursAgo, samplePage, samplePlanned, samplePost, sampleUpdate } from './models.ts'
import { largePage, troubledPage } from './pages.ts'

/** Pages of every kind, by name: every form of a page is tried on each. */
export const ALL_PAGES: Record<string, PageModel> = {
  quiet: samplePage(),
  empty: samplePage({ items: [] }),
  troubled: troubledPage(),
  large: largePage(50),
  eventful: eventfulPage(),
  ...Object.fromEntries(COMPONENT_STATES.map((state) => [state, samplePage({ state })])),
}

/** A post of each kind, phase and impact, more of them than any document tells of. */
export function eventfulPage(own: Partial<PageModel> = {}): PageModel {
  const posts = [
    ...IncidentPhase.options.flatMap((phase) =>
      COMPONENT_STATES.map((impact) => ({ kind: 'incident' as const, phase, impact })),
    ),
    ...MaintenancePhase.options.flatMap((phase) =>
      COMPONENT_STATES.map((impact) => ({ kind: 'maintenance' as const, phase, impact })),
    ),
    ...Array.from({ length: 60 }, () => ({
      kind: 'incident' as const,
      phase: 'resolved' as const,
      impact: 'degraded' as const,
    })),
  ].map((post, index) => eventfulPost(post, index))
  const isActive = ({ resolvedAt }: PagePost) => resolvedAt === null
  return samplePage({
    active: posts.filter(isActive),
    recent: posts.filter((post) => !isActive(post)),
    planned: [
      samplePlanned({ isRunning: true, key: 'window-4-20261122T130000Z', startsAt: hoursAgo(1) }),
      samplePlanned(),
    ],
    ...own,
  })
}

function eventfulPost(own: Pick<PagePost, 'kind' | 'phase' | 'impact'>, index: number): PagePost {
  const at = hoursAgo(index + 1)
  const isOver = ['resolved', 'postmortem', 'completed'].includes(own.phase)
  const isPlanned = own.kind === 'maintenance'
  return samplePost({
    ...own,
    id: 1_000 - index,
    startedAt: at,
    createdAt: at,
    resolvedAt: isOver ? at : null,
    scheduledFor: isPlanned ? hoursAgo(index) : null,
    scheduledUntil: isPlanned ? hoursAgo(index - 1) : null,
    updates: [sampleUpdate({ id: 9_000 - index, phase: own.phase, at })],
  })
}
