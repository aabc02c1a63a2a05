import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { ScheduleDetail, ShownShift } from '../../../src/core/on-call/shown-schedule.ts'
import { question } from '../../data/ask.ts'
import { monthOf } from '../../data/month-grid.ts'
import { useTeam } from '../../data/session.ts'
import { readerZone } from '../../data/zone-time.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { FactTile, FactTiles } from '../../parts/facts.tsx'
import { OnCallName, OnCallUntil } from '../../parts/on-call/on-call-now.tsx'
import { ShiftMonth, shownSpan } from '../../parts/on-call/shift-month.tsx'
import { saySpan } from '../../parts/on-call/span-words.ts'
import { PageHead } from '../../parts/panel.tsx'
import { RecordScreen } from '../../parts/records/record-screen.tsx'
import { OverrideDialog, type OverrideStart } from './override-dialog.tsx'
import { ScheduleActions } from './schedule-actions.tsx'
import { ScheduleCalendar } from './schedule-calendar.tsx'
import { useSchedule } from './schedule-data.ts'
import { Layers } from './schedule-layers.tsx'
import { Overrides } from './schedule-overrides.tsx'
import { Participants } from './schedule-participants.tsx'

export default function ScheduleScreen() {
  const { id: team } = useTeam()
  const { schedule: named } = useParams({ from: '/signed-in/teams/$team/on-call/schedules/$schedule' })
  const schedule = useSchedule(team, Number(named))
  return <RecordScreen record={schedule}>{(shown) => <SchedulePage schedule={shown} />}</RecordScreen>
}

function SchedulePage({ schedule }: { schedule: ScheduleDetail }) {
  const { may } = useTeam()
  const { name, time_zone, on_call } = schedule
  const [overriding, setOverriding] = useState<OverrideStart | null>(null)
  return (
    <>
      <PageHead
        title={name}
        actions={may('write') && <ScheduleActions schedule={schedule} onOverride={() => setOverriding({})} />}
      >
        {t('On-call schedule')}
      </PageHead>
      <div className="flex flex-col gap-5">
        <FactTiles className="border border-line sm:grid-cols-2">
          <FactTile name={t('On call now')}>
            <OnCallName onCall={on_call} />
            <span className="block text-sm font-normal text-soft">
              <OnCallUntil onCall={on_call} />
            </span>
          </FactTile>
          <FactTile name={t('Time zone of the hand-overs')}>{time_zone}</FactTile>
        </FactTiles>
        <Month schedule={schedule} onOverride={setOverriding} />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[repeat(2,minmax(0,1fr))]">
          <div className="flex min-w-0 flex-col gap-5">
            <Overrides schedule={schedule} />
            {may('write') && <ScheduleCalendar schedule={schedule} />}
          </div>
          <div className="flex min-w-0 flex-col gap-5">
            <Layers schedule={schedule} />
            <Participants schedule={schedule} />
          </div>
        </div>
      </div>
      {may('write') && (
        <OverrideDialog schedule={schedule} start={overriding} onClose={() => setOverriding(null)} />
      )}
    </>
  )
}

function Month({
  schedule,
  onOverride,
}: {
  schedule: ScheduleDetail
  onOverride: (start: OverrideStart) => void
}) {
  const { id: team, may } = useTeam()
  const search = useSearch({ from: '/signed-in/teams/$team/on-call/schedules/$schedule' })
  const navigate = useNavigate({ from: '/teams/$team/on-call/schedules/$schedule' })
  const [chosen, setChosen] = useState<string | undefined>()
  const month = search.month ?? monthOf(new Date(), readerZone())
  const asked = useQuery({
    ...question(team, 'listScheduleShifts', { id: schedule.id, query: shownSpan(month) }),
    placeholderData: keepPreviousData,
  })
  const shifts = asked.data?.data
  const shift = shifts?.find(({ starts_at }) => starts_at === chosen)
  return (
    <>
      <ShiftMonth
        month={month}
        onMonth={(next) => void navigate({ search: { month: next }, resetScroll: false })}
        shifts={shifts}
        error={asked.error}
        isStale={asked.isPlaceholderData}
        participants={schedule.participants}
        overrides={schedule.overrides}
        chosen={chosen}
        onChoose={setChosen}
      />
      {shift && (
        <ChosenShift shift={shift}>
          {may('write') && Date.parse(shift.ends_at) > Date.now() && (
            <Button size="small" onClick={() => onOverride({ shift })}>
              {t('Override this shift…')}
            </Button>
          )}
        </ChosenShift>
      )}
    </>
  )
}

/** The shift that was pressed in the picture: its strip may be too short for its name. */
function ChosenShift({
  shift: { participant, starts_at, ends_at },
  children,
}: {
  shift: ShownShift
  children: React.ReactNode
}) {
  return (
    <div
      aria-live="polite"
      className="-mt-3 flex flex-wrap items-center justify-between gap-2 rounded-lg border border-line bg-panel px-4 py-2.5 max-sm:hidden"
    >
      <p>
        <span className="font-medium">{participant?.name ?? t('No one')}</span>{' '}
        <span className="text-soft">{saySpan(starts_at, ends_at)}</span>
      </p>
      {children}
    </div>
  )
}
