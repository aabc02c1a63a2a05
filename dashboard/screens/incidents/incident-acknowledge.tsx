import { useMutation, useQueryClient } from '@tanstack/react-query'
import { UserCheck, UserX } from 'lucide-react'
import { useState } from 'react'
import { INCIDENTS, operationOf } from '../../../src/contract/subjects.ts'
import type { IncidentKind } from '../../../src/core/monitors/incidents/incident-kind.ts'
import type { IncidentResponse } from '../../../src/core/on-call/response.ts'
import { stepName } from '../../../src/core/on-call/response-words.ts'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { sayTime } from '../../parts/time.tsx'
import { AcknowledgeForm } from './acknowledge-form.tsx'
import { BAR_ACTION, NARROW } from './incident-bar.tsx'

export type RespondedIncident = {
  kind: IncidentKind
  id: number
  resolved: boolean
  response: IncidentResponse
}

/** Acknowledges an open incident, or takes that back. */
export function AcknowledgeAction(incident: RespondedIncident) {
  const { may } = useTeam()
  if (!may('write') || incident.resolved) return null
  return incident.response.acknowledgement ? <TakeBack {...incident} /> : <Take {...incident} />
}

function Take({ kind, id }: RespondedIncident) {
  const { id: team } = useTeam()
  const [isOpen, setOpen] = useState(false)
  const queries = useQueryClient()
  const say = useNotices()
  const take = useMutation({
    mutationFn: (note: string) =>
      ask(team, operationOf(INCIDENTS, kind, 'acknowledge*'), { id, body: { note } }),
    onSuccess: ({ data }) => {
      const { by, at } = data.acknowledgement
      setOpen(false)
      if (!data.is_new) {
        const person = by ?? t('a former member')
        say.done(t('Already acknowledged by {person} at {time}.', { person, time: sayTime(at) }))
      } else if (data.already_sent.length > 0) {
        const steps = data.already_sent.map((step) => stepName({ ...step, round: 0 }, t)).join(', ')
        say.done(t('Acknowledged. Already sent: {steps}.', { steps }))
      } else say.done(t('Acknowledged. Reminders and escalation have stopped.'))
    },
    onError: say.problem,
    onSettled: () => void queries.invalidateQueries({ queryKey: [team] }),
  })
  return (
    <>
      <Button tone="main" className={BAR_ACTION} onClick={() => setOpen(true)}>
        <UserCheck aria-hidden size={18} className="lg:hidden" />
        {t('Acknowledge')}
      </Button>
      <Dialog title={t('Acknowledge this incident')} open={isOpen} onClose={() => setOpen(false)}>
        <AcknowledgeForm
          about={t(
            'This stops reminders and escalation. Checks continue, and you still get an alert of the recovery.',
          )}
          hint={t('For example “restarting the database”.')}
          busy={take.isPending}
          onCancel={() => setOpen(false)}
          onSend={take.mutate}
        />
      </Dialog>
    </>
  )
}

function TakeBack({ kind, id }: RespondedIncident) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const takeBack = useMutation({
    mutationFn: () => ask(team, operationOf(INCIDENTS, kind, 'unacknowledge*'), { id }),
    onSuccess: () => say.done(t('Acknowledgement undone. Reminders and escalation continue.')),
    onError: say.problem,
    onSettled: () => void queries.invalidateQueries({ queryKey: [team] }),
  })
  return (
    <Button tone="quiet" className={BAR_ACTION} busy={takeBack.isPending} onClick={() => takeBack.mutate()}>
      {!takeBack.isPending && <UserX aria-hidden size={18} className="lg:hidden" />}
      <span>{rich('Undo<wide> acknowledgement</wide>', NARROW)}</span>
    </Button>
  )
}
