import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { liveStatus } from '../../../src/core/monitors/status.ts'
import type { SiteRow } from '../../../src/core/sites/shown-site.ts'
import { Trouble } from '../../app/trouble.tsx'
import { asSentence } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import { buttonLook } from '../../parts/button.tsx'
import { sayCount } from '../../parts/locale.ts'
import { StatusMark, statusColour, statusWord } from '../../parts/monitors/status.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { ListMenu } from '../../parts/reports/list-menu.tsx'
import { AreaMarks, NextLook, nextLookOf } from '../../parts/sites/area-marks.tsx'
import { Since } from '../../parts/time.tsx'
import { sitesQuestion } from './site-data.ts'

/** All sites of a team, a line each. */
export default function Sites() {
  const { id, may } = useTeam()
  const team = String(id)
  const { data, error } = useQuery(sitesQuestion(id))
  const add = (label: string) =>
    may('write') && (
      <Link to="/teams/$team/sites/new" params={{ team }} className={buttonLook('main')}>
        {label}
      </Link>
    )
  const isEmpty = data?.data.length === 0
  return (
    <>
      <PageHead
        title="Sites"
        actions={
          <>
            <Link to="/teams/$team/expiries" params={{ team }} className={buttonLook('quiet')}>
              Expiry dates
            </Link>
            {!isEmpty && add('Add site')}
            {!isEmpty && <ListMenu list="sites" />}
          </>
        }
      />
      <Panel>
        {error && !data ? (
          <Trouble error={error} within />
        ) : !data ? (
          <Waiting lines={8} />
        ) : isEmpty ? (
          <Empty title="No sites yet" action={add('Add your first site')}>
            A site is a whole website, monitored as one by its address: its home page, certificate, DNS,
            domain registration, links, mixed content and sitemap.
            {!may('write') && ' An owner or admin of this team can add the first site.'}
          </Empty>
        ) : (
          <ul aria-label="Sites" className="divide-y divide-line">
            {data.data.map((site) => (
              <Line key={site.id} site={site} />
            ))}
          </ul>
        )}
      </Panel>
    </>
  )
}

function Line({ site }: { site: SiteRow }) {
  const { id } = useTeam()
  const status = liveStatus(site)
  const isTrouble = status === 'down' || status === 'degraded' || status === 'maintenance'
  const cause = site.areas.find((area) => area.is_on && area.status === site.status)?.cause
  return (
    <li data-row className="flex items-start gap-3 px-4 py-3 hover:bg-sunken">
      <span className="mt-1">
        <StatusMark status={status} size={18} />
      </span>
      <div className="grid min-w-0 flex-1 gap-x-6 gap-y-1.5 lg:grid-cols-[minmax(0,1fr)_10rem_9rem]">
        <div className="min-w-0">
          <Link
            to="/teams/$team/sites/$site"
            params={{ team: String(id), site: String(site.id) }}
            className="font-medium hover:underline max-md:line-clamp-2 max-md:break-words md:truncate md:block"
          >
            {site.name}
          </Link>
          <span className="block text-sm break-all text-soft md:truncate">{site.url}</span>
          {isTrouble && (
            <span className={`block text-sm break-words ${statusColour(status)}`}>
              {cause ? asSentence(cause) : statusWord(status)} · <Since at={site.status_since} />
            </span>
          )}
          <div className="mt-1">
            <AreaMarks areas={site.areas} isPaused={!site.is_active} />
          </div>
        </div>
        <span className={`text-sm lg:text-right ${site.broken_links > 0 ? 'text-degraded' : 'text-soft'}`}>
          {sayLinks(site)}
        </span>
        <span className="text-sm text-soft lg:text-right">
          <NextLook at={nextLookOf(site.areas)} />
        </span>
      </div>
    </li>
  )
}

/** Of a site that no crawl has looked at, nothing is known. */
function sayLinks({ areas, broken_links: broken }: SiteRow): string {
  if (broken > 0) return `${sayCount(broken)} broken ${broken === 1 ? 'link' : 'links'}`
  const links = areas.find(({ area }) => area === 'links')
  if (!links?.is_on) return 'Links are off'
  return links.looked_at === null ? 'Not crawled yet' : 'No broken links'
}
