import { Link, Navigate, useRouter } from '@tanstack/react-router'
import { Problem, sayProblem } from '../data/problem.ts'
import { wayBack } from '../data/way-back.ts'
import { Button, buttonLook } from '../parts/button.tsx'
import { usePageTitle } from '../parts/page-title.ts'
import { Empty } from '../parts/panel.tsx'
import { NotLoaded, NotLoadedYet } from './not-loaded.tsx'

/** What stands where a screen could not be shown, or, `within` a screen that has its heading, a part of one. */
export function Trouble({ error, within = false }: { error: unknown; within?: boolean }) {
  return error instanceof NotLoaded ? <NotLoadedYet /> : <Failed error={error} within={within} />
}

function Failed({ error, within }: { error: unknown; within: boolean }) {
  const router = useRouter()
  const isMissing = error instanceof Problem && error.status === 404
  const title = isMissing ? 'There is nothing here' : 'This could not be shown'
  usePageTitle(within ? null : title)
  if (error instanceof Problem && error.status === 401) {
    // Who signs in again comes back to here.
    return <Navigate to="/sign-in" search={{ to: wayBack(router.state.location.href) }} />
  }
  return (
    <div role="alert">
      <Empty
        title={title}
        heading={within ? 'p' : 'h1'}
        action={
          <div className="flex gap-2">
            {error instanceof Problem ? (
              <Button onClick={() => void router.invalidate()}>Try again</Button>
            ) : (
              <Button onClick={() => location.reload()}>Load again</Button>
            )}
            <Link to="/" className={buttonLook('quiet')}>
              To the overview
            </Link>
          </div>
        }
      >
        {isMissing ? 'It was removed, or it belongs to a team that you are no member of.' : sayProblem(error)}
      </Empty>
    </div>
  )
}
