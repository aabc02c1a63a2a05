import { type FormEvent, useRef } from 'react'
import type { StatusPageDetail } from '../../../../src/core/status-pages/shown-page.ts'
import {
  MAX_PAGE_PASSWORD_LENGTH,
  MIN_PAGE_PASSWORD_LENGTH,
} from '../../../../src/core/status-pages/status-page.ts'
import { ask } from '../../../data/ask.ts'
import { fieldsOf } from '../../../data/form.ts'
import { faultsOf } from '../../../data/problem.ts'
import { useTeam } from '../../../data/session.ts'
import { t } from '../../../language/language.ts'
import { Button } from '../../../parts/button.tsx'
import { Refused } from '../../../parts/feedback/refused.tsx'
import { TextField } from '../../../parts/field.tsx'
import { Section } from '../../../parts/panel.tsx'
import { useChangePage } from '../../../parts/status-pages/use-page.ts'

export function PagePassword({ page: { id, has_password } }: { page: StatusPageDetail }) {
  const { id: team } = useTeam()
  const form = useRef<HTMLFormElement>(null)
  const set = useChangePage(t('The password is set.'), () => form.current?.reset())
  const clear = useChangePage(t('The password is removed.'))

  function submit(event: FormEvent<HTMLFormElement>) {
    const { password } = fieldsOf<{ password: string }>(event)
    set.mutate(() => ask(team, 'setStatusPagePassword', { id, body: { password } }))
  }

  return (
    <Section
      title={t('Password')}
      about={
        has_password
          ? t('The page has a password. Visitors who entered it have to enter a new one again.')
          : t('For pages that are seen with a password.')
      }
    >
      <form ref={form} onSubmit={submit} className="flex flex-col items-start gap-4 p-4">
        <TextField
          label={t('Password of the page')}
          name="password"
          type="password"
          required
          minLength={MIN_PAGE_PASSWORD_LENGTH}
          maxLength={MAX_PAGE_PASSWORD_LENGTH}
          autoComplete="new-password"
          hint={t(
            'At least {count} characters, and not a common password. Four random words are good; a password manager is better.',
            { count: MIN_PAGE_PASSWORD_LENGTH },
          )}
          className="w-full max-w-sm"
          faults={faultsOf(set.error).password}
        />
        <Refused error={set.error} shown={['password']} />
        <Refused error={clear.error} />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" busy={set.isPending}>
            {has_password ? t('Replace password') : t('Set password')}
          </Button>
          {has_password && (
            <Button
              tone="danger"
              busy={clear.isPending}
              onClick={() => clear.mutate(() => ask(team, 'clearStatusPagePassword', { id }))}
            >
              {t('Remove password')}
            </Button>
          )}
        </div>
      </form>
    </Section>
  )
}
