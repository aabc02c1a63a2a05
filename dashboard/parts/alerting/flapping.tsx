import { ArrowDownUp } from 'lucide-react'
import { rich, t } from '../../language/language.ts'
import { Since } from '../time.tsx'

/** On the page of a subject of any kind: its alerts wait, since it changes too often. */
export function FlappingNotice({ since }: { since: string | null | undefined }) {
  if (!since) return null
  return (
    <p role="status" className="rounded-lg border border-line bg-panel px-4 py-3">
      {rich('Flapping for {duration}. Alerts wait until it is steady again.', {
        duration: <Since at={since} />,
      })}
    </p>
  )
}

/** The same beside one of several; nothing where it does not flap. */
export function FlappingMark({ since }: { since: string | null }) {
  if (since === null) return null
  return <Mark said={t('Flapping: alerts wait until it is steady again.')} word={t('Flapping')} />
}

/** The number of those that fail together that flap; nothing where none does. */
export function FlappingCount({ count, of }: { count: number; of: number }) {
  return count > 0 && <Mark said={t('{count} of {of} flapping', { count, of })} word={`${count}/${of}`} />
}

function Mark({ said, word }: { said: string; word: string }) {
  return (
    <span title={said} className="inline-flex shrink-0 items-center gap-1 text-sm font-normal text-degraded">
      <ArrowDownUp aria-hidden size={14} className="shrink-0" />
      {/* The word's baseline, not that of the shape, to line up with its neighbors. */}
      <span aria-hidden className="self-baseline">
        {word}
      </span>
      <span className="sr-only">{said}</span>
    </span>
  )
}
