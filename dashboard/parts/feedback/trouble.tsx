import { Link, Navigate, useRouter } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { Problem, sayProblem } from '../../data/problem.ts'
import { sessionEndedAt } from '../../data/sign-in/session-end.ts'
import { wayBack } from '../../data/way-back.ts'
import { t } from '../../language/language.ts'
import { Button, buttonLook } from '../button.tsx'
import { usePageTitle } from '../page-title.ts'
import { Empty } from '../panel.tsx'
import { NotLoaded, NotLoadedYet } from './not-loaded.tsx'

/**
 * Takes the place of a screen that could not be shown, or, `within` a screen that has its heading, of a part of one.
 */
export function Trouble({ error, within = false }: { error: unknown; within?: boolean }) {
  return error instanceof NotLoaded ? <NotLoadedYet /> : <Failed error={error} within={within} />
}

function Failed({ error, within }: { error: unknown; within: boolean }) {
  const router = useRouter()
  const isMissing = error instanceof Problem && error.status === 404
  const title = isMissing ? t('Page not found') : t('Something went wrong')
  usePageTitle(within ? null : title)
  if (error instanceof Problem && error.status === 401) {
    // After signing in again, the person returns here.
    return (
      <Navigate
        to="/sign-in"
        search={{ to: wayBack(router.state.location.href), ended: sessionEndedAt() ?? undefined }}
      />
    )
  }
  return (
    <div role="alert">
      <Empty
        icon={CircleAlert}
        title={title}
        heading={within ? 'p' : 'h1'}
        action={
          <div className="flex gap-2">
            {error instanceof Problem ? (
              <Button onClick={() => void router.invalidate()}>{t('Try again')}</Button>
            ) : (
              <Button onClick={() => location.reload()}>{t('Reload')}</Button>
            )}
            <Link to="/" className={buttonLook('quiet')}>
              {t('Go to overview')}
            </Link>
          </div>
        }
      >
        {isMissing
          ? t('It was removed, or it belongs to a team that you are not a member of.')
          : sayProblem(error)}
      </Empty>
    </div>
  )
}
