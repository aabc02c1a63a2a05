import { Link, useParams } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { Trouble } from '../../app/trouble.tsx'
import { useTeam } from '../../data/session.ts'
import { WindowForm } from '../../forms/maintenance/window-form.tsx'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { useWindow } from './window.tsx'
import { useWindowDone } from './window-new.tsx'

export default function WindowEdit() {
  const { id, may } = useTeam()
  const { window: named } = useParams({ from: '/signed-in/teams/$team/maintenance/$window/edit' })
  const { data, error } = useWindow(id, Number(named))
  const onDone = useWindowDone(id, (name) => t('{name} saved.', { name }))
  if (error && !data) return <Trouble error={error} />
  const back = (
    <Link
      to="/teams/$team/maintenance/$window"
      params={{ team: String(id), window: named }}
      className={buttonLook('quiet')}
    >
      {may('write') ? t('Cancel') : t('View window')}
    </Link>
  )
  return (
    <>
      <PageHead title={data ? t('Edit {name}', { name: data.data.name }) : t('Edit window')}>
        {data?.data.current && t('It runs now: a change of its times or monitors takes effect at once.')}
      </PageHead>
      {!may('write') ? (
        <Panel>
          <Empty icon={Lock} title={t('You have read-only access')} action={back}>
            {t('Ask an owner or admin of the team to change the window.')}
          </Empty>
        </Panel>
      ) : !data ? (
        <Panel>
          <Waiting lines={8} />
        </Panel>
      ) : (
        <WindowForm key={data.data.id} team={id} window={data.data} beside={back} onDone={onDone} />
      )}
    </>
  )
}
