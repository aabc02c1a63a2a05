import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ask } from '../../data/ask.ts'
import { fieldsOf } from '../../data/form.ts'
import { faultsOf } from '../../data/problem.ts'
import { refreshSession, useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { TextField } from '../../parts/field.tsx'
import { Section } from '../../parts/panel.tsx'

export function TeamName() {
  const team = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const rename = useMutation({
    mutationFn: ({ name = '' }: Record<string, string>) => ask(team.id, 'updateTeam', { body: { name } }),
    onSuccess: async ({ data }) => {
      say.done(t('Team renamed to {name}.', { name: data.name }))
      await refreshSession(queries)
    },
  })
  return (
    <Section title={t('Name')} about={t('Shown to members, and to people who are invited.')}>
      <form
        key={team.id}
        onSubmit={(event) => rename.mutate(fieldsOf(event))}
        className="flex flex-col items-start gap-4 p-4"
      >
        <TextField
          label={t('Team name')}
          name="name"
          required
          maxLength={255}
          defaultValue={team.name}
          className="w-full max-w-sm"
          faults={faultsOf(rename.error).name}
        />
        <Refused error={rename.error} shown={['name']} />
        <Button type="submit" busy={rename.isPending}>
          {t('Save')}
        </Button>
      </form>
    </Section>
  )
}
