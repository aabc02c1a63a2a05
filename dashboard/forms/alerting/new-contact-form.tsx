import type { ReactNode } from 'react'
import type { Contact, ContactType } from '../../../src/core/alerting/contact.ts'
import { isOfBrowser } from '../../../src/core/alerting/contact-types.ts'
import { canGetAlerts, subscribeThisBrowser } from '../../data/device/push.ts'
import { useSession } from '../../data/session.ts'
import { sayUserAgent } from '../../data/user-agent.ts'
import { t } from '../../language/language.ts'
import { ContactForm } from '../contact-form.tsx'

type Props = {
  team: number
  type: ContactType
  beside?: ReactNode
  guarded?: boolean
  isFirst?: boolean
  onDone: (contact: Contact) => void
}

/** The form of a new contact; for a browser, the button that makes the one that shows it a contact of the team. */
export function NewContactForm(props: Props) {
  if (isOfBrowser(props.type)) return <AlertThisBrowser {...props} />
  return <ContactForm {...props} verb={t('Add contact')} />
}

function AlertThisBrowser(props: Props) {
  const { user } = useSession()
  if (!canGetAlerts()) {
    return (
      <div className="flex flex-col items-start gap-4">
        <p className="max-w-2xl">
          {t(
            'This browser cannot get alerts. On an iPhone or iPad, add Upbeat to the Home Screen (Share → Add to Home Screen) and open it from there. Other browsers need an address that begins with https.',
          )}
        </p>
        {props.beside}
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="max-w-2xl text-soft">
        {t(
          'Alerts appear as notifications of this browser, also while Upbeat is closed. They travel encrypted through the push service of the browser’s maker. Signing out of this browser ends them.',
        )}
      </p>
      <ContactForm
        {...props}
        name={`${user.name}, ${sayUserAgent(navigator.userAgent)}`}
        askConfig={() => subscribeThisBrowser(props.team)}
        verb={t('Alert this browser')}
      />
    </div>
  )
}
