import { Link } from '@tanstack/react-router'
import { lastMonth, monthSoFar } from '../../data/reports/report-search.ts'
import { useTeam } from '../../data/session.ts'
import { readerZone } from '../../data/zone-time.ts'
import { buttonLook } from '../../parts/button.tsx'
import { PageHead, Panel } from '../../parts/panel.tsx'
import { sayRange } from './report-words.ts'

/** Reports that are ready, and the way to a new one. */
export default function Reports() {
  const team = String(useTeam().id)
  const zone = readerZone()
  const ready = [
    { title: 'Last month', range: lastMonth(zone) },
    { title: 'This month so far', range: monthSoFar(zone) },
  ]
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead
        title="Reports"
        actions={
          <Link to="/teams/$team/reports/view" params={{ team }} className={buttonLook('main')}>
            New report
          </Link>
        }
      >
        Uptime, incidents and response times of a period, to read, print or hand on.
      </PageHead>
      <Panel title="Everything of the team">
        <ul className="divide-y divide-line">
          {ready.map(({ title, range }) => (
            <li key={title} data-row>
              <Link
                to="/teams/$team/reports/view"
                params={{ team }}
                search={range}
                className="block px-4 py-2.5 hover:bg-sunken"
              >
                <span className="font-medium">{title}</span>
                <span className="block text-sm text-soft">{sayRange(range)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}
