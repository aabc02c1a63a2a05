import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ServerSettings } from '../../../src/core/servers/server.ts'
import { parseFields } from '../../../src/core/validation.ts'
import { type AnswerOf, ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { useBesides } from '../../forms/beside.ts'
import { controlsOf } from '../../forms/controls.ts'
import { draftOf, readDraft } from '../../forms/draft.ts'
import { FieldOf } from '../../forms/field-of.tsx'
import { FormFrame } from '../../forms/form-frame.tsx'
import { tagsBeside } from '../../forms/tags/tags-beside.ts'
import { TagsField } from '../../forms/tags/tags-field.tsx'
import { type FormParts, useForm } from '../../forms/use-form.ts'
import { t } from '../../language/language.ts'
import { Panel } from '../../parts/panel.tsx'
import { asFetched, type GivenForm, NewScreen } from '../../parts/records/form-screen.tsx'
import { serversQuestion } from './server-data.ts'

const CONTROLS = controlsOf(ServerSettings.pick({ name: true }))
const NAMES = ['name']

type Created = AnswerOf<'createServer'>['data']

export default function ServerNew() {
  const { id, name } = useTeam()
  const team = String(id)
  return (
    <NewScreen
      className="mx-auto max-w-2xl"
      title={t('Add a server')}
      about={t('A server is a machine that reports to Upbeat. The next step shows one line to run on it.')}
      back={{ to: '/teams/$team/servers', params: { team } }}
      view={t('View servers')}
      readOnly={t('Ask an owner or admin of {name} to add the server.', { name })}
      lines={2}
      needs={{ servers: asFetched(useQuery({ ...serversQuestion(id), refetchOnMount: 'always' })) }}
      limit={{
        hasRoom: ({ servers: { meta } }) => meta.max_servers === null || meta.servers < meta.max_servers,
        title: t('Server limit reached'),
        about: ({ servers: { meta } }) =>
          t(
            'The plan of this team allows {max, plural, one {# server} other {# servers}}, and your team has {count, number}, including paused ones. Delete one, or ask the operator of this service for a larger plan.',
            { max: meta.max_servers, count: meta.servers },
          ),
      }}
      to={(server: Created) => ({
        to: '/teams/$team/servers/$server',
        params: { team, server: String(server.id) },
        search: { install: true },
      })}
    >
      {(_, form) => <NewServer {...form} />}
    </NewScreen>
  )
}

function NewServer({ beside, onDone }: GivenForm<Created>) {
  const { id: team } = useTeam()
  const [initial] = useState(() => draftOf(CONTROLS))
  const parts: FormParts<ServerSettings, Created> = {
    initial,
    names: NAMES,
    judge: (draft) => parseFields(ServerSettings, readDraft(CONTROLS, draft, NAMES)),
    send: async (body) => (await ask(team, 'createServer', { body })).data,
    onDone,
  }
  const form = useForm(useBesides(parts, undefined, [tagsBeside(team, 'server', undefined, [])]))
  return (
    <FormFrame form={form} verb={t('Add server')} beside={beside}>
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
