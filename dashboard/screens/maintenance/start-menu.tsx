import type { WindowRow } from '../../../src/core/maintenance/shown-window.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Of } from '../../parts/maintenance/maintenance-buttons.tsx'
import { QUICK_LENGTHS, useMaintenance } from '../../parts/maintenance/use-maintenance.ts'
import { MenuButton, MenuItem } from '../../parts/menu.tsx'

/** Turns a switch on, for a while or for its longest time. */
export function StartMenu({
  window,
  maxMinutes = Number.POSITIVE_INFINITY,
}: {
  window: Pick<WindowRow, 'id' | 'name'>
  /** Longer times are not offered. */
  maxMinutes?: number
}) {
  const { id: team } = useTeam()
  const act = useMaintenance(team)
  return (
    <MenuButton
      button={
        <Button size="small" busy={act.isPending}>
          {t('Turn on')}
          <Of name={window.name} />
        </Button>
      }
    >
      <MenuItem onSelect={() => act.mutate({ do: 'start', window })}>{t('For its longest time')}</MenuItem>
      {QUICK_LENGTHS.filter(({ minutes }) => minutes < maxMinutes).map(({ minutes, label }) => (
        <MenuItem key={minutes} onSelect={() => act.mutate({ do: 'start', window, minutes })}>
          {t('For {duration}', { duration: label })}
        </MenuItem>
      ))}
    </MenuButton>
  )
}
