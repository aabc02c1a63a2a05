import { Link } from '@tanstack/react-router'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Empty, PageHead, Panel } from '../../parts/panel.tsx'
import { FirstSteps } from './first-steps.tsx'
import type { ShownSteps } from './use-first-steps.ts'

/** The overview of a team that has nothing to look after: what to do first, for people who may do it. */
export function NothingYet({ done }: { done: ShownSteps['done'] }) {
  const { id, may } = useTeam()
  const params = { team: String(id) }
  if (!may('write')) {
    return (
      <>
        <PageHead title={t('Overview')} />
        <Panel>
          <Empty title={t('No monitors yet')}>
            {t('An owner or admin of this team can add the first monitor.')}
          </Empty>
        </Panel>
      </>
    )
  }
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead
        title={t('Overview')}
        actions={
          <>
            <Link to="/teams/$team/monitors/import" params={params} className={buttonLook()}>
              {t('Import from another tool')}
            </Link>
            <Link
              to="/teams/$team/welcome"
              params={params}
              className={`${buttonLook('main')} max-sm:order-first`}
            >
              {t('Add your first monitor')}
            </Link>
          </>
        }
      >
        {t('Enter a URL. Upbeat checks it at once, then every minute, and alerts you when it goes down.')}
      </PageHead>
      {done && <FirstSteps done={done} />}
    </div>
  )
}
