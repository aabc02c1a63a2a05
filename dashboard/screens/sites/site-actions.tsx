import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useNotices } from '../../app/notices.tsx'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { SubjectMaintain } from '../../parts/maintenance/subject-maintenance.tsx'
import type { Site } from './site-data.ts'

/** The actions on a site, for people who may change it. */
export function SiteActions({ site }: { site: Site }) {
  const { id: team } = useTeam()
  return (
    <>
      <Toggle site={site} />
      <SubjectMaintain kind="site" id={site.id} />
      <Link
        to="/teams/$team/sites/$site/edit"
        params={{ team: String(team), site: String(site.id) }}
        className={buttonLook()}
      >
        {t('Edit')}
      </Link>
      <Remove site={site} />
    </>
  )
}

function Toggle({ site }: { site: Site }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const toggle = useMutation({
    mutationFn: () => ask(team, 'updateSite', { id: site.id, body: { is_active: !site.is_active } }),
    onSuccess: (answer) => {
      queries.setQueryData(question(team, 'getSite', { id: site.id }).queryKey, answer)
      void queries.invalidateQueries({ queryKey: [team] })
      say.done(
        answer.data.is_active ? t('Resumed. Every area is due now.') : t('Paused. No looks and no alerts.'),
      )
    },
    onError: say.problem,
  })
  return (
    <Button busy={toggle.isPending} onClick={() => toggle.mutate()}>
      {site.is_active ? t('Pause') : t('Resume')}
    </Button>
  )
}

function Remove({ site }: { site: Site }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useNotices()
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => ask(team, 'deleteSite', { id: site.id }),
    onSuccess: async () => {
      await navigate({ to: '/teams/$team/sites', params: { team: String(team) } })
      // Only now: the page that was left would fetch a site that is gone.
      queries.removeQueries({ queryKey: question(team, 'getSite', { id: site.id }).queryKey })
      void queries.invalidateQueries({ queryKey: [team] })
      say.done(t('“{name}” deleted.', { name: site.name }))
    },
    onError: (error) => {
      setAsking(false)
      say.problem(error)
    },
  })
  return (
    <>
      <Button tone="danger" onClick={() => setAsking(true)}>
        {t('Delete…')}
      </Button>
      <Confirm
        title={t('Delete “{name}”?', { name: site.name })}
        verb={t('Delete site')}
        open={isAsking}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      >
        {t('Its history, incidents and findings are deleted with it.')}
      </Confirm>
    </>
  )
}
