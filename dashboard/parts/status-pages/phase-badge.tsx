import { CircleCheck, CircleMinus, type LucideIcon, OctagonX, TriangleAlert, Wrench } from 'lucide-react'
import type { ComponentState } from '../../../src/core/status-pages/component-state.ts'
import { toneOfPost } from '../../../src/core/status-pages/post-tone.ts'
import type { StatusPostRow } from '../../../src/core/status-pages/shown-post.ts'
import { PHASE_WORDS } from './post-words.ts'

/** The shapes and colors are those of the page. */
const LOOKS: Record<ComponentState, { icon: LucideIcon; look: string }> = {
  operational: { icon: CircleCheck, look: 'text-up' },
  unknown: { icon: CircleMinus, look: 'text-soft' },
  maintenance: { icon: Wrench, look: 'text-maintenance' },
  degraded: { icon: CircleMinus, look: 'text-degraded' },
  partial_outage: { icon: TriangleAlert, look: 'text-degraded' },
  major_outage: { icon: OctagonX, look: 'text-down' },
}

/** The phase of a post, never green while it is open. */
export function PhaseBadge({ post }: { post: Pick<StatusPostRow, 'kind' | 'phase' | 'impact'> }) {
  const tone = toneOfPost(post)
  const { icon: Icon, look } = LOOKS[tone]
  return (
    <span
      data-tone={tone}
      className={`inline-flex items-center gap-1 rounded border border-current px-1.5 text-sm font-medium whitespace-nowrap ${look}`}
    >
      <Icon aria-hidden size={14} />
      {PHASE_WORDS[post.phase]}
    </span>
  )
}
