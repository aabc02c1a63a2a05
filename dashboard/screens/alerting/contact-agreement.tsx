import { useMutation, useQueryClient } from '@tanstack/react-query'
import { MailQuestion } from 'lucide-react'
import { DAYS_TO_AGREE } from '../../../src/core/accounts/asked-address.ts'
import type { ContactSummary } from '../../../src/core/alerting/delivery-log.ts'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { Time } from '../../parts/time.tsx'

const DAY_MS = 24 * 3_600_000

/** Shown for an address that gets no alerts until it agrees to them. */
export function ContactAgreement({
  contact,
  awaited,
}: {
  contact: number
  awaited: NonNullable<ContactSummary['awaits_agreement']>
}) {
  const { id: team, may } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const again = useMutation({
    mutationFn: () => ask(team, 'askContact', { id: contact }),
    onSuccess: async () => {
      await queries.invalidateQueries(question(team, 'listContactSummaries', {}))
      say.done(t('Confirmation e-mail sent.'))
    },
  })
  const askedAt = awaited.asked_at
  const mayAsk = askedAt === null || Date.parse(askedAt) + DAYS_TO_AGREE * DAY_MS <= Date.now()
  return (
    <div className="mb-5 flex flex-col items-start gap-3 rounded-lg border border-line bg-panel p-4">
      <p className="flex items-start gap-2 text-degraded">
        <MailQuestion aria-hidden size={18} className="mt-0.5 shrink-0" />
        <span>
          {t(
            'This address gets no alerts yet: it is not the confirmed address of a member, and has not agreed to alerts.',
          )}
        </span>
      </p>
      <p className="text-soft">
        {askedAt === null
          ? t('No confirmation e-mail has been sent yet.')
          : rich(
              'We sent a confirmation e-mail {time}. The recipient agrees by opening its link, which works for {days, plural, one {# day} other {# days}}.',
              { time: <Time at={askedAt} />, days: DAYS_TO_AGREE },
            )}
      </p>
      {mayAsk && may('write') && (
        <Button size="small" busy={again.isPending} onClick={() => again.mutate()}>
          {askedAt === null ? t('Send confirmation e-mail') : t('Send it again')}
        </Button>
      )}
      <Refused error={again.error} />
    </div>
  )
}
