import { raw } from 'hono/html'
import { COMPONENT_STATES, type ComponentState } from '../../core/status-pages/component-state.ts'

/** One shape a state, on a square of 24: they differ without color, too. */
export const STATE_SHAPES: Record<ComponentState, string> = {
  // A disc with a tick.
  operational:
    '<path fill-rule="evenodd" d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm-1.3 14.7-4.4-4.4 1.7-1.7 2.7 2.7 5.4-5.5 1.7 1.7z"/>',
  // A broken ring.
  unknown: '<circle cx="12" cy="12" r="8.5" fill="none" stroke-width="3" stroke-dasharray="5 3.9"/>',
  // A wrench.
  maintenance:
    '<path d="M14.7 6.3a1 1 0 0 0 0 1.4l1.6 1.6a1 1 0 0 0 1.4 0l3.8-3.8a6 6 0 0 1-8 8l-6.9 6.9a2.1 2.1 0 0 1-3-3l6.9-6.9a6 6 0 0 1 8-8z"/>',
  // A disc with a bar.
  degraded: '<path fill-rule="evenodd" d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zM6.5 10.7h11v2.6h-11z"/>',
  // A triangle with a mark.
  partial_outage: '<path fill-rule="evenodd" d="M12 2 23 21.5H1zm-1.3 7v6.3h2.6V9zm0 8.1v2.4h2.6v-2.4z"/>',
  // An octagon with a cross.
  major_outage:
    '<path fill-rule="evenodd" d="M7.9 2h8.2L22 7.9v8.2L16.1 22H7.9L2 16.1V7.9zm1 5.2L7.2 8.9l3.1 3.1-3.1 3.1 1.7 1.7 3.1-3.1 3.1 3.1 1.7-1.7-3.1-3.1 3.1-3.1-1.7-1.7-3.1 3.1z"/>',
}

/** The shapes, once in a document. */
export const SHAPES = raw(
  `<svg class="shapes" aria-hidden="true">${COMPONENT_STATES.map(
    (state) => `<symbol id="${state}" viewBox="0 0 24 24">${STATE_SHAPES[state]}</symbol>`,
  ).join('')}</svg>`,
)

/** As colors of pictures that stand on light and dark grounds. */
const COLORS: Record<ComponentState, string> = {
  operational: '#1a9560',
  unknown: '#76818f',
  maintenance: '#3f74dd',
  degraded: '#c07a08',
  partial_outage: '#d9641c',
  major_outage: '#d63a2f',
}

/** The icon of the page's tab. */
export function tabIcon(state: ComponentState): string {
  const color = COLORS[state]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="${color}" stroke="${state === 'unknown' ? color : 'none'}">${STATE_SHAPES[state]}</svg>`
}
