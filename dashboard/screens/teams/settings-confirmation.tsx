import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { TeamConfirmation } from '../../../src/core/monitors/confirmation.ts'
import { ask, question } from '../../data/ask.ts'
import { faultsOf } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Answered } from '../../parts/feedback/answered.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { SelectField } from '../../parts/field.tsx'
import { Section } from '../../parts/panel.tsx'
import { ConfirmationPicture } from './settings-confirmation-picture.tsx'

/** The settings, each with a label for every number from the least on. */
const FIELDS = [
  {
    name: 'confirmations',
    label: t('Extra failed attempts before alerting'),
    hint: t(
      'From other regions if there are any, otherwise from the same one. Does not apply to heartbeats.',
    ),
    least: 0,
    choices: [t('None (alert on first failure)'), ...[1, 2, 3].map(sayMore)],
  },
  {
    name: 'recovery_checks',
    label: t('Successful checks before recovery'),
    hint: t('Until then the monitor stays down, and its page shows how many have passed.'),
    least: 1,
    choices: [t('1 (the first that passes)'), ...[2, 3, 4, 5].map(sayInARow)],
  },
] as const

function sayMore(count: number): string {
  return t('{count, plural, one {# more attempt} other {# more attempts}}', { count })
}

function sayInARow(count: number): string {
  return t('{count} in a row', { count })
}

/** Settings for how sure the team wants to be before it is alerted of an outage or a recovery. */
export function Confirmation() {
  const { id, may } = useTeam()
  const confirmation = useQuery(question(id, 'showTeamConfirmation', {}))
  return (
    <Section
      title={t('Confirming failures')}
      about={t('How sure to be of an outage or a recovery before alerts go out.')}
    >
      <Answered answer={confirmation} lines={6}>
        {({ data }) =>
          may('write') ? (
            <Settings key={JSON.stringify(data)} settings={data} />
          ) : (
            <div className="p-4">
              <ConfirmationPicture settings={data} />
            </div>
          )
        }
      </Answered>
    </Section>
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
          ? t('Saved. The first failure now triggers an alert.')
          : t('Saved. Failures are now confirmed before an alert.'),
      )
      await queries.invalidateQueries({ queryKey: [id, 'showTeamConfirmation'] })
    },
  })
  const faults = faultsOf(save.error)
  function submit(event: FormEvent) {
    event.preventDefault()
    save.mutate(chosen)
  }
  return (
    <form onSubmit={submit} className="flex flex-col items-start gap-4 p-4">
      <div className="grid w-full gap-4 sm:grid-cols-2">
        {FIELDS.map(({ name, label, hint, least, choices }) => (
          <SelectField
            key={name}
            {...{ name, label, hint }}
            value={chosen[name]}
            onChange={({ target }) => setChosen({ ...chosen, [name]: Number(target.value) })}
            faults={faults[name]}
          >
            {choices.map((choice, index) => (
              <option key={choice} value={least + index}>
                {choice}
              </option>
            ))}
          </SelectField>
        ))}
      </div>
      <ConfirmationPicture settings={chosen} />
      <Refused error={save.error} shown={FIELDS.map(({ name }) => name)} />
      <Button type="submit" busy={save.isPending}>
        {t('Save')}
      </Button>
    </form>
  )
}
