import { html } from 'hono/html'
import type { ComponentState } from '../../core/status-pages/component-state.ts'
import type { Html } from '../page.ts'
import type { Saying } from './say.ts'

type Words = Pick<{ say: Saying }, 'say'>

const MAX_NAMES = 20

/** A text with markup in the places of its arguments. */
export function fill<A extends string[]>(
  text: (...given: A) => string,
  ...parts: { [K in keyof A]: Html }
): Html {
  const places = parts.map((_, place) => String.fromCharCode(FIRST_PLACE + place)) as A
  const pieces = text(...places).split(/([\ue000-\ue00f])/)
  return html`${pieces.map((piece) => parts[piece.charCodeAt(0) - FIRST_PLACE] ?? piece)}`
}

/** The first code point of a private use area: no text has it. */
const FIRST_PLACE = 0xe000

/** A time in UTC; the script puts the reader's in its place. */
export function timeOf({ say }: Words, at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${say.time(at)}</time>`
}

/** A name that somebody wrote: its direction is its own and leaves the text around it as it is. */
export function nameOf(text: string): Html {
  return html`<bdi>${text}</bdi>`
}

export function namesOf({ say }: Words, names: readonly string[]): Html {
  const shown = names.slice(0, MAX_NAMES)
  const rest = names.length - shown.length
  const list = say
    .listOf(shown.length)
    .map((part) => (typeof part === 'number' ? nameOf(shown[part] as string) : part))
  return html`${list}${rest > 0 ? ` … +${rest}` : ''}`
}

/** The shape of a state, for those who do not see its color; the word stands beside it. */
export function stateIcon(state: ComponentState): Html {
  return html`<svg class="icon" aria-hidden="true"><use href="#${state}"></use></svg>`
}

/** A state in shape, color and word. */
export function stateOf(state: ComponentState, word: string): Html {
  return html`<span class="state ${state}">${stateIcon(state)}${word}</span>`
}
