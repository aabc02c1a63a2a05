import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import type { SiteLimits } from '../../../src/core/sites/shown-site.ts'
import { Trouble } from '../../app/trouble.tsx'
import { type AnswerOf, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { SiteForm } from '../../forms/sites/site-form.tsx'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { limitsOf, sitesQuestion } from './site-data.ts'

export default function SiteNew() {
  const { id, name, may } = useTeam()
  // Fetched again, because the plan's last free place may be taken by now.
  const sites = useQuery({ ...sitesQuestion(id), refetchOnMount: 'always' })
  const contacts = useQuery(question(id, 'listContacts', {}))
  const limits = sites.isFetchedAfterMount ? sites.data?.meta : undefined
  const error = sites.error ?? contacts.error
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead title={t('Add a site')}>
        {t('A site is a whole website, monitored as one by its address.')}
      </PageHead>
      {!may('write') ? (
        <Panel>
          <Empty icon={Lock} title={t('You have read-only access')} action={<Back label={t('View sites')} />}>
            {t('Ask an owner or admin of {name} to add the site.', { name })}
          </Empty>
        </Panel>
      ) : limits && contacts.data ? (
        <NewSite limits={limits} contacts={contacts.data.data} />
      ) : error ? (
        <Trouble error={error} within />
      ) : (
        <Panel>
          <Waiting lines={8} />
        </Panel>
      )}
    </div>
  )
}

function NewSite({ limits, contacts }: { limits: SiteLimits; contacts: AnswerOf<'listContacts'>['data'] }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { sites, max_sites: max } = limits
  // An open form stays: a colleague who takes the last place must not make what was typed disappear.
  const [hadRoom] = useState(max === null || sites < max)
  if (!hadRoom) {
    return (
      <Panel>
        <Empty title={t('Site limit reached')} action={<Back label={t('View sites')} />}>
          {t(
            'The plan of this team allows {max, plural, one {# site} other {# sites}}, and your team has {count, number}, including paused ones. Delete one, or ask the operator of this service for a larger plan.',
            { max, count: sites },
          )}
        </Empty>
      </Panel>
    )
  }
  return (
    <SiteForm
      team={team}
      contacts={contacts}
      limits={limitsOf(limits)}
      beside={<Back label={t('Cancel')} />}
      onDone={({ id }) => {
        void queries.invalidateQueries({ queryKey: [team] })
        const to = '/teams/$team/sites/$site'
        void navigate({ to, params: { team: String(team), site: String(id) } })
      }}
    />
  )
}

function Back({ label }: { label: string }) {
  const { id } = useTeam()
  return (
    <Link to="/teams/$team/sites" params={{ team: String(id) }} className={buttonLook('quiet')}>
      {label}
    </Link>
  )
}
