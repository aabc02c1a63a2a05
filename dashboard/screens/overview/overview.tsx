import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { allCounts, downOf } from '../../../src/core/overview/counts.ts'
import type { Overview as OverviewData } from '../../../src/core/overview/overview.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { sayCount } from '../../language/count.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Trouble } from '../../parts/feedback/trouble.tsx'
import { LazyPart, preloadable } from '../../parts/lazy-part.tsx'
import { useWindows } from '../../parts/maintenance/windows.ts'
import { PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { figuresQuestion } from './figures-question.ts'
import { sayDown, saySubjects, totalOf } from './overview-counts.ts'
import { Troubles } from './overview-troubles.tsx'
import { StatusTiles } from './status-tiles.tsx'
import { type ShownSteps, useFirstSteps } from './use-first-steps.ts'

const loadParts = () => import('./overview-parts.ts')
const Alerting = preloadable(async () => ({ default: (await loadParts()).Alerting }))
const Events = preloadable(async () => ({ default: (await loadParts()).Events }))
const Figures = preloadable(async () => ({ default: (await loadParts()).Figures }))
const UnderMaintenance = preloadable(async () => ({ default: (await loadParts()).UnderMaintenance }))
const FirstFigures = preloadable(async () => ({ default: (await loadParts()).FirstFigures }))
const FirstSteps = preloadable(async () => ({ default: (await loadParts()).FirstSteps }))
const NothingYet = preloadable(async () => ({ default: (await loadParts()).NothingYet }))

/** Loads all of it, for people who come from another screen. */
export async function preloadOverview(): Promise<void> {
  const parts = [Alerting, Events, Figures, FirstFigures, FirstSteps, UnderMaintenance, NothingYet]
  await Promise.all(parts.map(({ preload }) => preload()))
}

/** The first screen: problems first. */
export function Overview() {
  const { id } = useTeam()
  const { data, error } = useQuery(question(id, 'getOverview', {}))
  // Asked for beside it: they take longer, and are drawn last.
  usePrefetchQuery(figuresQuestion(id))
  // A banner that came later would move all below it.
  const windows = useWindows(id)
  // Asked again after a failure, they are not waited for again: the overview would go and come with each attempt.
  const steps = useFirstSteps()
  const isPending = (windows.isPending && windows.errorUpdateCount === 0) || steps.isPending
  if (error && !data) return <Trouble error={error} />
  if (!data || isPending) return <OverviewWaiting />
  if (totalOf(allCounts(data.data)) > 0) return <Watched overview={data.data} steps={steps} />
  return (
    <LazyPart waiting={<OverviewWaiting />} failed={null}>
      <NothingYet done={steps.done} />
    </LazyPart>
  )
}

function Watched({ overview, steps }: { overview: OverviewData; steps: ShownSteps }) {
  const { id } = useTeam()
  const team = String(id)
  const { failing_contacts, contacts_count } = overview
  const down = downOf(overview)
  return (
    <>
      <PageHead
        title={down > 0 ? t('{count} down', { count: sayCount(down) }) : t('All is well')}
        // The mark before each title has the number.
        tab={down > 0 ? t('Overview') : `${t('All is well')} · ${t('Overview')}`}
        actions={
          <>
            {/* The bar of a phone leads there. */}
            <Link to="/teams/$team/monitors" params={{ team }} className={`${buttonLook()} max-sm:hidden`}>
              {t('All monitors')}
            </Link>
            <Link
              to="/teams/$team/wallboard"
              params={{ team }}
              className={`${buttonLook('quiet')} max-sm:hidden`}
            >
              {t('Wallboard')}
            </Link>
          </>
        }
      >
        {/* Always there, so that it pushes nothing away. */}
        <p className="line-clamp-2 min-h-[2lh] sm:min-h-[1lh]">{saySummary(overview)}</p>
      </PageHead>
      <Maintenance />
      <StatusTiles counted={overview} />
      <LazyPart
        waiting={<div aria-busy="true" className="mb-3 min-h-11 sm:mb-5 sm:min-h-12" />}
        failed={null}
      >
        <Alerting failing={failing_contacts} count={contacts_count} />
      </LazyPart>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] xl:grid-rows-[auto_1fr]">
        {steps.done && !steps.isHidden ? (
          <Beginning overview={overview} done={steps.done} onHide={steps.hide} />
        ) : (
          <>
            <div className="flex min-w-0 flex-col gap-5">
              <Troubles overview={overview} />
              <LazyPart waiting={<div aria-busy="true" className="min-h-240 sm:min-h-180" />} failed={null}>
                <Figures />
              </LazyPart>
            </div>
            <LazyPart waiting={<div aria-busy="true" className="min-h-120" />} failed={null}>
              <Events overview={overview} />
            </LazyPart>
          </>
        )}
      </div>
    </>
  )
}

/** The first steps stand where a new team would have empty boxes; these come once they have something to say. */
function Beginning({
  overview,
  done,
  onHide,
}: {
  overview: OverviewData
  done: NonNullable<ShownSteps['done']>
  onHide: () => void
}) {
  return (
    <>
      <Troubles overview={overview} />
      <LazyPart waiting={<div aria-busy="true" className="min-h-120" />} failed={null}>
        <div className="flex min-w-0 flex-col gap-5 xl:col-start-2 xl:row-span-2 xl:row-start-1">
          <FirstSteps done={done} onHide={onHide} />
          {overview.events.length > 0 && <Events overview={overview} />}
        </div>
        <FirstFigures />
      </LazyPart>
    </>
  )
}

/** Loaded only when something is under maintenance. */
function Maintenance() {
  const { id } = useTeam()
  const { data } = useWindows(id)
  if (!data?.data.some(({ current }) => current)) return null
  return (
    <LazyPart waiting={<div aria-busy="true" className="mb-3 min-h-11 sm:mb-5 sm:min-h-14" />} failed={null}>
      <UnderMaintenance />
    </LazyPart>
  )
}

/** One sentence that says what the numbers count, and what of the monitors is planned or warns. */
function saySummary(overview: OverviewData): string {
  const { down, degraded, maintenance } = overview.counts
  const planned =
    maintenance > 0 &&
    t(
      '{count, plural, =1 {One monitor is failing under maintenance.} other {# monitors are failing under maintenance.}}',
      { count: maintenance },
    )
  if (downOf(overview) > 0) return [sayDown(overview), planned].filter(Boolean).join(' ')
  const warned =
    down === 0 &&
    degraded > 0 &&
    (planned ? t('All others pass, some with a warning.') : t('All monitors pass, some with a warning.'))
  return [planned, warned].filter(Boolean).join(' ') || `${saySubjects(overview, totalOf)}.`
}

function OverviewWaiting() {
  return (
    <>
      <PageHead title={t('Overview')} />
      <Panel className="mb-5">
        <Waiting lines={2} />
      </Panel>
      <Panel>
        <Waiting lines={8} />
      </Panel>
    </>
  )
}
