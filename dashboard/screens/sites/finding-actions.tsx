import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_REASON_LENGTH, type SiteFinding } from '../../../src/core/sites/site-finding.ts'
import { ask } from '../../data/ask.ts'
import { faultsOf } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { TextField } from '../../parts/field.tsx'

/** Ignores a finding with a reason, or heeds it again. */
export function FindingActions({
  site,
  finding,
  onDone,
}: {
  site: number
  finding: SiteFinding
  /** It leaves the list that it is in. */
  onDone: () => void
}) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const refresh = () => {
    onDone()
    void queries.invalidateQueries({ queryKey: [team, 'listSiteFindings', site] })
    void queries.invalidateQueries({ queryKey: [team, 'getSite', site] })
    void queries.invalidateQueries({ queryKey: [team, 'listSites'] })
  }
  const ignore = useMutation({
    mutationFn: () => ask(team, 'ignoreSiteFinding', { id: finding.id, body: { reason: reason.trim() } }),
    onSuccess: () => {
      setAsking(false)
      refresh()
      say.done(t('Ignored from now on.'))
    },
  })
  const heed = useMutation({
    mutationFn: () => ask(team, 'unignoreSiteFinding', { id: finding.id }),
    onSuccess: refresh,
    onError: say.problem,
  })
  if (finding.ignored_at !== null) {
    return (
      <Button
        size="small"
        busy={heed.isPending}
        onClick={() => heed.mutate()}
        aria-label={t('Stop ignoring {address}', { address: finding.address })}
      >
        {t('Stop ignoring')}
      </Button>
    )
  }
  const faults = faultsOf(ignore.error).reason
  return (
    <>
      <Button
        size="small"
        onClick={() => setAsking(true)}
        aria-label={t('Ignore {address}', { address: finding.address })}
      >
        {t('Ignore…')}
      </Button>
      <Dialog title={t('Ignore this from now on')} open={isAsking} onClose={() => setAsking(false)}>
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (!ignore.isPending) ignore.mutate()
          }}
        >
          <p className="break-all text-soft">{finding.address}</p>
          <TextField
            label={t('Reason')}
            hint={t('For your colleagues.')}
            value={reason}
            maxLength={MAX_REASON_LENGTH}
            faults={faults}
            onChange={({ target }) => setReason(target.value)}
          />
          {ignore.error && !faults && <Refused error={ignore.error} />}
          <div className="flex justify-end gap-2">
            <Button onClick={() => setAsking(false)}>{t('Cancel')}</Button>
            <Button type="submit" tone="main" busy={ignore.isPending}>
              {t('Ignore')}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  )
}
