import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_PER_PAGE } from '../../../src/core/pagination.ts'
import { question } from '../../data/ask.ts'
import { sayProblem } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import { DeliveryList } from '../../parts/delivery.tsx'
import { Waiting } from '../../parts/panel.tsx'

/** The alerts of an incident, which are asked for once they are opened. */
export function IncidentAlerts({ incident }: { incident: number }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="mt-1" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="min-h-6 w-fit cursor-pointer text-sm text-soft hover:text-ink">Alerts</summary>
      {isOpen && <Alerts incident={incident} />}
    </details>
  )
}

function Alerts({ incident }: { incident: number }) {
  const { id: team } = useTeam()
  const query = { server_incident: incident, per_page: MAX_PER_PAGE }
  const { data, error } = useQuery(question(team, 'listDeliveries', { query }))
  if (data) {
    if (data.data.length === 0) return <p className="py-2 text-sm text-soft">No alerts were sent.</p>
    return <DeliveryList deliveries={data.data} team={team} />
  }
  return error ? <p className="py-2 text-down">{sayProblem(error)}</p> : <Waiting lines={2} />
}
