import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { OnCallSettings } from '../../../src/core/on-call/policy.ts'
import { ask, question } from '../../data/ask.ts'
import { faultsOf } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Answered } from '../../parts/feedback/answered.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { TextField } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'

type Rule = OnCallSettings['flapping']

/** Whether the team hears once that something flaps, in place of an alert for each change. */
export function Flapping() {
  const { id: team, may } = useTeam()
  const settings = useQuery(question(team, 'getOnCallSettings', {}))
  return (
    <Panel title={t('Flapping')}>
      <Answered answer={settings} lines={1}>
        {({ data: { flapping } }) =>
          may('write') ? (
            <Settings key={JSON.stringify(flapping)} rule={flapping} />
          ) : (
            <p className="p-4">{sayRule(flapping)}</p>
          )
        }
      </Answered>
    </Panel>
  )
}

/** Both fields empty: each change has its alert. */
function Settings({ rule }: { rule: Rule }) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const [changes, setChanges] = useState(rule === null ? '' : String(rule.changes))
  const [minutes, setMinutes] = useState(rule === null ? '' : String(rule.minutes))
  const save = useMutation({
    mutationFn: (flapping: Rule) => ask(team, 'updateOnCallSettings', { body: { flapping } }),
    onSuccess: async ({ data: { flapping } }) => {
      say.done(sayRule(flapping))
      await queries.invalidateQueries({ queryKey: [team, 'getOnCallSettings'] })
    },
  })
  const faults = faultsOf(save.error)
  function submit(event: FormEvent) {
    event.preventDefault()
    const isOff = changes.trim() === '' && minutes.trim() === ''
    save.mutate(isOff ? null : { changes: Number(changes), minutes: Number(minutes) })
  }
  return (
    <form onSubmit={submit} className="flex flex-col items-start gap-4 p-4">
      <div className="grid w-full max-w-md gap-4 sm:grid-cols-2">
        <TextField
          label={t('Changes at most')}
          hint={t('Each outage and each recovery is one. One more, and it flaps.')}
          inputMode="numeric"
          value={changes}
          onChange={({ target }) => setChanges(target.value)}
          faults={faults['flapping.changes']}
        />
        <TextField
          label={t('Within minutes')}
          hint={t('Without a change for as long, it is steady again.')}
          inputMode="numeric"
          value={minutes}
          onChange={({ target }) => setMinutes(target.value)}
          faults={faults['flapping.minutes']}
        />
      </div>
      <p className="text-soft">
        {t('Leave both empty to be alerted of each change. Incidents are recorded in any case.')}
      </p>
      <Refused error={save.error} shown={['flapping.changes', 'flapping.minutes']} />
      <Button type="submit" busy={save.isPending}>
        {t('Save')}
      </Button>
    </form>
  )
}

function sayRule(rule: Rule): string {
  if (rule === null) return t('Each outage and each recovery has its alert.')
  return t(
    'More than {changes} changes within {minutes} minutes make one alert that something is flapping.',
    rule,
  )
}
