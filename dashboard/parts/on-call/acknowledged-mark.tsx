import { UserCheck } from 'lucide-react'
import type { Holder } from '../../../src/core/on-call/acknowledgement.ts'
import { t } from '../../language/language.ts'

/** The one who has an incident. */
export function AcknowledgedMark({ holder, className = '' }: { holder: Holder; className?: string }) {
  const said = t('Acknowledged by {person}', { person: holder.by ?? t('a former member') })
  return <Mark said={said} word={holder.by ?? t('Former member')} className={className} />
}

/** The number of those that fail together whose incident somebody has. */
export function AcknowledgedCount({ count, of }: { count: number; of: number }) {
  return <Mark said={t('{count} of {of} acknowledged', { count, of })} word={`${count}/${of}`} className="" />
}

function Mark({ said, word, className }: { said: string; word: string; className: string }) {
  return (
    <span title={said} className={`inline-flex min-w-0 items-center gap-1 text-sm text-up ${className}`}>
      <UserCheck aria-hidden size={16} className="shrink-0" />
      <span aria-hidden className="truncate">
        {word}
      </span>
      <span className="sr-only">{said}</span>
    </span>
  )
}
