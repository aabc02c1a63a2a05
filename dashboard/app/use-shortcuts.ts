import { useLayoutEffect } from 'react'
import { type Doing, shortcutOf } from './shortcuts.ts'

const OFF_KEY = 'upbeat-single-keys'
/** Places where keys that stand alone mean something else: text, and choices by their first letter. */
const TAKING = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=menu]'
const ROWS = '#content [data-row]'
const FILTERS = '#content search'

/** Handles the keyboard of a team's screens. */
export function useShortcuts(open: { find: () => void; help: () => void; wallboard: () => void }): void {
  // Before the screen is shown: a key that is pressed as soon as it can be read does what it says.
  useLayoutEffect(() => {
    const actions: Record<Doing, () => void> = {
      ...open,
      filter: () => focusFilter() || open.find(),
      next: () => moveFocus(1),
      previous: () => moveFocus(-1),
    }
    function onKey(event: KeyboardEvent) {
      const does = event.defaultPrevented ? undefined : shortcutOf(event, isTaken(event.target))
      if (!does) return
      event.preventDefault()
      actions[does]()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}

function isTaken(target: EventTarget | null): boolean {
  if (!areSingleKeysOn() || document.querySelector('dialog[open]')) return true
  return target instanceof Element && target.closest(TAKING) !== null
}

/** False where somebody turned them off: people who dictate press keys that they never meant (WCAG 2.1.4). */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(OFF_KEY) === null
}

export function turnSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(OFF_KEY)
  else localStorage.setItem(OFF_KEY, 'off')
}

/** The screen's search, else its first filter that is not folded away; false if it has none. */
function focusFilter(): boolean {
  const fields = [...document.querySelectorAll<HTMLElement>(FILTERS)].map((search) =>
    [...search.querySelectorAll<HTMLElement>('input, select, [aria-pressed=true], [aria-expanded]')].find(
      (field) => field.getClientRects().length > 0,
    ),
  )
  const field = fields.find((found) => found !== undefined)
  field?.focus()
  if (field instanceof HTMLInputElement) field.select()
  return field != null
}

/** Moves the focus to the link of the row before or after the one that has it, or of the first. */
function moveFocus(step: 1 | -1): void {
  const rows = [...document.querySelectorAll(ROWS)].filter((row) => openerOf(row))
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const row = at === -1 ? rows[0] : rows[at + step]
  if (row) openerOf(row)?.focus()
}

/** The element that Enter opens: the first link that can be seen. */
function openerOf(row: Element): HTMLElement | undefined {
  const links = row.querySelectorAll<HTMLElement>('a[href], summary')
  return [...links].find((link) => link.getClientRects().length > 0)
}
