import { type ReactNode, useEffect, useRef } from 'react'
import { sayDoor } from '../data/audit-words.ts'
import { rich, t } from '../language/language.ts'
import { Button } from '../parts/button.tsx'
import { Time } from '../parts/time.tsx'
import type { CollisionShown } from './use-form.ts'

const strong = (inside: ReactNode) => (
  <strong key="strong" className="font-semibold">
    {inside}
  </strong>
)

/** Shows the fields that two people changed at once. The second to save decides whose values stay. */
export function CollisionPanel({ collision, busy }: { collision: CollisionShown; busy: boolean }) {
  const { by, rows, takeTheirs } = collision
  const panel = useRef<HTMLElement>(null)
  // The panel replaces the button that had the focus.
  useEffect(() => panel.current?.focus(), [])
  return (
    <section
      ref={panel}
      tabIndex={-1}
      role="alert"
      aria-label={t('Changed by someone else')}
      className="flex flex-col gap-3 rounded-lg border border-degraded bg-panel p-4"
    >
      <p>
        {by
          ? rich(
              '<strong>{person} changed this while you were editing it</strong> ({time}, {door}). Your changes are not saved yet.',
              {
                strong,
                person: by.actor ?? t('The operator'),
                time: <Time key="time" at={by.at} />,
                door: sayDoor(by.door),
              },
            )
          : rich(
              '<strong>Someone changed this while you were editing it</strong>. Your changes are not saved yet.',
              { strong },
            )}
      </p>
      <dl className="flex flex-col gap-3">
        {rows.map(({ name, label, theirs, mine }) => (
          <div key={name}>
            <dt className="font-medium">{label}</dt>
            <dd className="grid gap-x-6 break-words sm:grid-cols-2">
              <span>
                <span className="text-soft">{t('Theirs:')}</span> {theirs}
              </span>
              <span>
                <span className="text-soft">{t('Yours:')}</span> {mine}
              </span>
            </dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="main" busy={busy}>
          {t('Save yours')}
        </Button>
        <Button onClick={takeTheirs}>{t('Take theirs')}</Button>
      </div>
    </section>
  )
}
