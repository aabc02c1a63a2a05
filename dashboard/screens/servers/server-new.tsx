import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import { ServerSettings } from '../../../src/core/servers/server.ts'
import { parseFields } from '../../../src/core/validation.ts'
import { Trouble } from '../../app/trouble.tsx'
import { type AnswerOf, ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { controlsOf } from '../../forms/controls.ts'
import { draftOf, readDraft } from '../../forms/draft.ts'
import { FieldOf } from '../../forms/field-of.tsx'
import { FormFrame } from '../../forms/form-frame.tsx'
import { useTagged } from '../../forms/tags/tagged.ts'
import { TagsField } from '../../forms/tags/tags-field.tsx'
import { type FormParts, useForm } from '../../forms/use-form.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { serversQuestion } from './server-data.ts'

const CONTROLS = controlsOf(ServerSettings.pick({ name: true }))
const NAMES = ['name']

export default function ServerNew() {
  const { id, name, may } = useTeam()
  // Fetched again, because the plan's last free place may be taken by now.
  const servers = useQuery({ ...serversQuestion(id), refetchOnMount: 'always' })
  const limits = servers.isFetchedAfterMount ? servers.data?.meta : undefined
  return (
    <div className="mx-auto max-w-2xl">
      <PageHead title={t('Add a server')}>
        {t('A server is a machine that reports to Upbeat. The next step shows one line to run on it.')}
      </PageHead>
      {!may('write') ? (
        <Panel>
          <Empty
            icon={Lock}
            title={t('You have read-only access')}
            action={<Back label={t('View servers')} />}
          >
            {t('Ask an owner or admin of {name} to add the server.', { name })}
          </Empty>
        </Panel>
      ) : limits ? (
        <NewServer servers={limits.servers} max={limits.max_servers} />
      ) : servers.error ? (
        <Trouble error={servers.error} within />
      ) : (
        <Panel>
          <Waiting lines={2} />
        </Panel>
      )}
    </div>
  )
}

function NewServer({ servers, max }: { servers: number; max: number | null }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [initial] = useState(() => draftOf(CONTROLS))
  // An open form stays: a colleague who takes the last place must not make a typed name disappear.
  const [hadRoom] = useState(max === null || servers < max)
  const parts: FormParts<ServerSettings, AnswerOf<'createServer'>['data']> = {
    initial,
    names: NAMES,
    judge: (draft) => parseFields(ServerSettings, readDraft(CONTROLS, draft, NAMES)),
    send: async (body) => (await ask(team, 'createServer', { body })).data,
    onDone: ({ id }) => {
      void queries.invalidateQueries({ queryKey: [team] })
      void navigate({
        to: '/teams/$team/servers/$server',
        params: { team: String(team), server: String(id) },
        search: { install: true },
      })
    },
  }
  const form = useForm(useTagged(parts, { team, kind: 'server', record: undefined, tags: [] }))
  if (!hadRoom) {
    return (
      <Panel>
        <Empty title={t('Server limit reached')} action={<Back label={t('View servers')} />}>
          {t(
            'The plan of this team allows {max, plural, one {# server} other {# servers}}, and your team has {count, number}, including paused ones. Delete one, or ask the operator of this service for a larger plan.',
            { max, count: servers },
          )}
        </Empty>
      </Panel>
    )
  }
  return (
    <FormFrame form={form} verb={t('Add server')} beside={<Back label={t('Cancel')} />}>
      <Panel className="flex flex-col gap-4 p-4">
        <FieldOf
          name="name"
          control={CONTROLS.name}
          text={{
            label: t('Name'),
            hint: t('Shown in the list and in alerts.'),
            placeholder: t('For example “Web server 1”'),
          }}
          form={form}
          autoFocus
        />
        <TagsField team={team} form={form} />
      </Panel>
    </FormFrame>
  )
}

function Back({ label }: { label: string }) {
  const { id } = useTeam()
  return (
    <Link to="/teams/$team/servers" params={{ team: String(id) }} className={buttonLook('quiet')}>
      {label}
    </Link>
  )
}
