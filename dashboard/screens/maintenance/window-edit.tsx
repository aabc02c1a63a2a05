import { useParams } from '@tanstack/react-router'
import { useTeam } from '../../data/session.ts'
import { WindowForm } from '../../forms/maintenance/window-form.tsx'
import { t } from '../../language/language.ts'
import { EditScreen } from '../../parts/records/form-screen.tsx'
import { useWindow } from './window.tsx'

export default function WindowEdit() {
  const { id: team } = useTeam()
  const { window: named } = useParams({ from: '/signed-in/teams/$team/maintenance/$window/edit' })
  const edited = useWindow(team, Number(named))
  return (
    <EditScreen
      title={t('Edit window')}
      about={
        edited.data?.data.current && t('It runs now: a change of its times or monitors takes effect at once.')
      }
      back={{ to: '/teams/$team/maintenance/$window', params: { team: String(team), window: named } }}
      view={t('View window')}
      readOnly={t('Ask an owner or admin of the team to change the window.')}
      record={edited}
      needs={{}}
    >
      {(window, _, form) => <WindowForm team={team} window={window} {...form} />}
    </EditScreen>
  )
}
