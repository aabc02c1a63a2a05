import { Link } from '@tanstack/react-router'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Empty, PageHead, Panel } from '../../parts/panel.tsx'

/** The overview of a team that has nothing to look after. */
export function NothingYet() {
  const { id, may } = useTeam()
  const params = { team: String(id) }
  return (
    <>
      <PageHead title={t('Overview')} />
      <Panel>
        <Empty
          title={t('No monitors yet')}
          action={
            may('write') && (
              <div className="flex flex-wrap justify-center gap-2">
                <Link to="/teams/$team/welcome" params={params} className={buttonLook('main')}>
                  {t('Add your first monitor')}
                </Link>
                <Link to="/teams/$team/monitors/import" params={params} className={buttonLook()}>
                  {t('Import from another tool')}
                </Link>
              </div>
            )
          }
        >
          {may('write')
            ? t('Enter a URL. Upbeat checks it at once, then every minute, and alerts you when it goes down.')
            : t('An owner or admin of this team can add the first monitor.')}
        </Empty>
      </Panel>
    </>
  )
}
