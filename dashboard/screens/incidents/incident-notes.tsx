import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { INCIDENTS, operationOf } from '../../../src/contract/subjects.ts'
import type { IncidentResponse } from '../../../src/core/on-call/response.ts'
import { stepName } from '../../../src/core/on-call/response-words.ts'
import { ask } from '../../data/ask.ts'
import { faultsOf } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import type { RespondedIncident } from './incident-acknowledge.tsx'
import { NoteField } from './note-field.tsx'

/** The one who has an incident, and the steps that come unless someone does; nothing where neither is known. */
export function ResponseState({ resolved, response }: Pick<RespondedIncident, 'resolved' | 'response'>) {
  const { acknowledgement, policy, next } = response
  if (!acknowledgement && next.length === 0) return null
  return (
    <Panel title={t('Acknowledgement')}>
      <div className="flex flex-col gap-1 px-4 py-3">
        {acknowledgement ? (
          <Holder acknowledgement={acknowledgement} />
        ) : (
          !resolved && (
            <p className="font-medium text-down">{t('No one has acknowledged this incident yet.')}</p>
          )
        )}
        {next.slice(0, 3).map((step) => (
          <p key={`${step.kind}${step.number}`} className="text-soft">
            {rich('{step}: <time>soon</time>', {
              step: stepName({ ...step, round: 0 }, t),
              time: () => <Time key="time" at={step.at} />,
            })}
          </p>
        ))}
        {policy !== null && (
          <p className="text-sm text-soft">{t('Escalation policy: {policy}', { policy })}</p>
        )}
      </div>
    </Panel>
  )
}

function Holder({ acknowledgement }: { acknowledgement: NonNullable<IncidentResponse['acknowledgement']> }) {
  const { by, at, note } = acknowledgement
  return (
    <>
      <p>
        {rich('Acknowledged by <strong>{person}</strong>, <time>then</time>', {
          strong: (words) => (
            <strong key="person" className="font-medium">
              {words}
            </strong>
          ),
          person: by ?? t('a former member'),
          time: () => <Time key="time" at={at} />,
        })}
      </p>
      {note !== null && <p className="break-words whitespace-pre-line">{note}</p>}
    </>
  )
}

/** Adds a note to the timeline of an incident, also when it is over. */
export function AddNote({ kind, id }: Pick<RespondedIncident, 'kind' | 'id'>) {
  const { id: team, may } = useTeam()
  const [text, setText] = useState('')
  const queries = useQueryClient()
  const say = useNotices()
  const add = useMutation({
    mutationFn: () => ask(team, operationOf(INCIDENTS, kind, 'add*Note'), { id, body: { text } }),
    onSuccess: async () => {
      setText('')
      say.done(t('Note added.'))
      await queries.invalidateQueries({ queryKey: [team] })
    },
  })
  if (!may('write')) return null
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!add.isPending) add.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col items-start gap-3 border-t border-line p-4">
      <NoteField
        label={t('Add a note')}
        hint={t('Only your team sees it; status pages do not show it.')}
        faults={faultsOf(add.error).text}
        className="w-full"
        value={text}
        onChange={setText}
      />
      <Refused error={add.error} shown={['text']} />
      <Button type="submit" size="small" busy={add.isPending} disabled={text.trim() === ''}>
        {t('Add note')}
      </Button>
    </form>
  )
}
