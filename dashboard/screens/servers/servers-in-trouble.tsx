import { Link } from '@tanstack/react-router'
import type { Overview } from '../../../src/core/monitors/overview.ts'
import { useTeam } from '../../data/session.ts'
import { buttonLook } from '../../parts/button.tsx'
import { TroublePanel } from '../../parts/monitors/trouble-panel.tsx'

/** On the overview: servers in trouble, worst first. */
export default function ServersInTrouble({ servers: { counts, attention } }: Pick<Overview, 'servers'>) {
  const { id } = useTeam()
  return (
    <TroublePanel
      title="Servers"
      kind="server"
      items={attention.map(({ server, reason }) => ({ subject: server, reason: reason ?? server.host_name }))}
      rest={counts.down + counts.degraded - attention.length}
      all={
        <Link
          to="/teams/$team/servers"
          params={{ team: String(id) }}
          className={buttonLook('quiet', 'small')}
        >
          All servers
        </Link>
      }
    >
      Nothing right now. Servers that are silent or beyond a limit appear here, worst first.
    </TroublePanel>
  )
}
