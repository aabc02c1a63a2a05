import { sayProblem } from '../../data/problem.ts'
import { t } from '../../language/language.ts'
import { NextTimes } from '../../parts/maintenance/next-times.tsx'
import { Panel, Waiting } from '../../parts/panel.tsx'
import type { Preview } from './use-preview.ts'

/** The window in words, and its next times, while it is being written. */
export function PreviewPanel({ preview, isSwitch }: { preview: Preview; isSwitch: boolean }) {
  const { data, error, faults, isAsked } = preview
  return (
    <Panel title={t('Preview')} className="lg:sticky lg:top-4">
      <div className="flex flex-col gap-4 p-4" aria-live="polite">
        {data ? (
          <>
            <p className="font-medium break-words">{data.sentence}.</p>
            <NextTimes preview={data} />
            {isSwitch && (
              <p className="text-sm text-soft">
                {t('After saving, you get secret addresses that turn it on and off from a script.')}
              </p>
            )}
          </>
        ) : error && Object.keys(faults).length === 0 ? (
          <p className="text-down">{sayProblem(error)}</p>
        ) : isAsked && !error ? (
          <Waiting lines={4} />
        ) : (
          <p className="text-soft">
            {t('The next times appear here once the times are complete and right.')}
          </p>
        )}
      </div>
    </Panel>
  )
}
