import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiToken, NewApiToken } from '../../../src/core/teams/people.ts'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { hidden } from '../../language/hidden.tsx'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { SelectField } from '../../parts/field.tsx'

const OVERLAPS = [
  { value: 0, label: t('Ends at once') },
  { value: 1, label: t('Works for another hour') },
  { value: 24, label: t('Works for another day') },
  { value: 7 * 24, label: t('Works for another 7 days') },
  { value: 30 * 24, label: t('Works for another 30 days') },
]
const USUAL_HOURS = 24

/** Replaces a token by a new one while the old one may work on, so that nothing that uses it stops. */
export function Rotation({ token, onMade }: { token: ApiToken; onMade: (made: NewApiToken) => void }) {
  const { id } = useTeam()
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const [hours, setHours] = useState(USUAL_HOURS)
  const rotate = useMutation({
    mutationFn: () => ask(id, 'rotateApiToken', { id: token.id, body: { old_works_hours: hours } }),
    onSuccess: async ({ data }) => {
      await queries.invalidateQueries(question(id, 'listApiTokens', {}))
      setAsking(false)
      onMade(data)
    },
    // The answer contains the token, which must not outlive this screen.
    gcTime: 0,
  })
  return (
    <>
      <Button
        size="small"
        onClick={() => {
          rotate.reset()
          setAsking(true)
        }}
      >
        <span>{rich('Rotate<hidden> {name}</hidden>', { name: token.name, hidden })}</span>
      </Button>
      <Confirm
        title={t('Rotate {name}?', { name: token.name })}
        verb={t('Create new token')}
        tone="main"
        open={isAsking}
        busy={rotate.isPending}
        onConfirm={() => rotate.mutate()}
        onClose={() => setAsking(false)}
      >
        <p className="mb-3">
          {t(
            'You get a new token with the same name, access and lifetime. Choose how long the old one works on.',
          )}
        </p>
        <SelectField
          label={t('The old token')}
          value={hours}
          onChange={({ target }) => setHours(Number(target.value))}
        >
          {OVERLAPS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <Refused error={rotate.error} />
      </Confirm>
    </>
  )
}
