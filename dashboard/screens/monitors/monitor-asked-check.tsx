import type { Checked } from '../../data/phases.ts'
import { sayProblem } from '../../data/problem.ts'
import { t } from '../../language/language.ts'
import { Button, Spinner } from '../../parts/button.tsx'
import { CheckFound } from '../../parts/monitors/check-found.tsx'
import { Panel } from '../../parts/panel.tsx'
import type { useCheckNow } from './monitor-check-now.ts'

/** The check that a person has just requested. */
export function AskedCheck({ asked, of }: { asked: ReturnType<typeof useCheckNow>; of: Checked }) {
  if (asked.isIdle) return null
  return (
    <Panel
      title={t('Requested check')}
      actions={
        !asked.isPending && (
          <Button size="small" onClick={() => asked.reset()}>
            {t('Close')}
          </Button>
        )
      }
    >
      <div role="status" className="min-h-44 p-4">
        {asked.isPending && (
          <p className="flex items-center gap-2 text-soft">
            <Spinner /> {t('Checking…')}
          </p>
        )}
        {asked.isError && <p className="text-down">{sayProblem(asked.error)}</p>}
        {asked.isSuccess && (asked.data ? <CheckFound check={asked.data} of={of} /> : <NoneCame />)}
      </div>
    </Panel>
  )
}

function NoneCame() {
  return <p>{t('No result within 30 seconds. It will appear in the checks below as soon as it arrives.')}</p>
}
