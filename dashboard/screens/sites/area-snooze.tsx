import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { AREA_NAMES } from '../../../src/core/sites/area.ts'
import { MAX_REASON_LENGTH } from '../../../src/core/sites/site-finding.ts'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import type { Area, Site } from './site-data.ts'

const HOUR_MS = 3_600_000
const LENGTHS = [
  { hours: 1, label: t('1 hour') },
  { hours: 24, label: t('1 day') },
  { hours: 7 * 24, label: t('1 week') },
  { hours: 30 * 24, label: t('30 days') },
] as const

/** Silences an area for a while, with a reason for colleagues. */
export function SnoozeDialog({
  site,
  area,
  isOpen,
  onClose,
}: {
  site: Site
  area: Area
  isOpen: boolean
  onClose: () => void
}) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const [hours, setHours] = useState(24)
  const [reason, setReason] = useState('')
  const name = t(AREA_NAMES[area.area])
  const snooze = useMutation({
    mutationFn: () => {
      const until = new Date(Date.now() + hours * HOUR_MS).toISOString()
      return ask(team, 'snoozeSiteArea', { id: site.id, body: { area: area.area, until, reason } })
    },
    onSuccess: (answer) => {
      queries.setQueryData(question(team, 'getSite', { id: site.id }).queryKey, answer)
      say.done(t('{name}: no alerts meanwhile.', { name }))
      onClose()
    },
  })
  return (
    <Dialog title={t('Snooze {name}', { name })} open={isOpen} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!snooze.isPending) snooze.mutate()
        }}
      >
        <p className="text-soft">{t('It is checked as before, without alerts meanwhile.')}</p>
        <SelectField label={t('For')} value={hours} onChange={({ target }) => setHours(Number(target.value))}>
          {LENGTHS.map((length) => (
            <option key={length.hours} value={length.hours}>
              {length.label}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('Reason')}
          hint={t('Optional, for your colleagues.')}
          value={reason}
          maxLength={MAX_REASON_LENGTH}
          onChange={({ target }) => setReason(target.value)}
        />
        <Refused error={snooze.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" tone="main" busy={snooze.isPending}>
            {t('Snooze')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
