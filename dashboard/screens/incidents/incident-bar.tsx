import { Activity } from 'lucide-react'
import type { ReactNode } from 'react'
import type { IncidentKind } from '../../../src/core/monitors/incidents/incident-kind.ts'
import { SHOWN_KINDS } from '../../data/subjects/shown-kinds.ts'
import { rich, t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'

/** An action on a narrow screen: its icon above its word, five in a row at most. */
export const BAR_ACTION =
  'max-lg:h-12 max-lg:min-w-0 max-lg:flex-col max-lg:gap-0.5 max-lg:border-transparent max-lg:px-1 max-lg:text-xs'

/** Holds the actions on an incident: beside its heading, or at the bottom of a narrow screen, within reach of a thumb. */
export function ActionBar({ children }: { children: ReactNode }) {
  return (
    <div
      role="toolbar"
      aria-label={t('Actions on this incident')}
      className="flex flex-wrap items-center gap-2 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-[calc(3.5rem+env(safe-area-inset-bottom))] max-lg:z-10 max-lg:grid max-lg:auto-cols-auto max-lg:grid-flow-col max-lg:gap-1 max-lg:border-t max-lg:border-line max-lg:bg-panel max-lg:p-1"
    >
      {children}
    </div>
  )
}

/** The look and the icon of a link to the page that an incident is about. */
export const VIEW_LOOK = `${buttonLook('quiet')} ${BAR_ACTION}`
export const VIEW_ICON = <Activity aria-hidden size={18} className="lg:hidden" />

/** The words of an action that only a wide screen shows, and those that begin them on a narrow one. */
export const NARROW = {
  wide: (words: ReactNode) => <span className="max-lg:sr-only">{words}</span>,
  word: (words: ReactNode) => <span className="inline-block max-lg:first-letter:uppercase">{words}</span>,
}

/** Shorter on a narrow screen; read out whole on every one. */
export function ViewWords({ of }: { of: IncidentKind }) {
  return <span>{rich(SHOWN_KINDS[of].words.view, NARROW)}</span>
}
