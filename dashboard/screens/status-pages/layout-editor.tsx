import { useCallback, useEffect, useRef, useState } from 'react'
import type { ShownLayout, StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { LeaveGuard } from '../../forms/form-frame.tsx'
import {
  addGroup,
  addStatic,
  componentsIn,
  type Direction,
  draftOfLayout,
  type LayoutDraft,
  layoutFaults,
  layoutOf,
  type Place,
  place,
  remove,
  sayPlace,
  step,
} from '../../forms/status-pages/layout-draft.ts'
import { sayCount } from '../../language/count.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { Panel } from '../../parts/panel.tsx'
import { PagePreviewPanel } from '../../parts/status-pages/page-preview.tsx'
import { useChangePage } from '../../parts/status-pages/use-page.ts'
import { AddSubjects } from './add-subjects.tsx'
import { LayoutRows } from './layout-rows.tsx'

/** Orders what is on a page, and saves all of it at once. */
export function LayoutEditor({ page }: { page: StatusPageDetail }) {
  const { id: team } = useTeam()
  const [saved, setSaved] = useState(page.layout)
  const [draft, setDraft] = useState<LayoutDraft>(() => draftOfLayout(page.layout))
  const [attempts, setAttempts] = useState(0)
  const [said, setSaid] = useState('')
  const rows = useRef<HTMLDivElement>(null)
  const save = useChangePage(t('{name} saved.', { name: page.name }))
  const faults = layoutFaults(draft)
  const isDirty = useRef(false)
  const sent = JSON.stringify(layoutOf(draft))
  const hasChanges = sent !== JSON.stringify(layoutOf(draftOfLayout(saved)))
  const isOvertaken = JSON.stringify(page.layout) !== JSON.stringify(saved)
  const count = componentsIn(draft).length
  useEffect(() => {
    isDirty.current = hasChanges
  }, [hasChanges])

  function take(layout: ShownLayout) {
    setSaved(layout)
    setDraft(draftOfLayout(layout))
    setAttempts(0)
  }
  // Saved by another person: without changes of one's own there is nothing to decide.
  if (isOvertaken && !hasChanges && !save.isPending) take(page.layout)

  const latest = useRef(draft)
  latest.current = draft
  const put = useCallback((key: string, target: Place) => {
    const next = place(latest.current, key, target)
    setDraft(next)
    setSaid(sayPlace(next, key))
  }, [])

  function move(key: string, direction: Direction) {
    const target = step(draft, key, direction)
    if (target) put(key, target)
  }

  function submit() {
    if (faults.size > 0) return setAttempts((times) => times + 1)
    save.mutate(() => ask(team, 'saveStatusPageLayout', { id: page.id, body: layoutOf(draft) }), {
      onSuccess: ({ data }) => {
        isDirty.current = false
        take(data.layout)
      },
    })
  }

  useEffect(() => {
    if (attempts > 0) rows.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [attempts])

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-5">
        <Panel
          title={count === 0 ? t('Components') : t('Components ({count})', { count: sayCount(count) })}
          actions={
            <>
              <Button size="small" onClick={() => setDraft(addGroup)}>
                {t('Add group')}
              </Button>
              <Button size="small" onClick={() => setDraft(addStatic)}>
                {t('Add component by hand')}
              </Button>
            </>
          }
        >
          <div
            ref={rows}
            // Focused fields are not below the bar that stays at the bottom.
            className="flex flex-col gap-2 p-3 [&_button]:scroll-mb-28 [&_input]:scroll-mb-28 [&_select]:scroll-mb-28"
          >
            {draft.length === 0 && (
              <p className="px-1 py-3 text-soft">
                {t(
                  'There is nothing on this page yet. Add monitors, servers or sites below, or something whose state you set by hand.',
                )}
              </p>
            )}
            <LayoutRows
              draft={draft}
              faults={attempts > 0 ? faults : new Map()}
              onChange={setDraft}
              onMove={move}
              onPlace={put}
              onRemove={(key) => setDraft((all) => remove(all, key))}
            />
          </div>
          <div className="sticky bottom-14 flex lg:bottom-0 flex-wrap items-center gap-2 rounded-b-lg border-t border-line bg-panel px-4 py-3">
            <Button tone="main" busy={save.isPending} aria-disabled={!hasChanges} onClick={submit}>
              {t('Save page')}
            </Button>
            {hasChanges && <Discard onDiscard={() => take(page.layout)} />}
            <span className="text-sm text-soft">
              {hasChanges ? t('Not saved yet.') : t('Everything is saved.')}
            </span>
            {isOvertaken && hasChanges && (
              <p role="alert" className="basis-full text-degraded">
                {t(
                  'Someone else changed this page meanwhile. Saving replaces their order by yours; discard your changes to take theirs.',
                )}
              </p>
            )}
            {attempts > 0 && faults.size > 0 && (
              <p role="alert" className="basis-full text-down">
                {t('{count, plural, one {A row needs correction.} other {# rows need correction.}}', {
                  count: faults.size,
                })}
              </p>
            )}
            <Refused error={save.error} />
          </div>
        </Panel>
        <AddSubjects draft={draft} onChange={setDraft} />
      </div>
      <div className="min-w-0 xl:sticky xl:top-4">
        <PagePreviewPanel
          team={team}
          page={page.id}
          draft={layoutFaults(draft).size === 0 ? { layout: layoutOf(draft) } : null}
        />
      </div>
      <p role="status" className="sr-only">
        {said}
      </p>
      <LeaveGuard form={{ isDirty }} />
    </div>
  )
}

function Discard({ onDiscard }: { onDiscard: () => void }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button tone="quiet" onClick={() => setAsking(true)}>
        {t('Discard changes')}
      </Button>
      <Confirm
        title={t('Discard your changes?')}
        verb={t('Discard')}
        open={isAsking}
        onConfirm={onDiscard}
        onClose={() => setAsking(false)}
      >
        {t('Components, groups and their order are as they were saved last.')}
      </Confirm>
    </>
  )
}
