import { Link } from '@tanstack/react-router'
import { CircleCheck, TriangleAlert, Wrench } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import type { WindowRow } from '../../../src/core/maintenance/shown-window.ts'
import { useTeam } from '../../data/session.ts'
import { say } from '../../language/faults.ts'
import { rich, t } from '../../language/language.ts'
import { RunningButtons } from '../../parts/maintenance/maintenance-buttons.tsx'
import { sayOnPages } from '../../parts/maintenance/on-pages.ts'
import { saySubjects } from '../../parts/maintenance/subject-words.ts'
import { DayTime, SpanTime } from '../../parts/maintenance/window-time.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Row, Rows } from '../../parts/rows.tsx'
import { Time } from '../../parts/time.tsx'
import { StartMenu } from './start-menu.tsx'

type RowOf = ComponentType<{ window: WindowRow }>

/** A part of the list. */
export function WindowRows({
  title,
  windows,
  row: RowOf,
  empty,
}: {
  title: string
  windows: WindowRow[]
  row: RowOf
  empty?: string
}) {
  return (
    <Panel title={title}>
      {windows.length === 0 ? (
        <p className="px-4 py-5 text-soft">{empty}</p>
      ) : (
        <Rows label={title}>
          {windows.map((window) => (
            <RowOf key={window.id} window={window} />
          ))}
        </Rows>
      )}
    </Panel>
  )
}

export function RunningRow({ window }: { window: WindowRow }) {
  const { may } = useTeam()
  const { current } = window
  return (
    <Row title={<Name window={window} />} actions={may('write') && <RunningButtons window={window} />}>
      {current && (
        <Line icon={<Wrench aria-hidden size={16} className="shrink-0 text-maintenance" />}>
          {rich('Until {time}, ends {ago}', {
            time: <DayTime at={current.ends_at} />,
            ago: <Time at={current.ends_at} />,
          })}
        </Line>
      )}
      <About window={window} />
    </Row>
  )
}

export function PlannedRow({ window }: { window: WindowRow }) {
  const { next } = window
  return (
    <Row title={<Name window={window} />}>
      {next && (
        <p>
          <span className="text-ink">
            <SpanTime span={next} />
          </span>
          , <Time at={next.starts_at} />
        </p>
      )}
      <About window={window} />
    </Row>
  )
}

export function SwitchRow({ window }: { window: WindowRow }) {
  const { may } = useTeam()
  const { current } = window
  return (
    <Row
      title={<Name window={window} />}
      actions={may('write') && (current ? <RunningButtons window={window} /> : <StartMenu window={window} />)}
    >
      <Line
        icon={
          current ? (
            <Wrench aria-hidden size={16} className="shrink-0 text-maintenance" />
          ) : (
            <CircleCheck aria-hidden size={16} className="shrink-0 text-soft" />
          )
        }
      >
        {current ? (
          rich('On until {time}', { time: <DayTime at={current.ends_at} /> })
        ) : (
          <span className="text-soft">{t('Off')}</span>
        )}
      </Line>
      <About window={window} />
    </Row>
  )
}

export function OverRow({ window }: { window: WindowRow }) {
  return (
    <Row title={<Name window={window} />}>
      <About window={window} />
    </Row>
  )
}

function Name({ window: { id: window, name, fault } }: { window: WindowRow }) {
  const { id } = useTeam()
  return (
    <>
      <Link
        to="/teams/$team/maintenance/$window"
        params={{ team: String(id), window: String(window) }}
        className="min-w-0 py-1 break-words hover:underline"
      >
        {name}
      </Link>
      {fault !== null && (
        <span className="flex items-center gap-1 text-sm font-normal text-degraded">
          <TriangleAlert aria-hidden size={16} className="shrink-0" />
          {t('No effect. {fault}', { fault: say(fault) })}
        </span>
      )}
    </>
  )
}

function About({ window }: { window: WindowRow }) {
  return (
    <p className="break-words">
      {window.sentence}. {saySubjects(window)}. {sayOnPages(window)}
    </p>
  )
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex items-center gap-1.5 text-ink">
      {icon}
      <span>{children}</span>
    </p>
  )
}
