import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTeam } from '../../data/session.ts'
import { FlappingNotice } from '../../parts/alerting/flapping.tsx'
import { SubjectBanners, useSubjectMaintenance } from '../../parts/maintenance/subject-maintenance.tsx'
import { PageHead } from '../../parts/panel.tsx'
import { RecordScreen } from '../../parts/records/record-screen.tsx'
import { TagList } from '../../parts/tags/tag-chips.tsx'
import { SiteActions } from './site-actions.tsx'
import { SiteAreas } from './site-areas.tsx'
import { SiteChain, SiteDomain } from './site-certificate.tsx'
import { SiteCrawl } from './site-crawl.tsx'
import { type Site, siteQuestion } from './site-data.ts'
import { SiteDns } from './site-dns.tsx'
import { SiteFindings } from './site-findings.tsx'
import { SiteIncidents } from './site-incidents.tsx'

export default function SiteScreen() {
  const { id: team } = useTeam()
  const { site: named } = useParams({ from: '/signed-in/teams/$team/sites/$site' })
  const site = useQuery(siteQuestion(team, Number(named)))
  const { isPending } = useSubjectMaintenance(team, { kind: 'site', id: Number(named) })
  return (
    <RecordScreen record={site} isPending={isPending}>
      {(shown) => <SitePage site={shown} />}
    </RecordScreen>
  )
}

function SitePage({ site }: { site: Site }) {
  const { may } = useTeam()
  return (
    <>
      <PageHead title={site.name} actions={may('write') && <SiteActions site={site} />}>
        <a href={site.url} target="_blank" rel="noreferrer" className="break-all underline">
          {site.url}
        </a>
        {site.tags.length > 0 && <TagList tags={site.tags} className="mt-2" />}
      </PageHead>
      <div className="flex flex-col gap-5">
        <SubjectBanners of={{ kind: 'site', id: site.id }} />
        <FlappingNotice since={site.flapping_since} />
        <SiteAreas site={site} />
        <SiteCrawl site={site} />
        <SiteFindings site={site} />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-5">
            <SiteDomain site={site} />
            <SiteChain site={site} />
          </div>
          <div className="flex min-w-0 flex-col gap-5">
            <SiteIncidents site={site} />
            <SiteDns site={site} />
          </div>
        </div>
      </div>
    </>
  )
}
