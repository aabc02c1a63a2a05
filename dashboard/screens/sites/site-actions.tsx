import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { MaintainSubject } from '../../parts/maintenance/subject-maintenance.tsx'
import { PauseButton } from '../../parts/records/pause-button.tsx'
import { DeleteButton, EditLink } from '../../parts/records/record-buttons.tsx'
import type { Site } from './site-data.ts'

/** The actions on a site, for people who may change it. */
export function SiteActions({ site }: { site: Site }) {
  const { id: team } = useTeam()
  return (
    <>
      <Toggle site={site} />
      <MaintainSubject of={{ kind: 'site', id: site.id }} />
      <EditLink
        size="usual"
        to="/teams/$team/sites/$site/edit"
        params={{ team: String(team), site: String(site.id) }}
      />
      <Remove site={site} />
    </>
  )
}

function Toggle({ site: { id, is_active } }: { site: Site }) {
  const { id: team } = useTeam()
  return (
    <PauseButton
      isActive={is_active}
      toggle={() => ask(team, 'updateSite', { id, body: { is_active: !is_active } })}
      answers={question(team, 'getSite', { id }).queryKey}
      resumed={t('Resumed. Every area is due now.')}
      paused={t('Paused. No checks and no alerts.')}
    />
  )
}

function Remove({ site }: { site: Site }) {
  const { id: team } = useTeam()
  const { name } = site
  return (
    <DeleteButton
      of="Site"
      record={site}
      size="usual"
      title={t('Delete “{name}”?', { name })}
      verb={t('Delete site')}
      about={t('Its history, incidents and findings are deleted with it.')}
      to={{ to: '/teams/$team/sites', params: { team: String(team) } }}
      said={t('“{name}” deleted.', { name })}
    />
  )
}
