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
  { value: '7', label: t('After 7 days') },
  { value: '30', label: t('After 30 days') },
  { value: '90', label: t('After 90 days') },
  { value: '365', label: t('After a year') },
  { value: '', label: t('Never') },
]
/** Long enough to forget about, and short enough for one that is lost. */
const PROPOSED = '90'

const READ = 'read'

export function TokenForm({ onMade }: { onMade: (made: NewApiToken) => void }) {
  const { id } = useTeam()
  const queries = useQueryClient()
  const create = useMutation({
    mutationFn: ({ name = '', days, scope }: Record<string, string>) =>
      ask(id, 'createApiToken', {
        body: { name, expires_in_days: days ? Number(days) : null, is_read_only: scope === READ },
      }),
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
      <SelectField label={t('Access')} name="scope" className="w-full sm:w-48">
        <option value="">{t('Read and write')}</option>
        <option value={READ}>{t('Read only')}</option>
      </SelectField>
      <SelectField
        label={t('Expires')}
        name="days"
        defaultValue={PROPOSED}
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
