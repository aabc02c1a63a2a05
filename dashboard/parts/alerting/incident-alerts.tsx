import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_PER_PAGE } from '../../../src/core/pagination.ts'
import { question } from '../../data/ask.ts'
import { sayProblem } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Waiting } from '../panel.tsx'
import { DeliveryList } from './delivery.tsx'

/** The alerts of an incident of a server or a site, which are asked for once they are opened. */
export function IncidentAlerts({ of }: { of: { server_incident: number } | { site_incident: number } }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="mt-1" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="min-h-6 w-fit cursor-pointer text-sm text-soft hover:text-ink">
        {t('Alerts')}
      </summary>
      {isOpen && <Alerts of={of} />}
    </details>
  )
}

function Alerts({ of }: Parameters<typeof IncidentAlerts>[0]) {
  const { id: team } = useTeam()
  const query = { ...of, per_page: MAX_PER_PAGE }
  const { data, error } = useQuery(question(team, 'listDeliveries', { query }))
  if (data) {
    if (data.data.length === 0) return <p className="py-2 text-sm text-soft">{t('No alerts were sent.')}</p>
    return <DeliveryList deliveries={data.data} team={team} />
  }
  return error ? <p className="py-2 text-down">{sayProblem(error)}</p> : <Waiting lines={2} />
}
