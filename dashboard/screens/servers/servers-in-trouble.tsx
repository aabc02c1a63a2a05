import { Link } from '@tanstack/react-router'
import type { Overview } from '../../../src/core/monitors/overview.ts'
import { useTeam } from '../../data/session.ts'
import { buttonLook } from '../../parts/button.tsx'
import { InTrouble } from '../../parts/monitors/in-trouble.tsx'
import { Panel } from '../../parts/panel.tsx'

/** On the overview: servers in trouble, worst first. */
export default function ServersInTrouble({ servers: { counts, attention } }: Pick<Overview, 'servers'>) {
  const { id } = useTeam()
  const team = String(id)
  const rest = counts.down + counts.degraded - attention.length
  return (
    <Panel
      title="Servers"
      actions={
        <Link to="/teams/$team/servers" params={{ team }} className={buttonLook('quiet', 'small')}>
          All servers
        </Link>
      }
    >
      {attention.length === 0 ? (
        <p className="px-4 py-6 text-soft">
          Nothing right now. Servers that are silent or beyond a limit appear here, worst first.
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {attention.map(({ server, reason }) => (
            <li key={server.id} data-row>
              <Link
                to="/teams/$team/servers/$server"
                params={{ team, server: String(server.id) }}
                className="flex gap-3 px-4 py-3 hover:bg-sunken"
              >
                <InTrouble
                  status={server.status}
                  name={server.name}
                  reason={reason ?? server.host_name}
                  since={server.status_since}
                />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {rest > 0 && attention.length > 0 && (
        <p className="border-t border-line px-4 py-2.5 text-soft">and {rest} more</p>
      )}
    </Panel>
  )
}
