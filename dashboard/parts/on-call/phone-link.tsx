import { Phone } from 'lucide-react'
import { t } from '../../language/language.ts'

/** The address that calls a number (RFC 3966). */
export function callUrl(phone: string): string {
  return `tel:${phone}`
}

/** Calls a person whose name stands before it. Wide enough for a thumb, it reaches into the lines around it, unseen. */
export function PhoneLink({ name, phone }: { name: string; phone: string }) {
  return (
    <a
      href={callUrl(phone)}
      title={phone}
      aria-label={t('Call {name}', { name })}
      className="-my-3 inline-flex size-9 shrink-0 items-center justify-center rounded-md text-accent hover:bg-sunken max-md:size-[44px]"
    >
      <Phone aria-hidden size={18} />
    </a>
  )
}
