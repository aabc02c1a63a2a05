import { Link } from '@tanstack/react-router'
import { useTeam } from '../../data/session.ts'
import type { ComponentDraft } from '../../forms/status-pages/layout-draft.ts'
import { STATE_WORDS } from '../../parts/status-pages/state-words.ts'

/** Where the state of a component comes from, in a line. */
export function ComponentAbout({ component: { monitor, state } }: { component: ComponentDraft }) {
  const { id } = useTeam()
  if (!monitor) return <p className="text-sm text-soft">Set by hand: {STATE_WORDS[state]}</p>
  if (monitor.is_deleted) {
    return (
      <p className="text-sm break-words text-degraded">
        Its monitor {monitor.name} is deleted: it is on the page again once that is restored.
      </p>
    )
  }
  return (
    <p className="text-sm break-words text-soft">
      Monitor{' '}
      <Link
        to="/teams/$team/monitors/$monitor"
        params={{ team: String(id), monitor: String(monitor.id) }}
        className="underline"
      >
        {monitor.name}
      </Link>
    </p>
  )
}
