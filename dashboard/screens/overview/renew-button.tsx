import { sayCount } from '../../language/count.ts'
import { hidden } from '../../language/hidden.tsx'
import { rich } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'

/** Shows what waits. It keeps its place, so that it pushes nothing when it appears. */
export function RenewButton({
  waiting,
  isStale,
  what,
  onRenew,
}: {
  waiting: number
  isStale: boolean
  what: string
  onRenew: () => void
}) {
  return (
    <Button
      size="small"
      tone={waiting > 0 ? 'main' : 'plain'}
      className={`min-w-24 ${waiting > 0 || isStale ? '' : 'invisible'}`}
      onClick={onRenew}
    >
      <span>
        {waiting > 0
          ? rich('{count} new<hidden> ({what})</hidden>', { count: sayCount(waiting), what, hidden })
          : rich('Update<hidden> ({what})</hidden>', { what, hidden })}
      </span>
    </Button>
  )
}
