import { Link } from '@tanstack/react-router'
import type { Overview } from '../../../src/core/monitors/overview.ts'
import { AREA_NAMES } from '../../../src/core/sites/area.ts'
import { useTeam } from '../../data/session.ts'
import { buttonLook } from '../../parts/button.tsx'
import { TroublePanel } from '../../parts/monitors/trouble-panel.tsx'

/** On the overview: sites in trouble, worst first, each with its worst area. */
export default function SitesInTrouble({ sites: { counts, attention } }: Pick<Overview, 'sites'>) {
  const { id } = useTeam()
  return (
    <TroublePanel
      title="Sites"
      kind="site"
      items={attention.map(({ site, area, reason }) => ({
        subject: site,
        reason: `${AREA_NAMES[area]}: ${reason ?? site.url}`,
      }))}
      rest={counts.down + counts.degraded - attention.length}
      all={
        <Link to="/teams/$team/sites" params={{ team: String(id) }} className={buttonLook('quiet', 'small')}>
          All sites
        </Link>
      }
    >
      Nothing right now. Sites that are down or have a warning appear here, worst first.
    </TroublePanel>
  )
}
