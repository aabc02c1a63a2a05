import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { NewApiToken } from '../../../src/core/teams/people.ts'
import { ask, question } from '../../data/ask.ts'
import { fieldsOf } from '../../data/form.ts'
import { faultsOf } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'

const LIFETIMES = [
  { value: '', label: t('Never') },
  { value: '7', label: t('After 7 days') },
  { value: '30', label: t('After 30 days') },
  { value: '90', label: t('After 90 days') },
  { value: '365', label: t('After a year') },
]

export function TokenForm({ onMade }: { onMade: (made: NewApiToken) => void }) {
  const { id } = useTeam()
  const queries = useQueryClient()
  const create = useMutation({
    mutationFn: ({ name = '', days }: Record<string, string>) =>
      ask(id, 'createApiToken', { body: { name, expires_in_days: days ? Number(days) : null } }),
    onSuccess: async ({ data }) => {
      onMade(data)
      await queries.invalidateQueries(question(id, 'listApiTokens', {}))
    },
    // The answer contains the token, which must not outlive this screen.
    gcTime: 0,
  })
  const faults = faultsOf(create.error)
  return (
    <form
      onSubmit={(event) => create.mutate(fieldsOf(event))}
      className="flex flex-wrap items-start gap-3 p-4"
    >
      <TextField
        label={t('Name')}
        name="name"
        required
        maxLength={255}
        autoComplete="off"
        className="min-w-0 flex-1 basis-64"
        hint={t('For example “Deployment”.')}
        faults={faults.name}
      />
      <SelectField
        label={t('Expires')}
        name="days"
        className="w-full sm:w-48"
        faults={faults.expires_in_days}
      >
        {LIFETIMES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <Button type="submit" tone="main" busy={create.isPending} className="sm:mt-7">
        {t('Create token')}
      </Button>
      <div className="basis-full empty:hidden">
        <Refused error={create.error} shown={['name', 'expires_in_days']} />
      </div>
    </form>
  )
}
