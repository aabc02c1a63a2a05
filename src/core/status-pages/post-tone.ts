import { type ComponentState, worstState } from './component-state.ts'
import type { PageItem } from './page-model.ts'
import { isOver, type PostKind, type PostPhase } from './post.ts'

/** A post as far as its color and shape depend on it. `impact`: the worst that it said about a component. */
type ToldPost = { kind: PostKind; phase: PostPhase; impact: ComponentState }

/**
 * The state whose color and shape the badge of a post has; its word is the phase. An open incident is never green, whatever
 * it says of components: its readers would take a tick for "all is well". One that is over is.
 */
export function toneOfPost({ kind, phase, impact }: ToldPost): ComponentState {
  if (isOver(phase)) return 'operational'
  if (phase === 'scheduled') return 'maintenance'
  return worstState([impact, leastOf(kind)])
}

/**
 * The state of a whole page: the worst of its components, and at least what its open posts mean. Planned maintenance counts
 * from its beginning.
 */
export function pageState(
  components: Iterable<ComponentState>,
  active: readonly Pick<ToldPost, 'kind' | 'phase'>[],
): ComponentState {
  const posts = active.filter(({ phase }) => phase !== 'scheduled' && !isOver(phase))
  return worstState([...components, ...posts.map(({ kind }) => leastOf(kind))])
}

/** The head line of a page; `incident`: a post tells of one, and no component says that it is affected. */
export type PageHead = ComponentState | 'incident'

export function headOfPage({
  state,
  items,
}: {
  state: ComponentState
  items: readonly PageItem[]
}): PageHead {
  if (state !== 'degraded') return state
  const isSaid = items.some((item) => ('group' in item ? item.group : item.component).state === state)
  return isSaid ? state : 'incident'
}

function leastOf(kind: PostKind): ComponentState {
  return kind === 'incident' ? 'degraded' : 'maintenance'
}
