import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { Section } from '../../parts/panel.tsx'

/** Fetched only to be shown, and not kept. */
export function SigningSecret() {
  const { id, may } = useTeam()
  const say = useNotices()
  const [secret, setSecret] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const show = useMutation({
    mutationFn: () => ask(id, 'showSigningSecret', {}),
    onSuccess: ({ data }) => setSecret(data.signing_secret),
    gcTime: 0,
  })
  const rotate = useMutation({
    mutationFn: () => ask(id, 'rotateSigningSecret', {}),
    onSuccess: ({ data }) => {
      setSecret(data.signing_secret)
      setAsking(false)
      say.done(t('New signing secret created. Update your receivers.'))
    },
    gcTime: 0,
  })
  return (
    <Section
      title={t('Signing secret')}
      about={t(
        'Used to sign webhooks (Standard Webhooks), so that a receiver can verify that an alert comes from here.',
      )}
    >
      <div className="flex flex-col items-start gap-4 p-4">
        {secret !== null && (
          <div className="w-full">
            <Copyable text={secret} label={t('the signing secret')} />
          </div>
        )}
        <Refused error={show.error} />
        <div className="flex flex-wrap gap-2">
          {secret === null ? (
            <Button busy={show.isPending} onClick={() => show.mutate()}>
              {t('Show')}
            </Button>
          ) : (
            <Button onClick={() => setSecret(null)}>{t('Hide')}</Button>
          )}
          {may('manage') && (
            <Button tone="danger" onClick={() => setAsking(true)}>
              {t('Replace…')}
            </Button>
          )}
        </div>
      </div>
      <Confirm
        title={t('Replace the signing secret?')}
        verb={t('Replace secret')}
        open={isAsking}
        busy={rotate.isPending}
        onConfirm={() => rotate.mutate()}
        onClose={() => setAsking(false)}
      >
        {t(
          'Receivers that verify signatures reject alerts until they have the new secret. The old one stops working at once.',
        )}
        <Refused error={rotate.error} />
      </Confirm>
    </Section>
  )
}
