import type { WindowDetail } from '../../../src/core/maintenance/shown-window.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { RunningButtons } from '../../parts/maintenance/maintenance-buttons.tsx'
import { DeleteButton, EditLink } from '../../parts/records/record-buttons.tsx'
import { StartMenu } from './start-menu.tsx'

/** The actions on a window, for people who may change it. */
export function WindowActions({ window }: { window: WindowDetail }) {
  const { id: team } = useTeam()
  const maxMinutes = Number(window.fields.max_minutes)
  return (
    <>
      {window.current ? (
        <RunningButtons window={window} />
      ) : (
        window.kind === 'switch' && <StartMenu window={window} maxMinutes={maxMinutes} />
      )}
      <EditLink
        to="/teams/$team/maintenance/$window/edit"
        params={{ team: String(team), window: String(window.id) }}
      />
      <DeleteButton
        of="MaintenanceWindow"
        record={window}
        verb={t('Delete window')}
        about={
          <>
            {window.current && `${t('It ends now, and failures alert again.')} `}
            {window.kind === 'switch' && `${t('Its secret addresses stop working.')} `}
            {t('Past maintenance stays in the history.')}
          </>
        }
        to={{ to: '/teams/$team/maintenance', params: { team: String(team) } }}
      />
    </>
  )
}
