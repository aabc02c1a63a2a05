import { Link } from '@tanstack/react-router'
import { Wrench } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ofEachField, type SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button, type Tone } from '../button.tsx'
import { Confirm } from '../confirm.tsx'
import { MenuButton, MenuItem, MenuLine, MenuLink, MenuNote } from '../menu.tsx'
import { MORE_MINUTES, QUICK_LENGTHS, useMaintenance } from './use-maintenance.ts'

/** Ends what runs, or lets it last longer. */
export function RunningButtons({
  window,
  coversOthers = false,
}: {
  window: { id: number; name: string }
  /** Asks before the end, on the page of one of several subjects. */
  coversOthers?: boolean
}) {
  const { id: team } = useTeam()
  const [isAsking, setAsking] = useState(false)
  const act = useMaintenance(team, (_, { do: done }) => {
    setAsking(false)
    // These buttons go with what has ended: people at the keyboard go on from the top of the screen.
    if (done === 'end') document.querySelector('main')?.focus({ preventScroll: true })
  })
  const end = () => act.mutate({ do: 'end', window })
  const isDoing = (what: string) => act.isPending && act.variables.do === what
  return (
    <>
      <Button size="small" busy={isDoing('prolong')} onClick={() => act.mutate({ do: 'prolong', window })}>
        {t('{count, plural, one {Extend by # minute} other {Extend by # minutes}}', { count: MORE_MINUTES })}
        <Of name={window.name} />
      </Button>
      <Button size="small" busy={isDoing('end')} onClick={() => (coversOthers ? setAsking(true) : end())}>
        {t('End now')}
        <Of name={window.name} />
      </Button>
      <Confirm
        title={t('End {name}?', { name: window.name })}
        verb={t('End now')}
        open={isAsking}
        busy={isDoing('end')}
        onConfirm={end}
        onClose={() => setAsking(false)}
      >
        {t('It ends for everything that it covers, not only for this one.')}
      </Confirm>
    </>
  )
}

/** Tells buttons of several windows apart for screen readers. */
export function Of({ name }: { name: string }) {
  return <span className="sr-only"> ({name})</span>
}

/** Puts subjects under maintenance in two clicks. */
export function MaintainMenu({
  kind,
  ids,
  size = 'usual',
  tone = 'plain',
  className,
  next,
  hidden,
  onDone,
}: {
  kind: SubjectKind
  ids: number[]
  size?: 'usual' | 'small'
  tone?: Tone
  className?: string
  /** Words about the next maintenance. */
  next?: ReactNode
  /** Names the status pages that do not show it. */
  hidden?: ReactNode
  onDone?: () => void
}) {
  const { id: team } = useTeam()
  const act = useMaintenance(team, onDone)
  const subjects = ofEachField('_ids', (one) => (one === kind ? ids : []))
  return (
    <MenuButton
      button={
        <Button size={size} tone={tone} busy={act.isPending} {...(className && { className })}>
          <Wrench aria-hidden size={16} />
          {t('Maintenance')}
        </Button>
      }
    >
      {QUICK_LENGTHS.map(({ minutes, label }) => (
        <MenuItem key={minutes} onSelect={() => act.mutate({ do: 'maintain', subjects, minutes })}>
          {t('Now, for {length}', { length: label })}
        </MenuItem>
      ))}
      <MenuNote>{hidden ?? t('Status pages do not show it.')}</MenuNote>
      <MenuLine />
      {next}
      <MenuLink>
        <Link
          to="/teams/$team/maintenance/new"
          params={{ team: String(team) }}
          {...(ids.length === 1 && { search: { [kind]: ids[0] } })}
        >
          {t('Plan maintenance…')}
        </Link>
      </MenuLink>
    </MenuButton>
  )
}
