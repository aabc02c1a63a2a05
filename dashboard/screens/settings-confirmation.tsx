import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { TeamConfirmation } from '../../src/core/confirmation.ts'
import { useNotices } from '../app/notices.tsx'
import { ask, question } from '../data/ask.ts'
import { fieldsOf } from '../data/form.ts'
import { faultsOf } from '../data/problem.ts'
import { useTeam } from '../data/session.ts'
import { Button } from '../parts/button.tsx'
import { SelectField } from '../parts/field.tsx'
import { Panel, Waiting } from '../parts/panel.tsx'
import { Refused } from '../parts/refused.tsx'
import { ConfirmationPicture } from './settings-confirmation-picture.tsx'

/** In this order, with what each of them means. */
const CONFIRMATIONS = [
  'None: the first failure counts',
  '1 more attempt',
  '2 more attempts',
  '3 more attempts',
]
const RECOVERY_CHECKS = [
  '1: the first one that passes',
  '2 in a row',
  '3 in a row',
  '4 in a row',
  '5 in a row',
]

/** How sure the team wants to be before it is alerted, and before it is told that all is well again. */
export function Confirmation() {
  const { id, may } = useTeam()
  const { data, error } = useQuery(question(id, 'showTeamConfirmation', {}))
  return (
    <Panel title="Confirming failures">
      {error ? (
        <div className="p-4">
          <Refused error={error} />
        </div>
      ) : !data ? (
        <Waiting lines={6} />
      ) : may('write') ? (
        <Settings key={JSON.stringify(data.data)} settings={data.data} />
      ) : (
        <div className="p-4">
          <ConfirmationPicture settings={data.data} />
        </div>
      )}
    </Panel>
  )
}

function Settings({ settings }: { settings: TeamConfirmation }) {
  const { id } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const [chosen, setChosen] = useState(settings)
  const save = useMutation({
    mutationFn: (body: TeamConfirmation) => ask(id, 'updateTeamConfirmation', { body }),
    onSuccess: async ({ data }) => {
      say.done(
        data.confirmations === 0
          ? 'From now on the first failure of a check counts.'
          : 'From now on failures are confirmed before they count.',
      )
      await queries.invalidateQueries({ queryKey: [id, 'showTeamConfirmation'] })
    },
  })
  const choose = (field: keyof TeamConfirmation, value: string) =>
    setChosen({ ...chosen, [field]: Number(value) })
  return (
    <form
      onSubmit={(event) => save.mutate(settingsOf(fieldsOf(event)))}
      className="flex flex-col items-start gap-4 p-4"
    >
      <div className="grid w-full gap-4 sm:grid-cols-2">
        <SelectField
          label="Attempts that must fail, too"
          name="confirmations"
          value={chosen.confirmations}
          onChange={({ target }) => choose('confirmations', target.value)}
          hint="From other regions where there are any, otherwise again from the same one. Heartbeats are not concerned: a ping that did not come is a fact."
          faults={faultsOf(save.error).confirmations}
        >
          {CONFIRMATIONS.map((label, count) => (
            <option key={label} value={count}>
              {label}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Passing checks until it is up again"
          name="recovery_checks"
          value={chosen.recovery_checks}
          onChange={({ target }) => choose('recovery_checks', target.value)}
          hint="Until then the monitor stays down, and its page says how many have passed."
          faults={faultsOf(save.error).recovery_checks}
        >
          {RECOVERY_CHECKS.map((label, index) => (
            <option key={label} value={index + 1}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
      <ConfirmationPicture settings={chosen} />
      <Refused error={save.error} shown={['confirmations', 'recovery_checks']} />
      <Button type="submit" busy={save.isPending}>
        Save
      </Button>
    </form>
  )
}

function settingsOf({ confirmations, recovery_checks }: Record<string, string>): TeamConfirmation {
  return { confirmations: Number(confirmations), recovery_checks: Number(recovery_checks) }
}
