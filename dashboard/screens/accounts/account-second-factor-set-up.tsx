import { useMutation } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import type { TotpSetUp } from '../../../src/core/accounts/signed-in.ts'
import { askAccount } from '../../data/account.ts'
import { type Fields, fieldsOf } from '../../data/form.ts'
import { faultsOf } from '../../data/problem.ts'
import { t } from '../../language/language.ts'
import { OwnPasswordField } from '../../parts/accounts/own-fields.tsx'
import { Button } from '../../parts/button.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { TextField } from '../../parts/field.tsx'
import { LazyPart } from '../../parts/lazy-part.tsx'

const QrCode = lazy(() => import('../../parts/accounts/qr-code.tsx'))

/** Password, then the app's first code, then recovery codes. */
export function SecondFactorSetUp({ onCodes }: { onCodes: (codes: string[]) => Promise<void> }) {
  const [isAsked, setAsked] = useState(false)
  const begin = useMutation({
    mutationFn: (body: Fields<'password'>) => askAccount('beginTotp', { body }),
  })
  function cancel() {
    begin.reset()
    setAsked(false)
  }
  if (begin.data) return <ConfirmForm begun={begin.data} onCodes={onCodes} onCancel={cancel} />
  return (
    <>
      <p>{t('Off. When on, signing in also needs a code from an app on your phone.')}</p>
      {isAsked ? (
        <form
          onSubmit={(event) => begin.mutate(fieldsOf(event))}
          className="mt-4 flex max-w-sm flex-col gap-4"
        >
          <OwnPasswordField faults={faultsOf(begin.error).password} />
          <Refused error={begin.error} shown={['password']} />
          <Buttons verb={t('Continue')} busy={begin.isPending} onCancel={cancel} />
        </form>
      ) : (
        <Button className="mt-4" onClick={() => setAsked(true)}>
          {t('Set up an authenticator app')}
        </Button>
      )}
    </>
  )
}

function ConfirmForm({
  begun,
  onCodes,
  onCancel,
}: {
  begun: TotpSetUp
  onCodes: (codes: string[]) => Promise<void>
  onCancel: () => void
}) {
  const confirm = useMutation({
    mutationFn: (body: Fields<'code'>) => askAccount('confirmTotp', { body }),
    onSuccess: ({ recovery_codes }) => onCodes(recovery_codes),
  })
  return (
    <div className="flex flex-col gap-5 sm:flex-row">
      {/* Without the QR code, the secret beside it works. */}
      <LazyPart failed={null} waiting={<div className="size-48 shrink-0 rounded-md bg-sunken" />}>
        <QrCode text={begun.uri} label={t('QR code for your authenticator app')} />
      </LazyPart>
      <form
        onSubmit={(event) => confirm.mutate(fieldsOf(event))}
        className="flex min-w-0 flex-1 flex-col gap-4"
      >
        <p>
          {t(
            'Scan this with your authenticator app, or enter this secret in it. Then enter the code that the app shows.',
          )}
        </p>
        <Copyable text={begun.secret} label={t('the secret')} />
        <TextField
          label={t('Code')}
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          autoFocus
          hint={t('Six digits. Turning it on signs you out on all other devices.')}
          faults={faultsOf(confirm.error).code}
        />
        <Refused error={confirm.error} shown={['code']} />
        <Buttons verb={t('Turn on')} busy={confirm.isPending} onCancel={onCancel} />
      </form>
    </div>
  )
}

function Buttons({ verb, busy, onCancel }: { verb: string; busy: boolean; onCancel: () => void }) {
  return (
    <div className="flex gap-2">
      <Button type="submit" tone="main" busy={busy}>
        {verb}
      </Button>
      <Button tone="quiet" onClick={onCancel}>
        {t('Cancel')}
      </Button>
    </div>
  )
}
