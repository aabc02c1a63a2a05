import { useQuery } from '@tanstack/react-query'
import { AccountFrame } from '../../app/account-frame.tsx'
import { serviceSettingsQuestion } from '../../data/account.ts'
import { useSession } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Refused } from '../../parts/feedback/refused.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { ServiceAddress } from './service-address.tsx'
import { ServiceMail } from './service-mail.tsx'

/** The settings of the whole service, for its operators: the public address and the mail server. */
export default function ServiceSettings() {
  const { user } = useSession()
  return (
    <AccountFrame>
      <PageHead title={t('Service settings')}>
        {t('For the whole service: changes apply at once, without a restart')}
      </PageHead>
      {user.is_operator ? (
        <Settings />
      ) : (
        <Panel>
          <Empty title={t('Operators only')}>
            {t('Only the operators of this service can change its settings.')}
          </Empty>
        </Panel>
      )}
    </AccountFrame>
  )
}

function Settings() {
  const { data, error } = useQuery(serviceSettingsQuestion)
  if (error) return <Refused error={error} />
  if (!data) return <Waiting lines={8} />
  return (
    <div className="flex flex-col gap-8">
      <ServiceMail settings={data} />
      <ServiceAddress settings={data} />
    </div>
  )
}
