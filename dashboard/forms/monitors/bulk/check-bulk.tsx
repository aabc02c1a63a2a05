import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../../../data/ask.ts'
import { type EachDone, performEach } from '../../../data/lists/perform-each.ts'
import { readAllMonitors } from '../../../data/moving-in/all-monitors.ts'
import { useTeam } from '../../../data/session.ts'
import { t } from '../../../language/language.ts'
import { Button } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { useNotices } from '../../../parts/feedback/notices.tsx'
import { EachRefused } from '../../../parts/lists/each-refused.tsx'

/** Has all chosen monitors checked now; those that cannot be are told with the reason. */
export function CheckBulk({ chosen, onDone }: { chosen: ReadonlySet<number>; onDone: () => void }) {
  const { id: team } = useTeam()
  const say = useNotices()
  const [end, setEnd] = useState<EachDone | null>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const monitors = (await readAllMonitors(team)).filter(({ id }) => chosen.has(id))
      return performEach(monitors, ({ id }) => ask(team, 'checkMonitorNow', { id }))
    },
    onSuccess(ended) {
      if (ended.done > 0) {
        say.done(
          t('{count, plural, one {Checking # monitor now.} other {Checking # monitors now.}}', {
            count: ended.done,
          }),
        )
      }
      if (ended.refused.length === 0) onDone()
      else setEnd(ended)
    },
    onError: say.problem,
  })
  return (
    <>
      <Button size="small" busy={isPending} onClick={() => mutate()}>
        {t('Check now')}
      </Button>
      <Dialog title={t('Not checked')} open={end !== null} onClose={() => setEnd(null)}>
        {end && <EachRefused end={end} />}
        <div className="mt-4 flex justify-end">
          <Button
            tone="main"
            onClick={() => {
              setEnd(null)
              onDone()
            }}
          >
            {t('Close')}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
