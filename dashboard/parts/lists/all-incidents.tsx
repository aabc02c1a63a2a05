import { Link } from '@tanstack/react-router'
import { useTeam } from '../../data/session.ts'
import { hidden } from '../../language/hidden.tsx'
import { rich } from '../../language/language.ts'
import { buttonLook } from '../button.tsx'
import type { OneSubject } from './subject-filter.tsx'

/** Leads from the page of a subject to the list of its incidents, which is searched and filtered. */
export function AllIncidents({ of }: { of: OneSubject }) {
  const { id } = useTeam()
  return (
    <Link
      to="/teams/$team/incidents"
      params={{ team: String(id) }}
      search={of}
      className={buttonLook('quiet', 'small')}
    >
      <span>{rich('View all<hidden> incidents</hidden>', { hidden })}</span>
    </Link>
  )
}
