import { AccountFrame } from '../../app/account-frame.tsx'
import { t } from '../../language/language.ts'
import { PageHead } from '../../parts/panel.tsx'
import { AccountDeletion } from './account-deletion.tsx'
import { AccountLog } from './account-log.tsx'
import { AccountPasskeys } from './account-passkeys.tsx'
import { AccountPassword } from './account-password.tsx'
import { AccountPerson } from './account-person.tsx'
import { AccountSecondFactor } from './account-second-factor.tsx'
import { AccountSessions } from './account-sessions.tsx'

export default function Account() {
  return (
    <AccountFrame>
      <PageHead title={t('Your account')}>{t('Shared across all your teams.')}</PageHead>
      <div className="flex flex-col gap-8">
        <AccountPerson />
        <AccountPassword />
        <AccountSecondFactor />
        <AccountPasskeys />
        <AccountSessions />
        <AccountLog />
        <AccountDeletion />
      </div>
    </AccountFrame>
  )
}
