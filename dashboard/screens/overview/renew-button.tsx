import { Button } from '../../parts/button.tsx'
import { sayCount } from '../../parts/locale.ts'

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
        {waiting > 0 ? `${sayCount(waiting)} new` : 'Update'}
        <span className="sr-only"> ({what})</span>
      </span>
    </Button>
  )
}
