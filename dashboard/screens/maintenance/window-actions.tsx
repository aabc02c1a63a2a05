import { Link } from '@tanstack/react-router'
import type { WindowDetail } from '../../../src/core/maintenance/shown-window.ts'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { RunningButtons } from '../../parts/maintenance/maintenance-buttons.tsx'
import { deletionWords, useDeletion } from '../../parts/records/record-action.tsx'
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
      <Link
        to="/teams/$team/maintenance/$window/edit"
        params={{ team: String(team), window: String(window.id) }}
        className={buttonLook('plain', 'small')}
      >
        {t('Edit')}
      </Link>
      <Delete window={window} />
    </>
  )
}

function Delete({ window: { id, name, current, kind } }: { window: WindowDetail }) {
  const { id: team } = useTeam()
  const deletion = useDeletion({
    ...deletionWords(name),
    verb: t('Delete window'),
    about: (
      <>
        {current && `${t('It ends now, and failures alert again.')} `}
        {kind === 'switch' && `${t('Its secret addresses stop working.')} `}
        {t('Past maintenance stays in the history.')}
      </>
    ),
    remove: () => ask(team, 'deleteMaintenanceWindow', { id }),
    to: { to: '/teams/$team/maintenance', params: { team: String(team) } },
    forget: [[team, 'getMaintenanceWindow', id]],
  })
  return (
    <>
      <Button size="small" tone="danger" onClick={deletion.ask}>
        {t('Delete')}
      </Button>
      {deletion.question}
    </>
  )
}
