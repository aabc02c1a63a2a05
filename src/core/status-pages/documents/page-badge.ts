import { AMBER, type Badge, GREEN, GREY, RED, VIOLET } from '../../monitors/badge.ts'
import type { ComponentState } from '../component-state.ts'
import type { PageModel } from '../page-model.ts'
import { headOfPage } from '../post-tone.ts'
import { PAGE_WORDS } from '../words/words.ts'
import { languageOf } from './feed.ts'

/** White text is readable on it, too. */
const ORANGE = '#bc4c00'

const STATE_COLORS = {
  operational: GREEN,
  unknown: GREY,
  maintenance: VIOLET,
  degraded: AMBER,
  partial_outage: ORANGE,
  major_outage: RED,
} as const satisfies Record<ComponentState, string>

/** The state of the page as a badge. */
export function pageBadge(model: PageModel): Badge {
  const { state } = model
  const head = headOfPage(model)
  const { states, heads } = PAGE_WORDS[languageOf(model)]
  return {
    label: 'status',
    message: head === 'incident' ? heads.incident : states[head],
    color: STATE_COLORS[state],
  }
}
