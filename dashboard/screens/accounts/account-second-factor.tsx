import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { askAccount } from '../../data/account.ts'
import { refreshSession, useSession } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Section } from '../../parts/panel.tsx'
import { RecoveryCodes } from './account-recovery-codes.tsx'
import { SecondFactorProof } from './account-second-factor-proof.tsx'
import { SecondFactorSetUp } from './account-second-factor-set-up.tsx'

/** Two-factor sign-in: codes from an authenticator app besides the password. */
export function AccountSecondFactor() {
  const { user } = useSession()
  const [codes, setCodes] = useState<string[] | null>(null)
  const queries = useQueryClient()

  async function takeCodes(given: string[]) {
    setCodes(given)
    await refreshSession(queries)
  }

  return (
    <Section
      title={t('Two-factor sign-in')}
      about={t('A code from an app on your phone, asked for besides your password.')}
    >
      <div className="p-4">
        {codes ? (
          <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
        ) : user.uses_totp ? (
          <InUse onCodes={takeCodes} />
        ) : (
          <SecondFactorSetUp onCodes={takeCodes} />
        )}
      </div>
    </Section>
  )
}

function InUse({ onCodes }: { onCodes: (codes: string[]) => Promise<void> }) {
  const queries = useQueryClient()
  const [asked, setAsked] = useState<'renew' | 'remove' | null>(null)
  const close = () => setAsked(null)
  return (
    <>
      <p className="flex items-center gap-1.5">
        <CircleCheck aria-hidden size={16} className="text-up" />
        {t('On. Signing in with your password also needs a code from your authenticator app.')}
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button onClick={() => setAsked('renew')}>{t('New recovery codes')}</Button>
        <Button tone="danger" onClick={() => setAsked('remove')}>
          {t('Turn off')}
        </Button>
      </div>
      <Dialog title={t('New recovery codes')} open={asked === 'renew'} onClose={close}>
        <SecondFactorProof
          prove={(body) => askAccount('renewRecoveryCodes', { body })}
          verb={t('Generate new codes')}
          onClose={close}
          onDone={async ({ recovery_codes }) => {
            close()
            await onCodes(recovery_codes)
          }}
        >
          {t('Your current codes will stop working.')}
        </SecondFactorProof>
      </Dialog>
      <Dialog title={t('Turn off two-factor sign-in?')} open={asked === 'remove'} onClose={close}>
        <SecondFactorProof
          prove={(body) => askAccount('removeTotp', { body })}
          verb={t('Turn off')}
          tone="danger"
          onClose={close}
          onDone={async () => {
            close()
            await refreshSession(queries)
          }}
        >
          {t('You will sign in with your password alone.')}
        </SecondFactorProof>
      </Dialog>
    </>
  )
}
