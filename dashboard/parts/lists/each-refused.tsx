import { byReason, type EachDone } from '../../data/lists/perform-each.ts'
import { t } from '../../language/language.ts'
import { sayNames } from './chosen.tsx'

/** The records that an action on many is or was not done to, by reason. */
export function EachRefused({ end }: { end: EachDone }) {
  return (
    <section role="alert">
      <h3 className="font-medium text-down">
        {t('{count, plural, one {# is left as it is} other {# are left as they are}}', {
          count: end.refused.length,
        })}
      </h3>
      <ul className="mt-1 flex flex-col gap-1">
        {byReason(end).map(({ reason, names }) => (
          <li key={reason} className="break-words">
            {sayNames(names)}: {reason}
          </li>
        ))}
      </ul>
    </section>
  )
}
